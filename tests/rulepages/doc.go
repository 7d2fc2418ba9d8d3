// Package rulepages writes docs/rules from the rules and their examples, and checks that each link to a rule leads
// there. The tests write the pages with -update from the output of `mixedkube explain`, so that the pages and the
// command never differ.
package rulepages
