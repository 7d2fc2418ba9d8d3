// Package mocktest runs a Pulumi program in a unit test, without an engine, a
// cloud or a plugin, and records what the program registers.
//
//	graph, err := mocktest.Run(func(ctx *pulumi.Context) error {
//		_, err := shop.NewSite(ctx, "web", &shop.SiteArgs{Replicas: 2})
//		return err
//	})
//
// The [Graph] holds each resource with its parent, inputs, dependencies and
// options, and the exports, the invokes and the log of the program. Compare
// one resource with [Resource.Plain], or the whole graph with a golden file
// through [Graph.String].
//
// # What the program sees
//
// Run puts itself in the place of the engine. Each resource is created again, unless [After] says what is there,
// and gets an answer like that of a provider:
//
//   - A custom resource gets its inputs back, the ID "<name>-id", and what the
//     [Outputs] function adds.
//   - A component gets nothing back: its outputs are those that it sets itself.
//   - An invoke gets what the [Calls] function answers. Without one the run
//     fails, and names the token.
//
// With [Preview] the program runs as in `pulumi preview`: the IDs of custom
// resources and all outputs that are not inputs are unknown. Inputs made of
// them are recorded as unknown, and no Apply on them runs. Outputs is asked
// for reads only, because a preview does read.
//
// # Transforms
//
// Resource transforms, of the stack and of resources, run as on the engine:
// first those of the resource, then those of its ancestors, the closest first,
// then those of the stack. The graph holds what they make of the inputs and
// options. So it shows what the engine and the SDK do to them, too:
//
//   - Dependencies that a transform adds or removes count only on a resource
//     with transforms of its own.
//   - A transform that returns a result, even an unchanged one, drops what the
//     Go SDK does not pass through it, such as DeletedWith and ReplaceWith. On a
//     resource with transforms of its own it also drops which property brings
//     which dependency. One that returns nil drops nothing.
//   - Reads are not transformed.
//
// Not as on the engine: what the engine, and not the SDK, passes on from a
// parent, such as RetainOnDelete, reaches neither transforms nor the graph.
//
// Legacy transformations work too: they run inside the program.
//
// # What makes a run fail
//
// Besides the program's own errors: two resources with one URN, which the
// engine refuses too; a transform that fails, with the engine's error; an
// unknown input outside of a preview; an invoke that nobody answers; invoke
// transforms, which only the real engine runs.
//
// Hooks are recorded with their resources. They never run, because nothing is created, changed or deleted here, and no
// operation fails.
//
// # Tests of a change
//
// [After] runs a program with what an earlier run has left as its state, and [Graph.Changes] says what an update would
// do: what is created, changed, replaced and deleted, and why. So "this change replaces no pool" is a unit test:
//
//	earlier := mocktest.MustRun(t, program)
//	graph := mocktest.MustRun(t, changed, mocktest.Preview(), mocktest.After(earlier))
//	if gone := graph.Changes().OfType(poolType).Removed(); len(gone) > 0 {
//		t.Errorf("pools go:\n%s", gone)
//	}
//
// A pool of AKS has its size in its name, so that another size is one pool more and one less, and no replacement:
// [Changes.Removed] has both. The example of [github.com/mixedkube/mixedkube/components/aks/akstest.Made] is whole.
//
// The rules are those of the engine and of the providers: aliases, also those that children get from their parents,
// IgnoreChanges, ReplaceOnChanges, ReplaceWith, ReplacementTrigger, DeleteBeforeReplace with what has to go before,
// Protect, RetainOnDelete, imports and reads; what pulumi-kubernetes replaces an object for, what azure-native replaces
// a resource for, and when another provider replaces all that was made with it. Package change has them; the simulated
// Azure of this project asks it as well. Of a provider that it does not know, a change is "changed, replacement not
// known".
//
// The earlier graph is one in memory, or of a file: json.Marshal writes the graph of an update, without its secrets,
// and json.Unmarshal reads it. Whether such a secret changes is not known, and the changes say so. If a change of it
// would replace the resource, such as one of the data of a Secret or of the kubeconfig of a provider, the resource has
// [OpNotKnown], and [Changes.Removed] has it. Otherwise the secret counts as unchanged. So does an unknown value that
// comes only from resources that stay: an output that [Outputs] did not give.
//
// What is not seen: what a cluster or a cloud has made of a resource since (a refresh); that an API server or Azure
// refuses an update; that pulumi-kubernetes takes some values for the same, such as 1 CPU and 1000m; and options of
// `pulumi up`, such as --target.
//
// # What it is not
//
// Not the SDK's mocks: those fail on each secret that is not known yet, such
// as the kubeconfig of a cluster in a preview, and leave out other unknown
// inputs. So [pulumi.Context.RunningWithMocks] is false here. A test with those
// can have the answers of this package: see [Mocks]. And not a provider: nothing
// checks inputs or fills in defaults. In an update an output that neither the
// inputs nor Outputs contain is the zero value of its type.
package mocktest
