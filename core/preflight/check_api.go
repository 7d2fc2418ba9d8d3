package preflight

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// linuxField is a field that the API server refuses on a Windows pod, and that a Windows node ignores if os.name is not
// set.
type linuxField struct {
	rule rule.Rule
	name string
	// refused reports which values are refused; nil means all that are set.
	refused func(any) bool
	// missed reports for which values a pod on Windows does not get what it requests; nil means never.
	missed func(any) bool
	// fix is how to fix it, if there is something better than to remove the field.
	fix string
}

var (
	hostUsersOnWindows = linuxOnly("MK110", "hostUsers",
		"User namespaces are a feature of the Linux kernel.", alsoFalse)
	hostPIDOnWindows = linuxOnly("MK111", "hostPID",
		"Windows has no process namespaces to share with the node.", onlyTrue)
	hostIPCOnWindows = linuxOnly("MK112", "hostIPC",
		"Windows has no IPC namespaces to share with the node.", onlyTrue)
	shareProcessNamespaceOnWindows = linuxOnly("MK113", "shareProcessNamespace",
		"Windows containers cannot share a process namespace.", alsoFalse)
	appArmorProfileOnWindows = linuxOnly("MK114", "appArmorProfile", "AppArmor is a Linux security module.",
		anyValue)
	seLinuxOptionsOnWindows = linuxOnly("MK115", "seLinuxOptions", "SELinux is a Linux security module.",
		anyValue)
	seLinuxChangePolicyOnWindows = linuxOnly("MK116", "seLinuxChangePolicy", "SELinux is a Linux security module.",
		anyValue)
	seccompProfileOnWindows = linuxOnly("MK117", "seccompProfile",
		"seccomp filters system calls of the Linux kernel.", anyValue)
	fsGroupOnWindows = linuxOnly("MK118", "fsGroup",
		"Windows volumes have access control lists instead of a group's ID.", anyValue)
	fsGroupChangePolicyOnWindows = linuxOnly("MK119", "fsGroupChangePolicy",
		"Windows volumes have access control lists instead of a group's ID.", anyValue)
	sysctlsOnWindows = linuxOnly("MK120", "sysctls", "sysctls are parameters of the Linux kernel.",
		notEmptyList)
	runAsUserOnWindows = linuxOnly("MK121", "runAsUser",
		"Windows users have names, not numbers: windowsOptions.runAsUserName.", anyValue)
	runAsGroupOnWindows         = linuxOnly("MK122", "runAsGroup", "Windows has no numeric groups.", anyValue)
	supplementalGroupsOnWindows = linuxOnly("MK123", "supplementalGroups", "Windows has no numeric groups.",
		anyValue)
	supplementalGroupsPolicyOnWindows = linuxOnly("MK124", "supplementalGroupsPolicy", "Windows has no numeric groups.",
		anyValue)
	capabilitiesOnWindows = linuxOnly("MK125", "capabilities",
		"Capabilities are a feature of the Linux kernel.", anyValue)
	readOnlyRootFilesystemOnWindows = linuxOnly("MK126", "readOnlyRootFilesystem",
		"Windows needs to write to its registry and system files, so a container's root file system cannot be "+
			"read-only.", alsoFalse)
	privilegedOnWindows = linuxOnly("MK127", "privileged",
		"Windows has host-process containers instead: windowsOptions.hostProcess.", alsoFalse)
	allowPrivilegeEscalationOnWindows = linuxOnly("MK128", "allowPrivilegeEscalation",
		"The field controls no_new_privs, a flag of Linux processes.", alsoFalse)
	procMountOnWindows = linuxOnly("MK129", "procMount", "Windows has no /proc.", anyValue)
)

