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
// Not looked at are patches (DeploymentPatch), lists (PodList), and what a
// helm.v3.Release deploys: Pulumi itself does not see it.
//
// An inline program of the Automation API is wrapped in [Program] instead of being
// run by [Run], and so is a program in a unit test with package mocktest.
//
// # For those who work on it
//
// The engine gives each resource to a transform in the program's process, before
// it is registered. A transform in Go cannot fail; so it logs its findings, makes
// sure that the resource does not reach the cluster, and lets the program end with
// an error when everything has been seen. The rules are in package preflight, not
// here.
package guard
