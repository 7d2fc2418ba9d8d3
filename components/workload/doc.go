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
// selector and tolerations where there is none (Linux, DaemonSets, and clusters without
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
// # For those who work on it
//
// Package mutate decides which edits the pods of a platform need, and package preflight
// what contradicts it; package input makes the edits in the arguments, and watches their
// outputs. The arguments themselves are checked in scheduling.go, and windowsoptions.go
// says which options for Windows they want. What all kinds do with their arguments, from
// checking them to registering the component, is in component.go, in the order of kind.go;
// one file for each kind has its arguments, and says where its pods are.
package workload