// A pod misses nothing if the field only removes something that a Windows container does not have, such as
// seccompProfile, or only controls how another field is applied, such as fsGroupChangePolicy.
var (
	linuxSpecFields = []linuxField{
		{rule: hostUsersOnWindows, name: "hostUsers"},
		{rule: hostPIDOnWindows, name: "hostPID", refused: isTrue, missed: isTrue},
		{rule: hostIPCOnWindows, name: "hostIPC", refused: isTrue, missed: isTrue},
		{rule: shareProcessNamespaceOnWindows, name: "shareProcessNamespace", missed: isTrue},
	}
	linuxSecurityFields = []linuxField{
		{rule: appArmorProfileOnWindows, name: "appArmorProfile"},
		{rule: seLinuxOptionsOnWindows, name: "seLinuxOptions", missed: always},
		{rule: seLinuxChangePolicyOnWindows, name: "seLinuxChangePolicy"},
		{rule: seccompProfileOnWindows, name: "seccompProfile"},
		{rule: fsGroupOnWindows, name: "fsGroup", missed: always},
		{rule: fsGroupChangePolicyOnWindows, name: "fsGroupChangePolicy"},
		{rule: sysctlsOnWindows, name: "sysctls", refused: notEmpty, missed: notEmpty},
		{rule: runAsUserOnWindows, name: "runAsUser", missed: always, fix: nameUser},
		{rule: runAsGroupOnWindows, name: "runAsGroup", missed: always},
		{rule: supplementalGroupsOnWindows, name: "supplementalGroups", missed: notEmpty},
		{rule: supplementalGroupsPolicyOnWindows, name: "supplementalGroupsPolicy"},
	}
	linuxContainerFields = []linuxField{
		{rule: appArmorProfileOnWindows, name: "appArmorProfile"},
		{rule: seLinuxOptionsOnWindows, name: "seLinuxOptions", missed: always},
		{rule: seccompProfileOnWindows, name: "seccompProfile"},
		{rule: runAsUserOnWindows, name: "runAsUser", missed: always, fix: nameUser},
		{rule: runAsGroupOnWindows, name: "runAsGroup", missed: always},
		{rule: capabilitiesOnWindows, name: "capabilities"}, // added capabilities are missed
		{rule: readOnlyRootFilesystemOnWindows, name: "readOnlyRootFilesystem", missed: isTrue},
		{
			rule: privilegedOnWindows, name: "privileged", missed: isTrue,
			fix: "remove it; to access the node, use a host-process container, windowsOptions.hostProcess",
		},
		{rule: allowPrivilegeEscalationOnWindows, name: "allowPrivilegeEscalation"},
		{rule: procMountOnWindows, name: "procMount", missed: isUnmasked},
	}
)

func always(any) bool { return true }

func isTrue(v any) bool { on, _ := tree.Bool(v); return on }

func isUnmasked(v any) bool {
	mount, _ := tree.Text(v)
	return mount == string(corev1.UnmaskedProcMount)
}

// notEmpty treats an unknown list as one with elements.
func notEmpty(v any) bool { return tree.IsUnknown(v) || len(tree.List(v)) > 0 }

// osFields reports the fields that the API server refuses for the operating system in spec.os.name, and problems with
// spec.os itself.
func (c *check) osFields(p *judged) {
	c.osName(p)
	switch p.target.Declared {
	case platform.LinuxOS:
		c.windowsOptionsOnLinux(p)
	case platform.WindowsOS:
		c.linuxFieldsOnWindows(p)
	}
}

// Refused reports whether the API server refuses fields of an object's pods because of their os.name.
func Refused(o *pods.Object) bool {
	run := check{Checker: New(Options{}), object: o.Tree}
	run.osFields(run.subject(o.Pods, nil))
	return slices.ContainsFunc(run.findings, func(f Finding) bool { return f.Type == field.ErrorTypeForbidden })
}

