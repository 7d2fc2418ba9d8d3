// Package workload makes the ordinary Kubernetes workloads, each with a
// [platform.Platform]: what runs in its containers.
//
// There is one constructor for each kind: [NewDeployment], [NewStatefulSet],
// [NewDaemonSet], [NewJob], [NewCronJob], [NewReplicaSet], [NewReplicationController]
// and [NewPod]. All of them take the same few arguments beside the spec, which is that
// of pulumi-kubernetes.
//
// From the platform, the component adds what a mixed cluster needs so that the pods
// land on the right nodes: os.name, and the RuntimeClass of the platform, or node
// selector and tolerations if there is none (Linux, DaemonSets, and clusters without
// RuntimeClasses). What the program sets itself stays. If it contradicts the platform, the
// constructor returns an error that shows both, or an output fails the resource when it is
// known. The rules are those of package preflight: the platform of the arguments is what
// the pods must agree with.
//
// A RuntimeClass of the program's own does not change where the pods run: they
// get node selector and tolerations beside it, unless runtimeClassName is plainly
// that of the platform. The API server adds what the class has to that: it
// accepts a selector with the same values and merges the tolerations.
//
// What else is different on Windows: a [User] has a name there, a [CredentialSpec]
// makes pods run as a group managed service account, and [HTTPProbe], [TCPProbe] and
// [PowerShellProbe] are probes that work.
//
// # Options
//
// The options that are about one resource, such as [pulumi.IgnoreChanges], [pulumi.Import] and
// [pulumi.Timeouts], reach the Kubernetes resource, and so do aliases of its type: with
//
//	pulumi.Aliases([]pulumi.Alias{{Type: pulumi.String("kubernetes:apps/v1:Deployment")}})
//
// a [Deployment] takes the place of the appsv1.Deployment of the same name and parent, which stays
// as it is in the cluster. docs/moving.md of the project shows the way in and out, and
// docs/components.md where each option goes.
//
// Objects with pods on Windows have 30 minutes to be made or updated, unless [pulumi.Timeouts] or the
// annotation pulumi.com/timeoutSeconds in their metadata say something else: the 10 minutes of
// Pulumi's provider are less than a node takes that has to pull a base image of Windows first.
//
// # For those who work on it
//
// Package mutate decides which edits the pods of a platform need, and package preflight
// what contradicts it; package input makes the edits in the arguments, and watches their
// outputs. The arguments themselves are checked in scheduling.go, and windowsoptions.go
// says which options for Windows they want. What all kinds do with their arguments, from
// checking them to registering the component, is in component.go, in the order of kind.go;
// one file for each kind has its arguments, and says where its pods are.
package workload
