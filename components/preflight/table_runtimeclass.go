package preflight

// nodeValidation is where the API server checks a RuntimeClass.
const nodeValidation = "pkg/apis/node/validation/validation.go of Kubernetes 1.36.3"

// runtimeClassRules are about a RuntimeClass itself.
var runtimeClassRules = []Rule{
	{
		ID: "MK404", Severity: Error, Title: "the handler of a RuntimeClass is missing or malformed",
		Reason: "The handler is the name of a runtime in the configuration of the nodes' containerd: runhcs-wcow-process for Windows. It must be a DNS label, and it never changes: the API server refuses an update of it, so a class with another handler is a new class.",
		Source: nodeValidation + ", ValidateRuntimeClass",
	},
	{
		ID: "MK405", Severity: Warning, Title: "a RuntimeClass for Hyper-V isolation",
		Reason: "The handler runhcs-wcow-hypervisor starts each pod in a virtual machine of its own. Kubernetes documents Hyper-V isolation as unsupported; containerd 1.7 and later has it, on nodes that can run virtual machines.",
		Source: "https://kubernetes.io/docs/concepts/windows/intro/, https://github.com/microsoft/hcsshim",
	},
	{
		ID: "MK414", Severity: Warning, Title: "a handler that containerd does not have",
		Reason: "The handler docker was that of dockershim, which Kubernetes 1.24 removed; only cri-dockerd still has it. Others are placeholders of documentation, or the names that runtimes of the other operating system have (runc, crun, kata, runsc on Linux, runhcs-wcow-process on Windows). A pod of the class stays in ContainerCreating: its node has no runtime of that name.",
		Source: "https://kubernetes.io/docs/concepts/containers/runtime-class/#cri-configuration; https://github.com/Mirantis/cri-dockerd",
	},
	{
		ID: "MK410", Severity: Error, Title: "a malformed label in the node selector of a RuntimeClass",
		Reason: "The node selector is merged into that of each pod of the class, so it consists of labels as nodes can have them.",
		Source: nodeValidation + ", validateScheduling",
	},
	{
		ID: "MK411", Severity: Error, Title: "a malformed or repeated toleration in a RuntimeClass",
		Reason: "The tolerations are merged into those of each pod of the class. Unlike a pod, a class must not hold one twice, and cannot compare numbers with Lt and Gt.",
		Source: nodeValidation + ", validateTolerations",
	},
	{
		ID: "MK412", Severity: Error, Title: "the overhead of a RuntimeClass names something that is not a resource of containers",
		Reason: "The overhead is added to what the containers ask for: cpu, memory, ephemeral-storage, huge pages, or an extended resource with the domain before its name.",
		Source: nodeValidation + ", validateOverhead",
	},
	{
		ID: "MK413", Severity: Error, Title: "the overhead of a RuntimeClass is an impossible amount",
		Reason: "An amount is not negative, and extended resources are counted in whole numbers.",
		Source: nodeValidation + ", validateOverhead",
	},
}
