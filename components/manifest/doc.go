// Package manifest brings existing manifests into a mixed cluster: YAML and JSON files, and Helm charts. Each workload
// gets the fields that make its pods land on the nodes of their operating system and on no others: the node selector of
// Linux, so that Linux pods stay off Windows nodes with and without a taint, or that of the Windows release;
// tolerations for the taints of these nodes; and os.name, unless the API server would then refuse another of their
// fields. A release that no pool has is not selected, only kubernetes.io/os=windows is: a finding reports the problem
// with the images. Existing fields stay unchanged.
//
// The operating system of pods follows from, in this order: os.name; the nodes that they select, by node selector (a
// label agentpool with the name of a pool counts), by required node affinity, or because all pools that they select
// have the same operating system; the RuntimeClass; host-process containers; the annotation [Annotation] of the object
// or of its pod template; the program ([Options.Platforms]); the images. A word of a tag means Linux only for Docker's
// official images and Microsoft's registry: images for Windows have tags such as 1.14-alpine too. An answer of the
// program that contradicts the object, or that cannot be followed, is an error. If nothing indicates the operating
// system, the pods stay unchanged and a finding asks for it: nothing is guessed. [Options.AssumeLinux] treats such pods
// as Linux pods, unless something hints at Windows. Argo Rollouts, ScaledJobs of KEDA, GitHub's runner sets and Knative
// Services are completed like Kubernetes' own kinds. An Argo Workflow gets its additions in its spec, for all
// templates; it is not completed if they need different ones. A WorkflowTemplate, whose templates other workflows use,
// and the configuration of GitLab Runner in a ConfigMap are not completed either. Pods of an unknown kind are never
// completed: a finding asks if they do not name an operating system. Pods of a chart also stay unchanged while their
// os, nodeName, nodeSelector, affinity, tolerations, runtimeClassName or securityContext is not fully known.
//
// [Convert] completes text in place: comments, order and quoting stay, and text that needs no addition stays byte for
// byte. [NewGroup] registers the objects of files as resources; [NewChart] completes what a Helm chart renders.
// `mixedkube adopt` is Convert as a command, for manifests that stay where they are.
//
// An addition to a pod template restarts the pods of a Deployment, a StatefulSet or a DaemonSet in the cluster, and so
// does a changed topology with other additions. An existing Job or Pod stays unchanged, because Pulumi would replace it
// and run it again: its additions are listed under IgnoreChanges, as with Place of package guard.
//
// # For contributors
//
// The decisions that do not need Pulumi are in core/conversion. A Group registers its objects in the
// program's own process, each with its own type. Passing the completed text to yaml/v2's ConfigGroup would be shorter,
// but there the provider registers the objects: unit tests with mocks would see one resource, and could not check the
// objects.
package manifest
