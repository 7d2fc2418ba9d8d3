package preflight

import "slices"

// apiValidation is where the API server refuses what the MK1xx rules speak of.
const apiValidation = "pkg/apis/core/validation/validation.go of Kubernetes 1.36.3"

// apiRules are what the API server itself refuses, with its own messages.
var apiRules = slices.Concat(osRules, windowsOptionsRules)

// osRules are about spec.os, and about what it decides on.
var osRules = []Rule{
	{
		ID: "MK101", Severity: Error, Title: "os has no name",
		Reason: "spec.os is there to say which operating system the pod is for; without a name it says nothing.",
		Source: apiValidation + ", validateOS",
	},
	{
		ID: "MK102", Severity: Error, Title: "os.name is neither linux nor windows",
		Reason: "There are two operating systems, written in lower case.",
		Source: apiValidation + ", validateOS",
	},
	{
		ID: "MK103", Severity: Error, Title: "windowsOptions on a Linux pod",
		Reason: "A pod that is for Linux has no use for Windows options.",
		Source: apiValidation + ", validateLinux",
	},
	{
		ID: "MK104", Severity: Error, Title: "an API version that is not served",
		Reason: "The API server refuses an object in a version that it does not serve. The beta versions of RuntimeClass and CronJob are gone since Kubernetes 1.25, those of the workloads since 1.16.",
		Source: "https://kubernetes.io/docs/reference/using-api/deprecation-guide/",
	},
	{
		ID: "MK105", Severity: Info, Title: "a Windows pod without os.name",
		Reason: "Kubernetes asks for it: with os.name the API server refuses fields that Windows does not have, admission checks the pod by the rules for Windows, and tools need not guess. The scheduler does not look at it.",
		Source: "https://kubernetes.io/docs/concepts/windows/user-guide/#ensuring-os-specific-workloads-land-on-the-appropriate-container-host",
	},
	linuxOnly("MK110", "hostUsers", "User namespaces are a feature of the Linux kernel.", alsoFalse),
	linuxOnly("MK111", "hostPID", "Windows has no process namespaces to share with the node.", onlyTrue),
	linuxOnly("MK112", "hostIPC", "Windows has no IPC namespaces to share with the node.", onlyTrue),
	linuxOnly("MK113", "shareProcessNamespace", "Windows containers cannot share a process namespace.", alsoFalse),
	linuxOnly("MK114", "appArmorProfile", "AppArmor is a Linux security module.", anyValue),
	linuxOnly("MK115", "seLinuxOptions", "SELinux is a Linux security module.", anyValue),
	linuxOnly("MK116", "seLinuxChangePolicy", "SELinux is a Linux security module.", anyValue),
	linuxOnly("MK117", "seccompProfile", "seccomp filters system calls of the Linux kernel.", anyValue),
	linuxOnly("MK118", "fsGroup", "Windows volumes have access control lists instead of a group's ID.", anyValue),
	linuxOnly("MK119", "fsGroupChangePolicy", "Windows volumes have access control lists instead of a group's ID.", anyValue),
	linuxOnly("MK120", "sysctls", "sysctls are parameters of the Linux kernel.", notEmptyList),
	linuxOnly("MK121", "runAsUser", "Windows users have names, not numbers: windowsOptions.runAsUserName.", anyValue),
	linuxOnly("MK122", "runAsGroup", "Windows has no numeric groups.", anyValue),
	linuxOnly("MK123", "supplementalGroups", "Windows has no numeric groups.", anyValue),
	linuxOnly("MK124", "supplementalGroupsPolicy", "Windows has no numeric groups.", anyValue),
	linuxOnly("MK125", "capabilities", "Capabilities are a feature of the Linux kernel.", anyValue),
	linuxOnly("MK126", "readOnlyRootFilesystem", "Windows needs to write to its registry and system files, so a container's root file system cannot be read-only.", alsoFalse),
	linuxOnly("MK127", "privileged", "Windows has host-process containers instead: windowsOptions.hostProcess.", alsoFalse),
	linuxOnly("MK128", "allowPrivilegeEscalation", "It controls no_new_privs, a flag of Linux processes.", alsoFalse),
	linuxOnly("MK129", "procMount", "Windows has no /proc.", anyValue),
	{
		ID: "MK130", Severity: Error, Title: "resources of the whole pod on a Windows pod", Since: "1.34",
		Reason: "Limits of a whole pod are made with cgroups, which Windows does not have: each container has its own.",
		Source: apiValidation + ", validatePodResources",
	},
	{
		ID: "MK131", Severity: Warning, Title: "a stop signal that Windows does not know",
		Reason: "Windows knows SIGTERM and SIGKILL only. The field is behind the feature gate ContainerStopSignals, off by default: the API server drops it then, and refuses it where the gate is on.",
		Source: apiValidation + ", validateStopSignal",
	},
}

