package fields

import (
	"slices"

	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// RefusedOnWindows returns the names of the fields that the API server refuses if os.name is windows, sorted. It is a
// copy that stays until the rules about these fields are values.
func RefusedOnWindows(p *pods.Pods) []string {
	var names []string
	set := func(m map[string]any, fields ...string) {
		for _, name := range fields {
			if m[name] != nil {
				names = append(names, name)
			}
		}
	}
	set(p.Spec, "hostUsers", "shareProcessNamespace")
	for _, name := range [...]string{"hostPID", "hostIPC"} {
		if on, _ := tree.Bool(p.Spec[name]); on {
			names = append(names, name)
		}
	}
	set(p.Security, "appArmorProfile", "seLinuxOptions", "seLinuxChangePolicy", "seccompProfile", "fsGroup",
		"fsGroupChangePolicy", "runAsUser", "runAsGroup", "supplementalGroups", "supplementalGroupsPolicy")
	if v := p.Security["sysctls"]; tree.IsUnknown(v) || len(tree.List(v)) > 0 {
		names = append(names, "sysctls")
	}
	for i := range p.Containers {
		set(p.Containers[i].Security, "appArmorProfile", "seLinuxOptions", "seccompProfile", "runAsUser", "runAsGroup",
			"capabilities", "readOnlyRootFilesystem", "privileged", "allowPrivilegeEscalation", "procMount")
	}
	slices.Sort(names)
	return slices.Compact(names)
}
