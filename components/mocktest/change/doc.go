// Package change says what a provider of Pulumi makes of other inputs of a resource: which
// properties differ, and whether the provider changes the resource in place or replaces it.
//
// The lists are those of the providers themselves. Package mocktest asks them about a program, and the
// simulated Azure about what the engine sends it: so the two cannot disagree. What the program's own options
// say, such as IgnoreChanges and ReplaceOnChanges, is the engine's part, and not in here.
//
// Known are all objects of Kubernetes, the types of azure-native that this library registers, commands of
// pulumi-command, the providers of the three, and Pulumi's own resources.
package change
