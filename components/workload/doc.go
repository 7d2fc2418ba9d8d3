// Package workload creates the ordinary Kubernetes workloads, each with a [platform.Platform]: what its containers run
// on.
//
// There is one constructor for each kind: [NewDeployment], [NewStatefulSet], [NewDaemonSet], [NewJob], [NewCronJob],
// [NewReplicaSet], [NewReplicationController] and [NewPod]. All of them take the same few arguments in addition to the
// spec, which is that of pulumi-kubernetes.
//
// From the platform, the component adds what a mixed cluster needs so that the pods land on the right nodes: os.name,
// and the RuntimeClass of the platform, or node selector and tolerations if there is none (Linux, DaemonSets, and
// clusters without RuntimeClasses). Fields that the program sets stay. If they contradict the platform, the constructor
// returns an error that shows both, or the resource fails when an output becomes known. The rules are those of package
// preflight: the pods must agree with the platform of the arguments.
//
// A RuntimeClass that the program sets does not change where the pods run: they also get node selector and tolerations,
// unless runtimeClassName is plainly that of the platform. The API server adds the fields of the class to those: it
// accepts a selector with the same values and merges the tolerations.
//
// Windows has other differences: a [User] has a name, a [CredentialSpec] makes pods run as a group managed service
// account, and [HTTPProbe], [TCPProbe] and [PowerShellProbe] are probes that work.
//
// # Options
//
// Options for a single resource, such as [pulumi.IgnoreChanges], [pulumi.Import] and [pulumi.Timeouts], reach the
// Kubernetes resource, and so do aliases of its type: with
//
//	pulumi.Aliases([]pulumi.Alias{{Type: pulumi.String("kubernetes:apps/v1:Deployment")}})
//
// a [Deployment] replaces the appsv1.Deployment with the same name and parent in the program; the object in the cluster
// stays unchanged. docs/moving.md of the project shows the way in and out, and docs/components.md which resource each
// option reaches.
//
// Objects with pods on Windows have 30 minutes to be created or updated, unless [pulumi.Timeouts] or the annotation
// pulumi.com/timeoutSeconds in their metadata set another timeout: the 10 minutes of Pulumi's provider do not suffice
// for a node that first has to pull a base image of Windows.
//
// # For contributors
//
// Package mutate decides which edits the pods of a platform need, and package preflight finds contradictions to it;
// package input applies the edits to the arguments, and watches their outputs. scheduling.go checks the arguments
// themselves, and windowsoptions.go derives the options for Windows from them. The steps that all kinds share, from
// checking the arguments to registering the component, are in component.go, in the order of kind.go; one file for each
// kind has its arguments, and where its pods are.
package workload
