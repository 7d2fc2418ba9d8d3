// Package rulepages writes docs/rules from the rules and their examples, and holds that each link to a rule leads
// there. The tests write the pages with -update, from what `mixedkube explain` says, so that a page and the command
// never differ.
package rulepages