var (
	osWithoutName = rule.Rule{
		ID: "MK101", Severity: rule.Error, Title: "os has no name",
		Reason: "spec.os states which operating system the pod is for. Without a name it has no meaning.",
		Source: apiValidation + ", validateOS",
	}
	osNotSupported = rule.Rule{
		ID: "MK102", Severity: rule.Error, Title: "os.name is neither linux nor windows",
		Reason: "The valid values are linux and windows, in lower case.",
		Source: apiValidation + ", validateOS",
	}
	osNameMissing = rule.Rule{
		ID: "MK105", Severity: rule.Info, Title: "a Windows pod without os.name",
		Reason: "Kubernetes recommends setting os.name on Windows pods. The API server then refuses fields that have " +
			"no effect on Windows, admission checks the pod by the rules for Windows, and tools do not have to " +
			"guess. The scheduler ignores os.name.",
		Source: "https://kubernetes.io/docs/concepts/windows/user-guide/#ensuring-os-specific-workloads-land-on-the-appropriate-container-host",
	}
)

// osNameMissing judges by everything that mixedkube adopt judges by, and by nothing that is only the name of a
// RuntimeClass: it reports all pods that adopt gives the name windows.
func (c *check) osNameMissing(p *judged) {
	if pods.IsSet(p.Spec, "os") || !p.Has("os") {
		return
	}
	certain := c.context.Certain(p.Pods, &p.target)
	evidence := c.context.Evidence(p.Pods, &certain, p.target.Images, certain.Annotation(p.Pods).Claim)
	if evidence.OS() != platform.WindowsOS {
		return
	}
	var refused []string
	p.eachLinuxField(func(f *linuxField, v any, path func() string) {
		if f.refused == nil || f.refused(v) {
			refused = append(refused, strings.TrimPrefix(path(), p.Path()+"."))
		}
	})
	fix := "write windows"
	if len(refused) > 0 {
		fix = "write windows, and remove the fields for Linux (" + strings.Join(refused, ", ") + ")"
	}
	detail := "is not set, and these are Windows pods"
	if certain.OS() == "" && evidence.Claims[0].Source == pods.ByImages {
		detail += p.byTagAlone(p.Path("os", "name"))
	}
	c.report(osNameMissing, rule.Problem{Path: p.Path("os", "name"), Detail: detail, Fix: fix})
}

func (c *check) osName(p *judged) {
	os := tree.Map(p.Spec["os"])
	if os == nil || p.target.Declared != "" {
		return
	}
	name, known := tree.Text(os["name"])
	if os["name"] == nil || known && name == "" {
		c.report(osWithoutName,
			rule.Problem{
				Path: p.Path("os", "name"), Type: field.ErrorTypeRequired, Value: "",
				Fix: `write "windows" or "linux", or remove os`,
			})
		return
	}
	if !known {
		return
	}
	fix := `write "windows" or "linux"`
	_, secret := os["name"].(Secret)
	if near := strings.ToLower(strings.TrimSpace(name)); !secret && (near == "windows" || near == "linux") {
		fix = "write " + strconv.Quote(near)
	}
	unsupported := field.NotSupported(nil, name, []string{"linux", "windows"})
	c.report(osNotSupported,
		rule.Problem{
			Path: p.Path("os"), Type: unsupported.Type, Value: os["name"], Detail: unsupported.Detail,
			Fix: fix,
		})
}

var windowsOptionsOfLinuxPod = rule.Rule{
	ID: "MK103", Severity: rule.Error, Title: "windowsOptions on a Linux pod",
	Reason: "Windows options have no effect on a Linux pod.",
	Source: apiValidation + ", validateLinux",
}

func (c *check) windowsOptionsOnLinux(p *judged) {
	const detail = "windows options cannot be set for a linux pod"
	const fix = "remove it, or set os.name to windows"
	if pods.IsSet(p.Security, "windowsOptions") {
		c.report(windowsOptionsOfLinuxPod,
			rule.Problem{
				Path: p.Path("securityContext", "windowsOptions"), Type: field.ErrorTypeForbidden,
				Detail: detail, Fix: fix,
			})
	}
	for i := range p.Containers {
		if ctr := &p.Containers[i]; pods.IsSet(ctr.Security, "windowsOptions") {
			c.report(windowsOptionsOfLinuxPod,
				rule.Problem{
					Path: p.In(ctr, "securityContext", "windowsOptions"), Type: field.ErrorTypeForbidden,
					Detail: detail, Fix: fix,
				})
		}
	}
}

