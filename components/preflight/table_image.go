package preflight

const (
	versionCompatibility = "https://kubernetes.io/docs/concepts/windows/intro/#windows-os-version-support"
	noShell              = "https://learn.microsoft.com/virtualization/windowscontainers/manage-containers/container-base-images"
)

// imageRules are about images, what is started in them, and places of an object
// that contradict each other about what its pods are for.
var imageRules = []Rule{
	{
		ID: "MK201", Severity: Error, Title: "an image of another Windows release",
		Reason: "Windows containers share the kernel of their host, so the release of the image must be the host's. Where it is not, the image is not even pulled: containerd reports that there is no match for the platform in its manifest. Host-process containers are the exception, and so is Hyper-V isolation. A RuntimeClass with the name of a platform that is in the topology, or is the given one, counts as the one that components/runtimeclass makes, even where somebody made another one of this name: then silence the rule.",
		Source: versionCompatibility,
	},
	{
		ID: "MK202", Severity: Error, Title: "an image of the other operating system",
		Reason: "Linux images do not run on Windows nodes, nor Windows images on Linux nodes. Where only a word of the tag says what the image is for, this is a warning: images for Windows are also published with the tags of their Linux originals, such as 1.14-alpine.",
		Source: versionCompatibility,
	},
	{
		ID: "MK203", Severity: Error, Title: "images that no single node runs",
		Reason: "All containers of a pod run on the same node. A node has one operating system, and a Windows node one release.",
		Source: versionCompatibility,
	},
	{
		ID: "MK204", Severity: Error, Title: "the base image of host-process containers in other containers",
		Reason: "The image holds no Windows of its own: only host-process containers, which use the host's, can start from it.",
		Source: "https://github.com/microsoft/windows-host-process-containers-base-image",
	},
	{
		ID: "MK205", Severity: Error, Title: "a Unix shell in an image of Microsoft's",
		Reason: "Microsoft's Windows images hold neither sh nor bash. A container whose command is one of them does not start; a probe or hook never succeeds.",
		Source: noShell,
	},
	{
		ID: "MK206", Severity: Warning, Title: "a Unix shell in a Windows pod",
		Reason: "Windows has neither sh nor bash. Few images bring one along, with Git for Windows for example.",
		Source: noShell,
	},
	{
		ID: "MK207", Severity: Error, Title: "places that say different operating systems",
		Reason: "A node that the selector, affinity or RuntimeClass leads to then refuses the pod, with the reason PodOSNotSupported, or there is no such node at all.",
		Source: "pkg/kubelet/lifecycle/predicate.go of Kubernetes 1.36.3, rejectPodAdmissionBasedOnOSField",
	},
	{
		ID: "MK208", Severity: Error, Title: "places that say different Windows releases",
		Reason: "No node has two builds, and the API server refuses a pod whose node selector differs from that of its RuntimeClass. A RuntimeClass with the name of a platform that is in the topology, or is the given one, counts as the one that components/runtimeclass makes.",
		Source: "plugin/pkg/admission/runtimeclass/admission.go of Kubernetes 1.36.3, setScheduling",
	},
	{
		ID: "MK209", Severity: Warning, Title: "host process in Linux pods",
		Reason: "The kubelet on Linux ignores the option: the containers are ordinary ones.",
		Source: "https://kubernetes.io/docs/tasks/configure-pod-container/create-hostprocess-pod/",
	},
	{
		ID: "MK210", Severity: Warning, Title: "an image of an older Windows release, which only some nodes run",
		Reason: "Kubernetes asks for the release of the host. Windows itself lets a Windows Server 2025 host run the images of Windows Server 2022, and nodes differ in whether they allow it. With a topology or a given platform, how well images must match is known, and this is an error or nothing.",
		Source: versionCompatibility + "; https://learn.microsoft.com/virtualization/windowscontainers/deploy-containers/version-compatibility",
	},
	{
		ID: "MK211", Severity: Info, Title: "Windows Server 2019 on Kubernetes 1.36", Since: "1.36",
		Reason: "Kubernetes 1.36 names Windows Server 2022 and 2025 for nodes, and no longer 2019, whose images do not run on the newer releases. Its nodes still join and its pods still start: plan their successors. It is said of images, and of RuntimeClasses, where the version is known and no topology is given: who has such nodes knows.",
		Source: versionCompatibility,
	},
	{
		ID: "MK212", Severity: Warning, Title: "an image for Windows that nobody publishes any more",
		Reason: "Microsoft's images left Docker Hub for a registry of its own, mcr.microsoft.com, and some of Docker's official images dropped their variants for Windows. The old names cannot be pulled, or are years old.",
		Source: "https://learn.microsoft.com/virtualization/windowscontainers/manage-containers/container-base-images; https://github.com/redis/docker-library-redis/pull/99",
	},
}
