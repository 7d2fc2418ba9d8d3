package preflight

// validation is where the API server refuses what the MK1xx rules speak of.
const validation = "pkg/apis/core/validation/validation.go of Kubernetes 1.36.3"

// apiRules are what the API server itself refuses, with its own messages.
var apiRules = []Rule{
	{
		ID: "MK101", Severity: Error, Title: "os has no name",
		Reason: "spec.os is there to say which operating system the pod is for; without a name it says nothing.",
		Source: validation + ", validateOS",
	},
	{
		ID: "MK102", Severity: Error, Title: "os.name is neither linux nor windows",
		Reason: "There are two operating systems, written in lower case.",
		Source: validation + ", validateOS",
	},
	{
		ID: "MK103", Severity: Error, Title: "windowsOptions on a Linux pod",
		Reason: "A pod that is for Linux has no use for Windows options.",
		Source: validation + ", validateLinux",
	},
	linuxOnly("MK110", "hostUsers", "User namespaces are a feature of the Linux kernel."),
	linuxOnly("MK111", "hostPID", "Windows has no process namespaces to share with the node."),
	linuxOnly("MK112", "hostIPC", "Windows has no IPC namespaces to share with the node."),
	linuxOnly("MK113", "shareProcessNamespace", "Windows containers cannot share a process namespace."),
	linuxOnly("MK114", "appArmorProfile", "AppArmor is a Linux security module."),
	linuxOnly("MK115", "seLinuxOptions", "SELinux is a Linux security module."),
	linuxOnly("MK116", "seLinuxChangePolicy", "SELinux is a Linux security module."),
	linuxOnly("MK117", "seccompProfile", "seccomp filters system calls of the Linux kernel."),
	linuxOnly("MK118", "fsGroup", "Windows volumes have access control lists instead of a group's ID."),
	linuxOnly("MK119", "fsGroupChangePolicy", "Windows volumes have access control lists instead of a group's ID."),
	linuxOnly("MK120", "sysctls", "sysctls are parameters of the Linux kernel."),
	linuxOnly("MK121", "runAsUser", "Windows users have names, not numbers: windowsOptions.runAsUserName."),
	linuxOnly("MK122", "runAsGroup", "Windows has no numeric groups."),
	linuxOnly("MK123", "supplementalGroups", "Windows has no numeric groups."),
	linuxOnly("MK124", "supplementalGroupsPolicy", "Windows has no numeric groups."),
	linuxOnly("MK125", "capabilities", "Capabilities are a feature of the Linux kernel."),
	linuxOnly("MK126", "readOnlyRootFilesystem", "Windows needs to write to its registry and system files, so a container's root file system cannot be read-only."),
	linuxOnly("MK127", "privileged", "Windows has host-process containers instead: windowsOptions.hostProcess."),
	linuxOnly("MK128", "allowPrivilegeEscalation", "It controls no_new_privs, a flag of Linux processes."),
	linuxOnly("MK129", "procMount", "Windows has no /proc."),
	{
		ID: "MK130", Severity: Error, Title: "resources of the whole pod on a Windows pod", Since: "1.34",
		Reason: "Limits of a whole pod are made with cgroups, which Windows does not have: each container has its own.",
		Source: validation + ", validatePodResources",
	},
	{
		ID: "MK131", Severity: Warning, Title: "a stop signal that Windows does not know",
		Reason: "Windows knows SIGTERM and SIGKILL only. The field is behind the feature gate ContainerStopSignals, off by default: the API server drops it then, and refuses it where the gate is on.",
		Source: validation + ", validateStopSignal",
	},
}

func linuxOnly(id, name, reason string) Rule {
	return Rule{
		ID: id, Severity: Error, Title: name + " on a Windows pod",
		Reason: reason + " The API server refuses the field on a pod with os.name windows, also when it is false.",
		Source: validation + ", validateWindows",
	}
}
