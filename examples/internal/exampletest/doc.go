// Package exampletest runs the programs of the examples in their tests: with mocks,
// and with the guard and the pools of the lab to which the examples are deployed.
//
// A finding of preflight fails the test of an example, unless the example suppresses
// its rule and gives the reason in a comment of main.go, which begins with the rule's ID:
//
//	// MK510: all supported runtimes honor it.
package exampletest
