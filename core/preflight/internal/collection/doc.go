// Package collection has the facts that the rules between objects need: the gist of each object, the collection of all
// gists, and the subjects of those rules. It has no rules.
package collection
