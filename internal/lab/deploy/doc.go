// Package deploy runs the ordinary Pulumi CLI on a stack of this repository,
// against a cluster of the lab.
//
// Everything that the CLI would store in the user's home directory, or write into
// the checkout, is in a separate directory: the state of the stacks, the
// plugins, and a copy of the stack's configuration, which the CLI rewrites.
package deploy
