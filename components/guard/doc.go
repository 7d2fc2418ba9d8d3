// Package guard checks every Kubernetes resource of a Pulumi program with the rules of package preflight: typed
// resources, the children of Helm charts and YAML groups, and what other libraries and remote components register.
//
//	func main() {
//		guard.Run(func(ctx *pulumi.Context) error { // instead of pulumi.Run
//			if err := guard.Enforce(ctx, guard.Args{Topology: cluster.Topology}); err != nil {
//				return err
//			}
//			// the program
//		})
//	}
//
// An error in any resource fails the preview, which shows the findings of the whole program, each at its resource. In
// an update the resource is not created, unless it is wrong only together with a RuntimeClass or Namespace that is
// registered after it. At the end of a preview there is one line for each workload: the pools that its pods can land
// on. With [Args.Place] the guard completes pods before it looks at them.
//
// The guard does not look at patches (DeploymentPatch), at lists (PodList), at what a helm.v3.Release deploys, which
// Pulumi itself does not see (rule MK581), and at the hooks of a helm.v4.Chart, which are not deployed (MK580). The
// findings of these two rules name the command that looks at the chart.
//
// A preview also shows the wrong arguments of the components of package workload, of runtimeclass.Set,
// gmsa.CredentialSpec and the agents of package hostprocess except Flannel and KubeProxy: their constructors return no
// error then, and nothing is known about the objects below them. Other constructors return the error, and in an update
// all do.
//
// Wrap a program in [Program], instead of calling [Run], if it is an inline program of the Automation API or runs in
// a unit test with package mocktest. [ReportTo] and [Error] return the findings as values.
//
// A program that has many findings at first adopts the guard step by step. All findings are advisory
// ([Args.EnforcementLevel]), some are ignored ([Args.Ignore]), or a file has those that are known and only new ones
// stop the program ([Args.Baseline]). If a program deploys to several clusters, [Args.Clusters] says which provider
// is for which cluster.
//
// # Unit tests with the mocks of the SDK
//
// Under pulumi.WithMocks the guard sees what the program registers in its own process, because those mocks run nothing
// else. It waits for inputs that are outputs. It stops no resource, and [Args.Place] completes none, although the
// rules see the completed pods. Wrapped in [Program], the program fails with one [*Error] that has all findings, in an
// update too. Not wrapped, it fails with the findings that are known when the first error is found, so that a test
// that is older than the guard needs no change. Both errors wrap a [*rule.FindingError].
//
// The report of a wrapped program names what was not checked ([report.NotChecked]): charts, YAML groups and other
// components of other processes; components that get their objects from the provider (the Chart of helm/v3, the
// ConfigGroup of yaml), if the mock answers with none; resources with resource transforms, or below one with them,
// which those mocks never call; and resources that a transformation of the stack may change after the guard.
//
// An engine without resource transforms is used in the same way. It needs Run or Program, and refuses Place.
package guard
