package preflight

const (
	windowsGuide = "https://kubernetes.io/docs/concepts/windows/user-guide/#ensuring-os-specific-workloads-land-on-the-appropriate-container-host"
	nodeLabels   = "https://kubernetes.io/docs/reference/labels-annotations-taints/"
)

// placementRules are about where pods can land: on the pools of the topology, or,
// as long as no topology is given, on the nodes of any cluster.
var placementRules = []Rule{
	{
		ID: "MK301", Severity: Error, Title: "Windows pods that can land on Linux nodes of the topology",
		Reason: "The scheduler looks at labels and taints alone: neither os.name nor the image leads a pod to a node. On a Linux node the pod is refused, or its image is not found.",
		Source: windowsGuide,
	},
	{
		ID: "MK302", Severity: Warning, Title: "Windows pods, or pods that may be for Windows, that nothing keeps off Linux nodes",
		Reason: "The scheduler looks at labels and taints alone: without a node selector, a node affinity or a RuntimeClass that tells Windows nodes only taints of all Linux nodes could keep the pods off them. A zone, an instance type or an architecture does not tell them. Pods may be for Windows if the name of an image mentions it and nothing else says what they are for.",
		Source: windowsGuide,
	},
	{
		ID: "MK303", Severity: Error, Title: "pods that fit no pool of the topology",
		Reason: "No node of the topology takes the pods: they stay Pending for ever.",
		Source: "https://kubernetes.io/docs/concepts/scheduling-eviction/kube-scheduler/",
	},
	{
		ID: "MK304", Severity: Error, Title: "Linux pods that can land on Windows nodes of the topology",
		Reason: "A Windows pool without a taint takes every pod that selects nothing. The Windows kubelet refuses it, or finds no image for Windows.",
		Source: windowsGuide,
	},
	{
		ID: "MK305", Severity: Error, Title: "an image that does not run on a pool where its pods can land",
		Reason: "The pods are led to Windows nodes of more than one release, or of another one than the image's. Where they differ, the container does not start.",
		Source: versionCompatibility,
	},
	{
		ID: "MK306", Severity: Error, Title: "a toleration that misses the taint of the only pools for the pods",
		Reason: "A toleration matches a taint only if key, value and effect do, and case matters. There is no Windows taint that all clusters share: os=windows and node.kubernetes.io/os=windows are both common.",
		Source: "https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/",
	},
	{
		ID: "MK307", Severity: Error, Title: "an operating system in the wrong case",
		Reason: "The values of the label are linux and windows, in lower case: nothing else matches a node.",
		Source: nodeLabels + "#kubernetes-io-os",
	},
	{
		ID: "MK308", Severity: Warning, Title: "a deprecated label of nodes",
		Reason: "The beta labels are deprecated since Kubernetes 1.14: use kubernetes.io/os and kubernetes.io/arch.",
		Source: nodeLabels + "#beta-kubernetes-io-os",
	},
	{
		ID: "MK309", Severity: Warning, Title: "a Windows build that is not known",
		Reason: "The label node.kubernetes.io/windows-build holds the build without its revision, 10.0.20348 for Windows Server 2022. A build that belongs to no release, or to one that Kubernetes no longer supports on nodes, most likely matches no node.",
		Source: nodeLabels + "#nodekubernetesiowindows-build",
	},
	{
		ID: "MK310", Severity: Error, Title: "a DaemonSet that leaves pods pending on Linux nodes of the topology",
		Reason: "The DaemonSet controller picks nodes before the RuntimeClass is applied: it makes a pod for every Linux node, which the scheduler then refuses, as the class' node selector has been merged into it by then.",
		Source: "https://github.com/kubernetes/kubernetes/issues/111590",
	},
	{
		ID: "MK311", Severity: Warning, Title: "a DaemonSet that relies on its RuntimeClass for placement",
		Reason: "The DaemonSet controller picks nodes before the RuntimeClass is applied: it makes a pod for every Linux node without a taint, which stays Pending for ever, and none for Windows nodes with a taint.",
		Source: "https://github.com/kubernetes/kubernetes/issues/111590",
	},
	{
		ID: "MK312", Severity: Error, Title: "a DaemonSet that does not tolerate the taint of its pools",
		Reason: "The DaemonSet controller makes no pod for a node whose taint the pods' template does not tolerate, whatever the RuntimeClass tolerates: there are no pods, and no error.",
		Source: "pkg/controller/daemon/daemon_controller.go of Kubernetes 1.36.3, NodeShouldRunDaemonPod; https://github.com/kubernetes/kubernetes/issues/111590",
	},
	{
		ID: "MK313", Severity: Warning, Title: "a toleration that misses the taint of a pool",
		Reason: "The toleration matches no taint of the topology, and one nearly. The pods fit other pools, but not this one.",
		Source: "https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/",
	},
	{
		ID: "MK314", Severity: Warning, Title: "pods that can land on Linux and on Windows nodes of the topology",
		Reason: "Nothing tells which operating system the pods are for, and nothing leads them to nodes of one of them. An image for one system does not start on the other, so they fail on some nodes, or after the next rescheduling.",
		Source: windowsGuide,
	},
	{
		ID: "MK315", Severity: Info, Title: "Windows pods that can land on nodes of several releases",
		Reason: "The name of the image does not tell its Windows release. An image that is published for each of them is right everywhere; one that is built for a single release starts on the nodes of that release only.",
		Source: versionCompatibility,
	},
}
