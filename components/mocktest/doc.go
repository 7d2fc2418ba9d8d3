// Package mocktest runs a Pulumi program in a unit test, without an engine, a cloud or a plugin, and records what the
// program registers.
//
//	graph, err := mocktest.Run(func(ctx *pulumi.Context) error {
//		_, err := shop.NewSite(ctx, "web", &shop.SiteArgs{Replicas: 2})
//		return err
//	})
//
// [Run] and [MustRun] return a [Graph]: each [Resource] with its parent, inputs, dependencies and options, and the
// exports, the invokes and the log of the program. Compare one resource with [Resource.Plain], or the whole graph with
// a golden file through [Graph.String]. An [Option] changes what the program sees: [Preview], [Outputs], [Calls] and
// others. [After] and [Graph.Changes] test a change of a program.
//
// # Where the code is
//
// This package has no knowledge of a component. The rules of providers belong in package change, which the simulated
// Azure of this project uses as well.
//
//	run.go, must.go, options.go         Run and its options
//	monitor.go, recorder.go, answer.go  the protocol between the program and the engine
//	graph.go, resource.go, values.go,
//	  print.go                          the results that a test reads
//	transform.go, plugin.go             transforms and remote components
//	after.go, verdict.go, condemned.go,
//	  changes.go, keep.go               what an update would do, and graphs in files
//	mocks.go                            the same answers for the SDK's mocks
//	change/                             what providers do when inputs change
//
// # What the program sees
//
// Run replaces the engine. It creates each resource again, unless [After] passes the state of an earlier run, and
// answers like a provider:
//
//   - A custom resource gets its inputs back, the ID "<name>-id", and what the [Outputs] function adds. In an update, an
//     output in neither of them is the zero value of its type.
//   - A component gets nothing back: it sets its outputs itself.
//   - An invoke gets the answer of the [Calls] function. Without such a function the run fails, and the error names the
//     token.
//
// With [Preview] the program runs as in `pulumi preview`: the IDs of custom resources and all outputs that are not
// inputs are unknown. Inputs that contain them are recorded as unknown, and no Apply on them runs. A preview calls
// Outputs only for reads, because a preview does read.
//
// Run also fails for two resources with one URN, for a failing transform, for an unknown input outside of a preview,
// and for invoke transforms, which only the real engine runs. The engine refuses the first two as well.
//
// Hooks are recorded with their resources. They never run, because nothing is created, changed or deleted here, and no
// operation fails. The package does not check inputs or set defaults, as a provider would.
//
// The package does not use the SDK's mocks: those fail on each unknown secret, such as the kubeconfig of a cluster in a
// preview, and leave out other unknown inputs. So [pulumi.Context.RunningWithMocks] is false here. A test with those
// mocks can use the answers of this package: see [Mocks].
//
// # Transforms
//
// Resource transforms, of the stack and of resources, run as on the engine: first those of the resource, then those of
// its ancestors, the closest first, then those of the stack. Legacy transformations run inside the program. The graph
// holds the inputs and options that transforms return. So it also shows what the engine and the SDK change:
//
//   - Dependencies that a transform adds or removes count only on a resource with transforms of its own.
//   - A transform that returns a result, even an unchanged one, drops what the Go SDK does not pass through it, such as
//     DeletedWith and ReplaceWith. On a resource with transforms of its own it also drops which dependency comes from
//     which property. A transform that returns nil drops nothing.
//   - Reads are not transformed.
//
// There is one difference from the engine: options that the engine, and not the SDK, passes from a parent to its
// children, such as RetainOnDelete, reach neither transforms nor the graph.
//
// # Tests of a change
//
// [After] runs a program with the state that an earlier run has left, and [Graph.Changes] returns what an update would
// create, change, replace and delete, and why. So "this change replaces no pool" is a unit test:
//
//	earlier := mocktest.MustRun(t, program)
//	graph := mocktest.MustRun(t, changed, mocktest.Preview(), mocktest.After(earlier))
//	if removed := graph.Changes().OfType(poolType).Removed(); len(removed) > 0 {
//		t.Errorf("pools are removed:\n%s", removed)
//	}
//
// The name of an AKS pool contains its size, so a change of the size creates one pool and deletes another, and replaces
// none: [Changes.Removed] has both cases. [github.com/mixedkube/mixedkube/components/aks/akstest.Made] has a complete
// example.
//
// The rules are those of the engine and of the providers. They cover aliases, including those that children get from
// their parents, IgnoreChanges, ReplaceOnChanges, ReplaceWith, ReplacementTrigger, DeleteBeforeReplace with the
// dependents that are deleted before, Protect, RetainOnDelete, imports and reads. They also cover the inputs for which
// pulumi-kubernetes replaces an object and azure-native a resource, and the changes of a provider that replace all of
// its resources. For an unknown provider, a change is "changed, replacement not known".
//
// The earlier graph is in memory or comes from a file: json.Marshal writes the graph of an update, without its secrets,
// and json.Unmarshal reads it. It is not known whether such a secret changes, and the changes report this. If a change
// of the secret would replace the resource, such as one of the data of a Secret or of the kubeconfig of a provider, the
// resource has [OpNotKnown], and [Changes.Removed] has it. Otherwise the secret counts as unchanged.
//
// A value that comes only from resources that stay, as it did in the earlier run, is unchanged, even if it is an output
// that [Outputs] did not return: the text of the changes is empty, and [Changes.Any] is false, if nothing changes.
//
// The package does not see later changes of a resource in a cluster or a cloud (a refresh), updates that an API server
// or Azure refuses, values that pulumi-kubernetes treats as equal, such as 1 CPU and 1000m, and options of `pulumi up`,
// such as --target.
package mocktest
