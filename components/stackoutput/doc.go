// Package stackoutput passes the topology of a cluster from the stack that creates it to the stacks that deploy to it:
//
//	ctx.Export("topology", stackoutput.Topology(cluster.Topology))
//
// (for aks.Existing it is cluster.Topology(), when the program has declared its pools), and in the other program
//
//	infrastructure, err := pulumi.NewStackReference(ctx, "organization/infrastructure/prod", nil)
//	…
//	cluster, err := stackoutput.ReadTopology(infrastructure, "topology")
//	…
//	err = guard.Enforce(ctx, guard.Args{Topology: cluster})
//
// A [topology.Topology] is plain, and stays plain here: a preview uses it to decide where pods land and what their
// mistakes are. A stack reference has its outputs in a preview too, so [ReadTopology] waits only for the engine's
// answer.
//
// The output is the document that [topology.Encode] writes: the same as in a stack's configuration and in the file for
// `mixedkube check --topology`, which `pulumi stack output topology --json` can write.
//
// # Other plain arguments
//
// The same is true of each argument of this library that is plain because a preview decides on it: versions, platforms,
// pools, counts, names, ranges of a network. If another stack has such a value, take it from its reference with
// [pulumi.StackReference.GetOutputDetails]; if a resource of the same program has it, pass the value to both, for
// example from the configuration of the stack. Values that the library only passes on (endpoints, namespaces, addresses
// of clients, certificates) are inputs, and accept outputs.
package stackoutput
