// Package stackoutput passes the topology of a cluster from the stack that makes it to the stacks
// that deploy to it:
//
//	ctx.Export("topology", stackoutput.Topology(cluster.Topology))
//
// (of aks.Existing cluster.Topology(), when the program has declared its pools),
// and in the other program
//
//	infrastructure, err := pulumi.NewStackReference(ctx, "organization/infrastructure/prod", nil)
//	…
//	cluster, err := stackoutput.ReadTopology(infrastructure, "topology")
//	…
//	err = guard.Enforce(ctx, guard.Args{Topology: cluster})
//
// A [topology.Topology] is plain, and stays so on this way: a preview decides on it, which pods land
// where and what is wrong with them. A stack reference has its outputs in a preview too, so that
// [ReadTopology] waits for nothing but the engine's answer.
//
// The output is the document that [topology.Encode] writes: the same as in a stack's configuration
// and in the file for `mixedkube check --topology`, for which
// `pulumi stack output topology --json` writes one.
//
// # Other plain arguments
//
// So it is with each argument of this library that is plain because something is decided on it in the
// preview: versions, platforms, pools, counts, names, ranges of a network. Where another stack has
// such a value, take it from its reference with
// [pulumi.StackReference.GetOutputDetails]; where a resource of the same program makes it, give the
// value to both, from the configuration of the stack for example. What the library only passes on
// (endpoints, namespaces, addresses of clients, certificates) is an input, and takes outputs.
package stackoutput
