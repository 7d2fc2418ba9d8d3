package differential

import (
	"slices"
	"strings"
)

// aside lists the rules of the API server that generated pods break, and that preflight does not check because they are
// not about Windows, with the reasons. Each rule is one message, at paths with one suffix.
var aside = []struct{ path, detail, reason string }{
	{
		".ephemeralContainers", "cannot be set on create",
		"about how ephemeral containers are added, not about their fields; the rules about their fields are compared",
	},
	{
		".ephemeralContainers", "ephemeral containers not allowed in pod template",
		"the same for workloads",
	},
	{
		".hostNetwork", "when `hostUsers` is false",
		"user namespaces of Linux: on a Windows pod hostUsers itself is refused",
	},
	{".volumeDevices", "when `hostUsers` is false", "the same"},
	{".HostPID", "when `hostUsers` is false", "the same"},
	{".HostIPC", "when `hostUsers` is false", "the same"},
	{
		".securityContext.procMount", "`hostUsers` must be false to use `Unmasked`",
		"user namespaces of Linux: on a Windows pod procMount itself is refused",
	},
	{
		// Before 1.37 the path has a securityContext.
		".shareProcessNamespace", "ShareProcessNamespace and HostPID cannot both be enabled",
		"namespaces of Linux: on a Windows pod both fields are refused",
	},
	{
		".securityContext", "cannot set `allowPrivilegeEscalation` to false and `privileged` to true",
		"privileges of Linux: on a Windows pod both fields are refused",
	},
	{
		".name", "may not be specified when 'hostNetwork' is true",
		"sysctls belong to Linux: on a Windows pod they are refused",
	},
	{".name", "may not be specified when 'hostIPC' is true", "the same"},
}

// compared removes the verdicts of the rules in aside.
func compared(all []verdict) []verdict {
	return slices.DeleteFunc(all, func(v verdict) bool {
		for _, rule := range aside {
			if v.Detail == rule.detail && strings.HasSuffix(v.Path, rule.path) {
				return true
			}
		}
		return false
	})
}
