package preflight

const (
	windowsIntro     = "https://kubernetes.io/docs/concepts/windows/intro/"
	windowsFields    = windowsIntro + "#compatibility-v1-pod-spec-containers"
	windowsPodFields = windowsIntro + "#compatibility-v1-pod"
	windowsStorage   = "https://kubernetes.io/docs/concepts/storage/windows-storage/"
	windowsResources = "https://kubernetes.io/docs/concepts/configuration/windows-resource-management/"
	hostProcessGuide = "https://kubernetes.io/docs/tasks/configure-pod-container/create-hostprocess-pod/"
)

// windowsRules are about what the API server accepts and Windows does not do.
var windowsRules = []Rule{
	{
		ID: "MK501", Severity: Error, Title: "huge pages on Windows",
		Reason: "Windows nodes offer none: a pod that requests them fits no node, and a volume of them cannot be mounted.",
		Source: windowsFields,
	},
	{
		ID: "MK502", Severity: Warning, Title: "an emptyDir in memory on Windows",
		Reason: "The kubelet on Windows makes an ordinary directory on the node's disk instead, without a word.",
		Source: "pkg/volume/emptydir/empty_dir_unsupported.go of Kubernetes 1.36.3; " + windowsStorage,
	},
	{
		ID: "MK503", Severity: Error, Title: "a block device on Windows",
		Reason: "The kubelet on Windows cannot map block devices into a pod.",
		Source: "pkg/volume/util/volumepathhandler/volume_path_handler_unsupported.go of Kubernetes 1.36.3; " + windowsStorage,
	},
	{
		ID: "MK504", Severity: Error, Title: "an NFS volume on Windows",
		Reason: "The kubelet on Windows mounts SMB shares only: the pod waits for its volume for ever.",
		Source: "k8s.io/mount-utils v0.36.3, mount_windows.go (only cifs mount is supported now)",
	},
	{
		ID: "MK505", Severity: Warning, Title: "the network of the node on Windows",
		Reason: "Windows gives the node's network to host-process containers only; other pods get one of their own all the same. The feature that was to change it, WindowsHostNetwork, never left alpha and was withdrawn.",
		Source: windowsPodFields,
	},
	{
		ID: "MK506", Severity: Warning, Title: "dnsPolicy ClusterFirstWithHostNet on Windows",
		Reason: "It is documented as not supported: it is there for pods with the node's network, which Windows does not give to ordinary pods, and host-process containers use the DNS of the node. The kubelet treats it as ClusterFirst.",
		Source: "pkg/kubelet/network/dns/dns.go of Kubernetes 1.36.3, getPodDNSType; https://kubernetes.io/docs/concepts/services-networking/dns-pod-service/#dns-windows",
	},
	{
		ID: "MK507", Severity: Warning, Title: "a field that has an effect on Linux only",
		Reason: "As long as os.name is not set the API server accepts the field, and the node ignores it: the containers run without what it asks for. Fields that only take away what Windows containers do not have, such as seccompProfile or dropped capabilities, are not reported: the restricted Pod Security Standard demands them of pods without os.name.",
		Source: windowsFields,
	},
	{
		ID: "MK509", Severity: Error, Title: "a named pipe or socket mounted into a host-process container",
		Reason: "Host-process containers see the node's own pipes and sockets, and cannot have them mounted.",
		Source: hostProcessGuide + "#limitations",
	},
	{
		ID: "MK510", Severity: Info, Title: "terminationGracePeriodSeconds on Windows",
		Reason: "It is honoured with containerd; with other runtimes Windows ends the processes after 5 seconds.",
		Source: windowsIntro + "#limitations",
	},
	{
		ID: "MK511", Severity: Warning, Title: "mountPropagation on Windows",
		Reason: "Windows has none: the kubelet mounts privately, without a word.",
		Source: "pkg/kubelet/kubelet_pods.go of Kubernetes 1.36.3, translateMountPropagation",
	},
	{
		ID: "MK512", Severity: Warning, Title: "a part of a volume mounted on Windows",
		Reason: "Kubernetes documents subPath as not supported on Windows; newer versions of containerd can do it.",
		Source: windowsStorage,
	},
	{
		ID: "MK513", Severity: Warning, Title: "modes of files on Windows",
		Reason: "Windows files have access control lists instead: the mode has no effect, and everybody in the container can read the file.",
		Source: windowsStorage,
	},
	{
		ID: "MK514", Severity: Info, Title: "a workload on Windows without a memory limit",
		Reason: "Windows has no out-of-memory killer: where memory runs out it pages to disk, which slows down all pods of the node, and the node can become unhealthy. So Kubernetes asks for memory limits. This rule looks at the containers of workloads that run until they are removed: Deployments, ReplicaSets, StatefulSets, DaemonSets and ReplicationControllers, not at Jobs, Pods and init containers. A limit without a request is the request too, so that the scheduler counts it; a LimitRange of the namespace may set both. Host-process containers are left out, too: what they take is reserved together with what the system takes, at least 2 GiB on each node.",
		Source: windowsResources + "#resource-reservation",
	},
	{
		ID: "MK521", Severity: Error, Title: "a control character in a path on Windows",
		Reason: "No path on Windows can have one. It comes from a backslash between double quotes, where \\e, \\f, \\t and others mean control characters in YAML, and in Go.",
		Source: "https://learn.microsoft.com/windows/win32/fileio/naming-a-file",
	},
	{
		ID: "MK515", Severity: Warning, Title: "a host-process container without a user",
		Reason: "The user decides what a host-process container may do on the node, and is documented as required; nobody enforces it.",
		Source: hostProcessGuide + "#choosing-a-user-account",
	},
	{
		ID: "MK516", Severity: Warning, Title: "a host-process container with runAsNonRoot",
		Reason: "The documentation allows only that it is not set or false. It is not enforced, and says nothing about the user on the node.",
		Source: hostProcessGuide,
	},
	{
		ID: "MK517", Severity: Warning, Title: "a gMSA credential spec for an init container only",
		Reason: "The gMSA webhook fills in the credential spec of the pod and of its containers, not of init containers.",
		Source: "https://github.com/kubernetes-sigs/windows-gmsa, admission-webhook/webhook.go",
	},
	{
		ID: "MK518", Severity: Warning, Title: "a fraction of a byte",
		Reason: "The suffix m means thousandths: 800m of memory is less than a byte. Nearly always Mi was meant.",
		Source: "pkg/api/pod/warnings.go of Kubernetes 1.36.3",
	},
	{
		ID: "MK519", Severity: Info, Title: "terminationMessagePath on Windows",
		Reason: "Windows cannot mount a single file with every runtime. The default works, because the path does not exist on Windows.",
		Source: windowsFields,
	},
	{
		ID: "MK520", Severity: Info, Title: "a Secret as a volume on Windows",
		Reason: "The kubelet on Windows writes it to the node's disk in clear text, as Windows has no file system in memory.",
		Source: "https://kubernetes.io/docs/concepts/security/windows-security/#protection-for-secret-data-on-nodes",
	},
}
