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
// An error in any resource fails the preview, which shows the findings of the whole program, each at its resource. In
// an update the resource is not created, unless it only contradicts a RuntimeClass or Namespace that is registered
// after it. At the end of a preview there is one line for each workload: the pools that its pods can land on. With
// [Args.Place] the guard completes pods before it checks them.
//
// The guard does not check patches (DeploymentPatch), lists (PodList), the objects of a helm.v3.Release (Pulumi itself
// does not see them: rule MK581), and the hooks of a helm.v4.Chart, which are not deployed (MK580). These two rules
// name the command line that checks the chart.
//
// Wrap an inline program of the Automation API in [Program] instead of running it with [Run]. The same is true of a
// program in a unit test with package mocktest. The caller gets the findings as a value, see [ReportTo] and [Error].
//
// Under the SDK's mocks (pulumi.WithMocks) the guard sees what the program registers in its own process: those mocks
// run nothing else. It awaits inputs that are outputs. It stops no resource, and completes none for [Args.Place], but
// it takes the effect of Place into account. A program that is wrapped in [Program] fails with one [*Error] that has
// all findings, even in an update. A program that is not wrapped fails with the findings that are known at the first
// error, so an older test stays unchanged. There, a component refuses its own mistakes with an error of its own, as
// without the guard: it leaves them to the guard only if a report names what the guard does not see. Both errors wrap a
// [*rule.FindingError]. The report of a wrapped program names what is not checked ([report.NotChecked]): charts, YAML
// groups and other components of other processes; components that get their objects from the provider (the Chart of
// helm/v3, the ConfigGroup of yaml), if the mock returns none; resources with resource transforms, or below one with
// them, which those mocks never call; and resources that a transformation of the stack may change after the guard. An
// engine without resource transforms is used in the same way, except that it needs Run or Program, and that it does not
// support Place.
//
// A program that has many findings can adopt the guard step by step: make all findings advisory
// ([Args.EnforcementLevel]), ignore some of them ([Args.Ignore]), or list the existing ones in a file so that only new
// ones stop the program ([Args.Baseline]). A program that deploys to several clusters names the provider of each
// ([Args.Clusters]).
//
// # For contributors
//
// A transform sees a resource before it is registered. A transform in Go cannot fail; so the guard logs its findings,
// keeps the resource from the cluster, and makes the program end with an error when it has seen everything. The rules
// are in package preflight, not here.
//
// Passing each resource back to the program, with all properties, takes the engine as long as registering it. In a
// preview the guard therefore requests it only if it has to:
//
//   - [guard.follow], a transformation in the program's process, sees each resource that the program itself registers.
//     It is enough for typed arguments that are complete and have no findings.
//   - A resource gets a transform of its own if it has transforms, which may change it, or if there is a finding about
//     it. It shares the transform with the resources below it.
//   - At the first sign that this is not enough, a transform of the stack sees all later resources. The signs are: an
//     output among the inputs of an object, a component whose children another process registers, a transformation that
//     may run after the guard's, a parent that is not known, a provider with methods. Whatever else the program does,
//     [guard.hidden] must not report less than that.
//
// If no engine shows resources, [guard.followAlone] checks everything that the program registers. That is so under the
// SDK's mocks, which panic when a transform of the stack is registered, and on an old engine.
//
// In an update, with [Args.Place], and in a program that has registered something before Enforce, the engine shows all
// resources from the start, because it has the last word about what is created. A program that calls a method of a
// plugin without having one of its components or providers ([pulumi.Context.Call]; no SDK does) gives no sign: the
// update sees the resources that the method registers, and the preview does not.
package guard
