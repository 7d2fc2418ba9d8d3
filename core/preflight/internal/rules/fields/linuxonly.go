package fields

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/preflight/internal/sources"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// linuxOnlyRules are about the fields that the API server refuses if os.name is windows.
var linuxOnlyRules = []engine.Rule{
	hostUsersOnWindows, hostPIDOnWindows, hostIPCOnWindows, shareProcessNamespaceOnWindows, appArmorProfileOnWindows,
	seLinuxOptionsOnWindows, seLinuxChangePolicyOnWindows, seccompProfileOnWindows, fsGroupOnWindows,
	fsGroupChangePolicyOnWindows, sysctlsOnWindows, runAsUserOnWindows, runAsGroupOnWindows,
	supplementalGroupsOnWindows, supplementalGroupsPolicyOnWindows, capabilitiesOnWindows,
	readOnlyRootFilesystemOnWindows, privilegedOnWindows, allowPrivilegeEscalationOnWindows, procMountOnWindows,
}

// ignoredRules are about such fields in other places.
var ignoredRules = []engine.Rule{podResourcesOnWindows, linuxFieldIgnored}

const (
	seLinux = "SELinux is a Linux security module."
	groups  = "Windows has no numeric groups."
	fsGroup = "Windows volumes have access control lists instead of a group's ID."
)

var (
	hostUsersOnWindows = linuxOnly("MK110", "hostUsers",
		"User namespaces are a feature of the Linux kernel.")
	hostPIDOnWindows = linuxOnly("MK111", "hostPID",
		"Windows has no process namespaces to share with the node.")
	hostIPCOnWindows = linuxOnly("MK112", "hostIPC",
		"Windows has no IPC namespaces to share with the node.")
	shareProcessNamespaceOnWindows = linuxOnly("MK113", "shareProcessNamespace",
		"Windows containers cannot share a process namespace.")
	appArmorProfileOnWindows     = linuxOnly("MK114", "appArmorProfile", "AppArmor is a Linux security module.")
	seLinuxOptionsOnWindows      = linuxOnly("MK115", "seLinuxOptions", seLinux)
	seLinuxChangePolicyOnWindows = linuxOnly("MK116", "seLinuxChangePolicy", seLinux)
	seccompProfileOnWindows      = linuxOnly("MK117", "seccompProfile",
		"seccomp filters system calls of the Linux kernel.")
	fsGroupOnWindows             = linuxOnly("MK118", "fsGroup", fsGroup)
	fsGroupChangePolicyOnWindows = linuxOnly("MK119", "fsGroupChangePolicy", fsGroup)
	sysctlsOnWindows             = linuxOnly("MK120", "sysctls", "sysctls are parameters of the Linux kernel.")
	runAsUserOnWindows           = linuxOnly("MK121", "runAsUser",
		"Windows users have names, not numbers: windowsOptions.runAsUserName.")
	runAsGroupOnWindows               = linuxOnly("MK122", "runAsGroup", groups)
	supplementalGroupsOnWindows       = linuxOnly("MK123", "supplementalGroups", groups)
	supplementalGroupsPolicyOnWindows = linuxOnly("MK124", "supplementalGroupsPolicy", groups)
	capabilitiesOnWindows             = linuxOnly("MK125", "capabilities",
		"Capabilities are a feature of the Linux kernel.")
	readOnlyRootFilesystemOnWindows = linuxOnly("MK126", "readOnlyRootFilesystem",
		"Windows needs to write to its registry and system files, so a container's root file system cannot be "+
			"read-only.")
	privilegedOnWindows = linuxOnly("MK127", "privileged",
		"Windows has host-process containers instead: windowsOptions.hostProcess.")
	allowPrivilegeEscalationOnWindows = linuxOnly("MK128", "allowPrivilegeEscalation",
		"The field controls no_new_privs, a flag of Linux processes.")
	procMountOnWindows = linuxOnly("MK129", "procMount", "Windows has no /proc.")
)

