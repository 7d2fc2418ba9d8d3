// Package guard puts package preflight in front of every Kubernetes resource of a
// Pulumi program: typed resources, the children of Helm charts and YAML groups,
// and what other libraries and remote components register.
//
//	func main() {
//		guard.Run(func(ctx *pulumi.Context) error { // in place of pulumi.Run
//			if err := guard.Enforce(ctx, guard.Args{Topology: cluster.Topology}); err != nil {
//				return err
//			}
//			// the program
//		})
//	}
//
// An error in any resource fails the preview, which shows the findings of the whole
// program, each at its resource. In an update the resource is not created, unless it
// is wrong only beside a RuntimeClass or Namespace that is registered after it. At
// the end of a preview there is one line for each workload: the pools that its pods
// can land on. With [Args.Place] the guard completes pods before it looks at them.
//
// Not looked at are patches (DeploymentPatch), lists (PodList), what a helm.v3.Release deploys
// (Pulumi itself does not see it: rule MK581), and the hooks of a helm.v4.Chart, which are not
// deployed (MK580). These two rules name the command line that looks at the chart.
//
// An inline program of the Automation API is wrapped in [Program] instead of being
// run by [Run], and so is a program in a unit test with package mocktest. It gets what was found as
// a value, see [ReportTo] and [Error].
//
// Under the SDK's mocks (pulumi.WithMocks) the guard sees what the program registers in its own
// process: those mocks run nothing else. Inputs that are outputs are awaited. No resource is stopped,
// and none is completed by [Args.Place], whose effect is taken into account. Wrapped in [Program], the
// program fails with one [*Error] that has all findings, in an update too. Not wrapped, it fails with
// what is known when the first error is found, so a test that was there before the guard stays as it
// is. There, a component refuses its own mistakes with an error of its own, as it does without the
// guard: it leaves them to the guard only where a report names what the guard does not see. Both
// errors wrap a [*rule.FindingError]. Not checked, and named in the report of a wrapped program
// ([report.NotChecked]), are charts, YAML groups and other components of other processes; those that
// ask the provider for their objects (the Chart of helm/v3, the ConfigGroup of yaml), if the mock
// answers with none; resources with resource transforms, or below one with them, which those mocks
// never call; and resources that a transformation of the stack may change after the guard. An engine
// without resource transforms is used in the same way, except that Run or Program is needed, and that
// Place is refused.
//
// A program that has many findings to begin with adopts the guard step by step: all of it is
// advisory ([Args.EnforcementLevel]), some findings are ignored ([Args.Ignore]), or those that are
// there are known from a file and only new ones stop the program ([Args.Baseline]). A program that
// deploys to several clusters says which provider is for which ([Args.Clusters]).
//
// # For those who work on it
//
// A transform sees a resource before it is registered. One in Go cannot fail; so the guard
// logs its findings, makes sure that the resource does not reach the cluster, and lets the
// program end with an error when everything has been seen. The rules are in package
// preflight, not here.
//
// That the engine gives each resource back to the program, with all properties, takes as
// long as registering it. In a preview the guard asks for that where it has to:
//
//   - What the program registers itself is first seen by [guard.follow], a transformation
//     in its process. Typed arguments that are all there, and have nothing wrong, are seen
//     with that.
//   - A resource gets a transform of its own if it has transforms, which may change it, or
//     if there is something to say about it. It shares the transform with what is below it.
//   - With the first sign that this is not enough, a transform of the stack sees all
//     resources that follow: an output among the inputs of an object, a component whose
//     children another process registers, a transformation that may run after the guard's, a
//     parent that is not known, a provider with methods. Whatever else the program does,
//     [guard.hidden] must not say less than that.
//
// Where no engine shows anything, [guard.followAlone] looks at all that the program registers: under
// the SDK's mocks, which panic when a transform of the stack is registered, and on an old engine.
//
// In an update, with [Args.Place], and in a program that has registered something before
// Enforce, the engine shows all from the start: what is created is what it has seen last.
// A program that calls a method of a plugin without having one of its components or
// providers ([pulumi.Context.Call]; no SDK does) gives no sign: what that registers is seen
// by the update, and not by the preview.
package guard
