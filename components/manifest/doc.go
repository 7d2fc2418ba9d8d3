// Package manifest brings the manifests that people already have into a mixed
// cluster: YAML and JSON files, and Helm charts. Each workload gets what its pods
// need to land on the nodes of their operating system and on no others: the node
// selector of Linux, so that Linux pods stay off Windows nodes with and without a
// taint, or that of the Windows release; tolerations for the taints of these nodes; and
// os.name, unless the API server would then refuse another field of theirs. A release
// that no pool has is not selected, only kubernetes.io/os=windows is: a finding says what
// is wrong with the images. Nothing is replaced.
//
// What pods are for is known from, in this order: os.name; the nodes that they select,
// by node selector (a label agentpool with the name of a pool counts), by required node
// affinity, or because all pools that they select have the same operating system; the
// RuntimeClass; host-process containers; the annotation [Annotation] of the object or of
// its pod template; the program ([Options.Platforms]); the images, though no word of a
// tag tells Linux outside of Docker's official images and Microsoft's registry: images
// for Windows have tags such as 1.14-alpine too. An answer of the program that
// contradicts the object, or that cannot be followed, is an error. Where nothing says
// it, the pods stay as they are and a finding asks: nothing is guessed.
// [Options.AssumeLinux] takes such pods for Linux, unless something hints at Windows.
// Argo Rollouts, ScaledJobs of KEDA, GitHub's runner sets and Knative Services are completed
// as Kubernetes' own kinds are. What an Argo Workflow gets stands in its spec, for all
// templates; it is not completed if they need different things, nor is a WorkflowTemplate,
// whose templates other workflows use, nor the configuration of GitLab Runner in a
// ConfigMap. Pods of a kind that is not known are never
// completed: a finding asks where they name no operating system. Pods of a chart also
// stay as they are while their os, nodeName, nodeSelector, affinity, tolerations,
// runtimeClassName or securityContext is not known yet as a whole.
//
// [Convert] completes text in place: comments, order and quoting stay, and what
// needs nothing stays byte for byte. [NewGroup] registers the objects of files as
// resources; [NewChart] completes what a Helm chart renders. `mixedkube adopt`
// is Convert as a command, for manifests that stay where they are.
//
// What is added to a pod template restarts the pods of a Deployment, a StatefulSet or a
// DaemonSet in the cluster, also when a changed topology adds something else. A Job or a
// Pod that exists stays as it is, since Pulumi would replace it and run it again: what is
// added to it stands under IgnoreChanges, as with Place of package guard.
//
// # For those who work on it
//
// Everything that is decided here without Pulumi is in components/manifest/conversion. A Group
// registers its objects in the program's own process, each with its own type. Handing
// the completed text to yaml/v2's ConfigGroup would be shorter, but there the
// objects are registered by the provider: unit tests with mocks would see one
// resource, and what they deploy could not be looked at.
package manifest