// windowsOptionsRules are about the values in windowsOptions and about
// host-process containers: the API server applies them whatever the operating
// system is.
var windowsOptionsRules = []Rule{
	{
		ID: "MK140", Severity: Error, Title: "gmsaCredentialSpecName is not a valid name",
		Reason: "It names a GMSACredentialSpec, and names of objects are lower-case DNS names.",
		Source: apiValidation + windowsOptionsIn,
	},
	{
		ID: "MK141", Severity: Error, Title: "gmsaCredentialSpec is empty",
		Reason: "The field holds a whole credential specification. It is filled in by the webhook for Group Managed Service Accounts when only gmsaCredentialSpecName is written.",
		Source: apiValidation + windowsOptionsIn,
	},
	{
		ID: "MK142", Severity: Error, Title: "gmsaCredentialSpec is too long",
		Reason: "A credential specification has a few hundred bytes; more than 64 KiB are refused.",
		Source: apiValidation + windowsOptionsIn,
	},
	{
		ID: "MK143", Severity: Error, Title: "runAsUserName is empty",
		Reason: "Without the field the container runs as the user of its image; an empty name means nobody.",
		Source: apiValidation + windowsOptionsIn,
	},
	{
		ID: "MK144", Severity: Error, Title: "control characters in runAsUserName",
		Reason: "Windows allows none in names. They come from double quotes in YAML, where `\\n` and `\\t` are escapes: \"CONTOSO\\nina\".",
		Source: apiValidation + windowsOptionsIn,
	},
	{
		ID: "MK145", Severity: Error, Title: "several backslashes in runAsUserName",
		Reason: "One backslash divides the domain from the user. Two come from escaping where nothing is escaped: YAML takes a backslash literally, except in double quotes.",
		Source: apiValidation + windowsOptionsIn,
	},
	{
		ID: "MK146", Severity: Error, Title: "the domain in runAsUserName is too long",
		Reason: "The DNS name of a domain has less than 256 bytes.",
		Source: apiValidation + windowsOptionsIn,
	},
	{
		ID: "MK147", Severity: Error, Title: "the domain in runAsUserName is neither a NetBIOS nor a DNS name",
		Reason: "A NetBIOS name has 1 to 15 characters, none of ``\\ / : * ? \" < > |``, and does not begin with a period; a DNS name has labels of letters, digits and hyphens. Windows' own shorthand `.\\user` is refused.",
		Source: apiValidation + windowsOptionsIn,
	},
	{
		ID: "MK148", Severity: Error, Title: "no user after the domain in runAsUserName",
		Reason: "A domain alone is not a user.",
		Source: apiValidation + windowsOptionsIn,
	},
	{
		ID: "MK149", Severity: Error, Title: "the user in runAsUserName is too long",
		Reason: "Windows allows 104 bytes.",
		Source: apiValidation + windowsOptionsIn,
	},
	{
		ID: "MK150", Severity: Error, Title: "the user in runAsUserName has periods and spaces only",
		Reason: "Windows has no such users.",
		Source: apiValidation + windowsOptionsIn,
	},
	{
		ID: "MK151", Severity: Error, Title: "characters in runAsUserName that no user has",
		Reason: "Windows allows none of ``\" / \\ : ; | = , + * ? < > @ [ ]`` in names of users. The form user@domain is not understood here.",
		Source: apiValidation + windowsOptionsIn,
	},
	{
		ID: "MK160", Severity: Error, Title: "hostProcess differs between pod and container",
		Reason: "A pod is a host-process one as a whole, so the two must not contradict each other.",
		Source: apiValidation + hostProcessIn,
	},
	{
		ID: "MK161", Severity: Error, Title: "only some containers are host-process ones",
		Reason: "Host-process containers live in the node's own namespaces, so a pod cannot mix them with others. Init and ephemeral containers count.",
		Source: apiValidation + hostProcessIn,
	},
	{
		ID: "MK162", Severity: Error, Title: "a host-process pod without the node's network",
		Reason: "Host-process containers use the network of the node; hostNetwork must say so.",
		Source: apiValidation + hostProcessIn,
	},
	{
		ID: "MK163", Severity: Error, Title: "hostPort differs from containerPort in the node's network",
		Reason: "With hostNetwork a port of a container is a port of the node. Without hostPort, or with 0, the API server fills it in.",
		Source: apiValidation + ", validatePodHostNetworkDeps",
	},
}

const (
	windowsOptionsIn = ", validateWindowsSecurityContextOptions"
	hostProcessIn    = ", validateWindowsHostProcessPod"
)

// For which values the API server refuses a field that only Linux has.
const (
	alsoFalse    = ", also when it is false"
	onlyTrue     = " when it is true"
	notEmptyList = " unless it is empty"
	anyValue     = ", whatever its value is"
)

func linuxOnly(id, name, reason, refused string) Rule {
	return Rule{
		ID: id, Severity: Error, Title: name + " on a Windows pod",
		Reason: reason + " The API server refuses the field on a pod with os.name windows" + refused + ".",
		Source: apiValidation + ", validateWindows",
	}
}