// eachLinuxField visits the fields that are set.
func (p *judged) eachLinuxField(visit func(f *linuxField, v any, path func() string)) {
	in := func(m map[string]any, fields []linuxField, path func(name string) string) {
		if len(m) == 0 {
			return
		}
		for i := range fields {
			f := &fields[i]
			if v := m[f.name]; v != nil {
				visit(f, v, func() string { return path(f.name) })
			}
		}
	}
	in(p.Spec, linuxSpecFields, func(name string) string { return p.Path(name) })
	in(p.Security, linuxSecurityFields, func(name string) string { return p.Path("securityContext", name) })
	for i := range p.Containers {
		ctr := &p.Containers[i]
		in(ctr.Security, linuxContainerFields, func(name string) string { return p.In(ctr, "securityContext", name) })
	}
}

var podResourcesOnWindows = rule.Rule{
	ID: "MK130", Severity: rule.Error, Title: "pod-level resources on a Windows pod", Since: "1.34",
	Reason: "Pod-level limits use cgroups, which Windows does not have. On Windows, each container has its own limits.",
	Source: apiValidation + ", validatePodResources",
}

func (c *check) linuxFieldsOnWindows(p *judged) {
	p.eachLinuxField(func(f *linuxField, v any, path func() string) {
		if f.refused == nil || f.refused(v) {
			c.report(f.rule, rule.Problem{
				Path: path(), Type: field.ErrorTypeForbidden, Detail: "cannot be set for a windows pod",
				Fix: cmp.Or(f.fix, "remove it"),
			})
		}
	})
	for i := range p.Containers {
		c.stopSignal(p, &p.Containers[i])
	}
	if pods.IsSet(p.Spec, "resources") {
		c.report(podResourcesOnWindows, rule.Problem{
			Path: p.Path("resources"), Type: field.ErrorTypeForbidden, Detail: "may not be set for a windows pod",
			Fix: "set the resources of each container",
		})
	}
}

var stopSignalUnknown = rule.Rule{
	ID: "MK131", Severity: rule.Warning, Title: "a stop signal that Windows does not support",
	Reason: "Windows supports only SIGTERM and SIGKILL. The field needs the feature gate ContainerStopSignals, which " +
		"is off by default: the API server then drops the field, and refuses it if the gate is on.",
	Source: apiValidation + ", validateStopSignal",
}

func (c *check) stopSignal(p *judged, ctr *pods.Container) {
	v := tree.Map(ctr.Spec["lifecycle"])["stopSignal"]
	signal, ok := tree.Text(v)
	if !ok || signal == string(corev1.SIGKILL) || signal == string(corev1.SIGTERM) {
		return
	}
	c.report(stopSignalUnknown, rule.Problem{
		Path: p.In(ctr, "lifecycle", "stopSignal"), Value: v,
		Detail: "Windows supports only SIGKILL and SIGTERM", Fix: "use one of these, or remove it",
	})
}

// The values for which the API server refuses a field that exists only on Linux.
const (
	alsoFalse    = " even if it is false"
	onlyTrue     = " when it is true"
	notEmptyList = " unless it is empty"
	anyValue     = ", whatever its value is"
)

// linuxOnly returns the rule for a field that exists only on Linux.
func linuxOnly(id, name, reason, refused string) rule.Rule {
	return rule.Rule{
		ID: id, Severity: rule.Error, Title: name + " on a Windows pod",
		Reason: reason + " The API server refuses the field on a pod with os.name windows" + refused + ".",
		Source: apiValidation + ", validateWindows",
	}
}
