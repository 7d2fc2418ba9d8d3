package preflight

const (
	classAdmission       = "plugin/pkg/admission/runtimeclass/admission.go of Kubernetes 1.36.3"
	podSecurity          = "k8s.io/pod-security-admission v0.36.3, policy/"
	podSecurityStandards = "https://kubernetes.io/docs/concepts/security/pod-security-standards/"
)

// admissionRules are about pods that are refused when they are created, or by the
// kubelet, although their workload is accepted.
var admissionRules = []Rule{
	{
		ID: "MK401", Severity: Warning, Title: "a RuntimeClass that is not among the objects",
		Reason: "Pods that name a RuntimeClass which does not exist are refused when they are created. It may exist already, or be made elsewhere.",
		Source: classAdmission + ", prepareObjects",
	},
	{
		ID: "MK402", Severity: Error, Title: "a node selector that conflicts with that of the RuntimeClass",
		Reason: "The node selector of the class is merged into the pod's; where a key has two values the pod is refused when it is created. The workload is accepted, and gets no pods.",
		Source: classAdmission + ", setScheduling",
	},
	{
		ID: "MK403", Severity: Error, Title: "an overhead that is not that of the RuntimeClass",
		Reason: "The overhead comes from the RuntimeClass; a pod that says another one, or says one where the class has none or where it names no class, is refused when it is created.",
		Source: classAdmission + ", validateOverhead",
	},
	{
		ID: "MK406", Severity: Error, Title: "os.name against the RuntimeClass",
		Reason: "The RuntimeClass leads the pods to nodes of the other operating system, whose kubelet refuses them with the reason PodOSNotSupported.",
		Source: "pkg/kubelet/lifecycle/predicate.go of Kubernetes 1.36.3, rejectPodAdmissionBasedOnOSField",
	},
	{
		ID: "MK407", Severity: Error, Title: "runAsNonRoot with ContainerAdministrator",
		Reason: "ContainerAdministrator counts as root on Windows, in any case of its letters: the kubelet refuses to start the container.",
		Source: "pkg/kubelet/kuberuntime/security_context_windows.go of Kubernetes 1.36.3, verifyRunAsNonRoot",
	},
	{
		ID: "MK408", Severity: Warning, Title: "runAsNonRoot with an image that runs as ContainerAdministrator",
		Reason: "Microsoft's images with Server Core run as ContainerAdministrator unless told otherwise. The kubelet refuses the container where the image says so, and lets it run as an administrator where it does not.",
		Source: "pkg/kubelet/kuberuntime/security_context_windows.go of Kubernetes 1.36.3, verifyRunAsNonRoot",
	},
	{
		ID: "MK409", Severity: Error, Title: "Windows pods that the Pod Security Standard of their Namespace forbids",
		Reason: "The baseline standard, and with it the restricted one, forbids host-process containers and the network of the node. The restricted one demands runAsNonRoot of Windows pods as of all others; it spares them allowPrivilegeEscalation, capabilities and a seccompProfile, but only with os.name windows. Without it, both allow no other profile than RuntimeDefault and Localhost.",
		Source: podSecurity + "check_windowsHostProcess.go, check_hostNamespaces.go, check_seccompProfile_baseline.go, check_runAsNonRoot.go, check_allowPrivilegeEscalation.go, check_capabilities_restricted.go and check_seccompProfile_restricted.go; " + podSecurityStandards,
	},
}