// windowsPodsWithLinuxFields are Windows pods with fields that the API server refuses because of os.name.
var windowsPodsWithLinuxFields = &engine.Scope[*subject.Pods]{
	Within: subject.DeclaredWindowsPods, Name: "fields for Linux of pods with os.name windows",
	Has: func(p *subject.Pods) bool { return len(RefusedOnWindows(p.Pods)) > 0 },
}

// linuxOnly returns the rule for a field that exists only on Linux.
func linuxOnly(id, name, reason string) engine.Rule {
	i := slices.IndexFunc(linuxFields[:], func(f linuxField) bool { return f.name == name })
	f := &linuxFields[i]
	page := rulepages.Security
	if f.in == inSpec {
		page = rulepages.Pods
	}
	return engine.Rule{
		Rule: rule.Rule{
			ID: id, Severity: rule.Error, Title: name + " on a Windows pod", Page: page,
			Reason: reason + " The API server refuses the field on a pod with os.name windows" + f.refused.words + ".",
			Fix:    cmp.Or(f.fix, "remove it"),
			Source: sources.APIValidation + ", validateWindows",
		},
		Checks: []engine.Check{engine.On(windowsPodsWithLinuxFields, func(p *subject.Pods) []rule.Problem {
			var found []rule.Problem
			for v := range valuesOf(p.Pods, linuxFields[i:i+1]) {
				if f.refused.has(v.value) {
					found = append(found, rule.Problem{
						Path: v.path(p.Pods), Type: field.ErrorTypeForbidden,
						Detail: "cannot be set for a windows pod",
					})
				}
			}
			return found
		})},
	}
}

var podResourcesOnWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK130", Severity: rule.Error, Title: "pod-level resources on a Windows pod", Since: "1.34",
		Page: rulepages.Pods,
		Reason: "Pod-level limits use cgroups, which Windows does not have. On Windows, each container has its own " +
			"limits.",
		Fix:    "set the resources of each container",
		Source: sources.APIValidation + ", validatePodResources",
	},
	Checks: []engine.Check{engine.On(subject.DeclaredWindowsPods, func(p *subject.Pods) []rule.Problem {
		if !pods.IsSet(p.Spec, "resources") {
			return nil
		}
		return []rule.Problem{{
			Path: p.Path("resources"), Type: field.ErrorTypeForbidden, Detail: "may not be set for a windows pod",
		}}
	})},
}

var linuxFieldIgnored = engine.Rule{
	Rule: rule.Rule{
		ID: "MK507", Severity: rule.Warning, Title: "a field that has an effect on Linux only", Page: rulepages.Pods,
		Reason: "If os.name is not set, the API server accepts the field, and the node ignores it: the containers " +
			"run without what it requests. Fields that only remove what Windows containers do not have, such as " +
			"seccompProfile or dropped capabilities, are not reported: the restricted Pod Security Standard demands " +
			"them of pods without os.name.",
		Fix:    "remove it",
		Source: sources.WindowsFields,
	},
	Checks: []engine.Check{engine.On(windowsPodsWithoutOS, missed)},
}

// windowsPodsWithoutOS are those whose fields for Linux the API server does not refuse.
var windowsPodsWithoutOS = &engine.Scope[*subject.Pods]{
	Within: subject.WindowsPods, Name: "Windows pods without os",
	Has: func(p *subject.Pods) bool { return !pods.IsSet(p.Spec, "os") },
}

// missed finds what pods request of Linux and do not get.
func missed(p *subject.Pods) []rule.Problem {
	var found []rule.Problem
	report := func(path string, v any, fix string) {
		if tree.Map(v) != nil || tree.List(v) != nil {
			v = nil // maps and lists are not shown
		}
		found = append(found, rule.Problem{Path: path, Value: v, Detail: "has no effect on Windows", Fix: fix})
	}
	for v := range valuesOf(p.Pods, linuxFields[:]) {
		if v.missed != nil && v.missed(v.value) {
			report(v.path(p.Pods), v.value, v.fix)
		}
	}
	for i := range p.Containers {
		ctr := &p.Containers[i]
		if added := tree.Map(ctr.Security["capabilities"])["add"]; len(tree.List(added)) > 0 {
			report(p.In(ctr, "securityContext", "capabilities", "add"), added, "")
		}
	}
	return found
}
