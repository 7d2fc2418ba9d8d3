// Package change reports what a provider of Pulumi does when the inputs of a resource change: which properties differ,
// and whether the provider changes the resource in place or replaces it.
//
// The lists are those of the providers themselves. Package mocktest uses them for a program, and the simulated Azure
// for the requests of the engine: so the two cannot disagree. Options of the program, such as IgnoreChanges and
// ReplaceOnChanges, are handled by the engine and are not part of this package.
//
// It knows all objects of Kubernetes, the types of azure-native that this library registers, commands of
// pulumi-command, the providers of the three, and Pulumi's own resources.
package change
