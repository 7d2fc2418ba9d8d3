// Package collection contains the facts that rules between objects need to know: the gist of each object, what the gists of all
// objects show together, and the subjects of those rules. It has facts, and no rules.
package collection
