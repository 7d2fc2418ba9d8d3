// Package mutate decides which fields the pods of an object need in order to run only on the
// nodes of their operating system, whatever taints these have: os.name, node selector and
// tolerations, or the name of a RuntimeClass. The decision is data, a list of edits. They are
// applied to the object in its own form: to a plain tree in package tree, to the arguments of
// a Pulumi resource in package input, to a text in package manifests, and to properties on the
// wire in package policy.
//
// It uses the claims that package pods finds, and never guesses: a tag such as 1.14-alpine,
// which an image for Windows may have too, is not enough if nothing else indicates Linux.
// Its edits add missing fields, and take back fields that an earlier decision has marked as its own, see
// [pods.PlacedAnnotation]. They replace nothing that people wrote; package preflight reports contradictions.
package mutate
