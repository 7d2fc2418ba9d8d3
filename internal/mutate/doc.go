// Package mutate decides what the pods of an object lack to land on the nodes of their
// operating system, and on no others, whatever taints these have: os.name, node selector and
// tolerations, or the name of a RuntimeClass. The decision is data, a list of edits. Whoever
// has the object applies them in its form: a plain tree here, the arguments of a Pulumi
// resource in package input, a text in package manifests.
//
// It goes by the claims that package pods finds, and never guesses: a tag such as
// 1.14-alpine, which an image for Windows may have too, is no answer if nothing else says
// Linux. Edits add what is missing and replace nothing; what contradicts is for package
// preflight to say.
package mutate
