// Package workload makes the ordinary Kubernetes workloads, each with a
// [platform.Platform]: what runs in its containers.
//
// The arguments are those of pulumi-kubernetes. From the platform, the
// component adds what a mixed cluster needs so that the pods land on the right
// nodes: os.name, and the RuntimeClass of the platform, or node selector and
// tolerations where there is none (Linux, and clusters without RuntimeClasses).
// What the program sets itself stays; where it contradicts the platform, the
// constructor returns an error that shows both.
//
// A RuntimeClass of the program's own does not change where the pods run: they
// get node selector and tolerations beside it, unless runtimeClassName is plainly
// that of the platform. The API server adds what the class has to that: it
// accepts a selector with the same values and merges the tolerations.
//
// What a pod of a platform needs is decided in scheduling.go, from package
// topology; how it is merged into the arguments, in pod.go and toleration.go;
// one file for each kind of workload holds the component itself.
package workload
