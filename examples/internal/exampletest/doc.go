// Package exampletest runs the programs of the examples in their tests: under mocks,
// and under the guard with the pools of the lab that the examples are deployed to.
//
// A finding of preflight fails the test of an example, unless the example silences
// its rule and says why in a comment of main.go, which begins with the rule's ID:
//
//	// MK510: all supported runtimes honor it.
package exampletest
