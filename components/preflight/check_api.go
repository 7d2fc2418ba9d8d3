package preflight

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// linuxField is a field that the API server refuses on a Windows pod, and that a
// Windows node ignores where os.name is not set.
type linuxField struct {
	id, name string
	// refused says for which values; nil for all that are set.
	refused func(any) bool
	// missed says for which values a pod on Windows misses what it asks for; nil for
	// none.
	missed func(any) bool
	// fix is what to do, where there is something better than to remove it.
	fix string
}

// A pod misses nothing by a field that only takes away what a Windows container does
// not have, such as seccompProfile, or that only says how another field is meant, such
// as fsGroupChangePolicy.
var (
	linuxSpecFields = []linuxField{
		{id: "MK110", name: "hostUsers"},
		{id: "MK111", name: "hostPID", refused: isTrue, missed: isTrue},
		{id: "MK112", name: "hostIPC", refused: isTrue, missed: isTrue},
		{id: "MK113", name: "shareProcessNamespace", missed: isTrue},
	}
	linuxSecurityFields = []linuxField{
		{id: "MK114", name: "appArmorProfile"},
		{id: "MK115", name: "seLinuxOptions", missed: always},
		{id: "MK116", name: "seLinuxChangePolicy"},
		{id: "MK117", name: "seccompProfile"},
		{id: "MK118", name: "fsGroup", missed: always},
		{id: "MK119", name: "fsGroupChangePolicy"},
		{id: "MK120", name: "sysctls", refused: notEmpty, missed: notEmpty},
		{id: "MK121", name: "runAsUser", missed: always, fix: nameUser},
		{id: "MK122", name: "runAsGroup", missed: always},
		{id: "MK123", name: "supplementalGroups", missed: notEmpty},
		{id: "MK124", name: "supplementalGroupsPolicy"},
	}
	linuxContainerFields = []linuxField{
		{id: "MK114", name: "appArmorProfile"},
		{id: "MK115", name: "seLinuxOptions", missed: always},
		{id: "MK117", name: "seccompProfile"},
		{id: "MK121", name: "runAsUser", missed: always, fix: nameUser},
		{id: "MK122", name: "runAsGroup", missed: always},
		{id: "MK125", name: "capabilities"}, // what is added is missed
		{id: "MK126", name: "readOnlyRootFilesystem", missed: isTrue},
		{id: "MK127", name: "privileged", missed: isTrue, fix: "remove it; what needs the node itself is a host-process container, windowsOptions.hostProcess"},
		{id: "MK128", name: "allowPrivilegeEscalation"},
		{id: "MK129", name: "procMount", missed: isUnmasked},
	}
)

func always(any) bool { return true }

func isTrue(v any) bool { on, _ := tree.Bool(v); return on }

func isUnmasked(v any) bool {
	mount, _ := tree.Text(v)
	return mount == string(corev1.UnmaskedProcMount)
}

// notEmpty counts a list that is not known yet as one with elements.
func notEmpty(v any) bool { return tree.IsUnknown(v) || len(tree.List(v)) > 0 }

// osFields is what the API server refuses for the operating system that
// spec.os.name says, and about spec.os itself.
func (c *check) osFields(p *pods) {
	c.osName(p)
	switch p.target.declared {
	case platform.LinuxOS:
		c.windowsOptionsOnLinux(p)
	case platform.WindowsOS:
		c.linuxFieldsOnWindows(p)
	}
}

// Refused says whether the API server refuses fields of an object's pods because of their
// operating system.
func Refused(object map[string]any) bool {
	return slices.ContainsFunc(Check(object, Options{}), func(f Finding) bool { return f.Type == field.ErrorTypeForbidden })
}

// servedVersions are the API versions of the kinds that the rules know, by their groups,
// the newest first.
var servedVersions = map[string][]string{
	"": {"v1"}, "apps": {"apps/v1"}, "autoscaling": {"autoscaling/v2", "autoscaling/v1"}, "batch": {"batch/v1"}, "node.k8s.io": {"node.k8s.io/v1"},
}

// apiVersion checks the version of an object of a known kind.
func (c *check) apiVersion(kind string) {
	served := servedVersions[groups[kind]]
	if version, ok := tree.Text(c.object["apiVersion"]); ok && !slices.Contains(served, version) {
		c.report("MK104", problem{path: "apiVersion", value: c.object["apiVersion"], detail: "is not a version that the API server serves for a " + kind, fix: "write " + served[0]})
	}
}

func (c *check) osName(p *pods) {
	if !isSet(p.spec, "os") && p.target.os() == platform.WindowsOS && !p.target.guessed {
		fix := "write windows"
		p.eachLinuxField(func(f *linuxField, v any, _ func() string) {
			if f.refused == nil || f.refused(v) {
				fix = "remove the fields for Linux, which the API server refuses then, and write windows"
			}
		})
		c.report("MK105", problem{path: p.path("os", "name"), detail: "is not set, and these are Windows pods", fix: fix})
	}
	os := tree.Map(p.spec["os"])
	if os == nil || p.target.declared != "" {
		return
	}
	name, known := tree.Text(os["name"])
	if os["name"] == nil || known && name == "" {
		c.report("MK101", problem{path: p.path("os", "name"), typ: field.ErrorTypeRequired, value: "", fix: `write "windows" or "linux", or remove os`})
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
	c.report("MK102", problem{path: p.path("os"), typ: unsupported.Type, value: os["name"], detail: unsupported.Detail, fix: fix})
}

func (c *check) windowsOptionsOnLinux(p *pods) {
	const detail = "windows options cannot be set for a linux pod"
	const fix = "remove it, or set os.name to windows"
	if isSet(p.security, "windowsOptions") {
		c.report("MK103", problem{path: p.path("securityContext", "windowsOptions"), typ: field.ErrorTypeForbidden, detail: detail, fix: fix})
	}
	for i := range p.containers {
		if ctr := &p.containers[i]; isSet(ctr.security, "windowsOptions") {
			c.report("MK103", problem{path: p.in(ctr, "securityContext", "windowsOptions"), typ: field.ErrorTypeForbidden, detail: detail, fix: fix})
		}
	}
}

// eachLinuxField visits the fields that are set.
func (p *pods) eachLinuxField(visit func(f *linuxField, v any, path func() string)) {
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
	in(p.spec, linuxSpecFields, func(name string) string { return p.path(name) })
	in(p.security, linuxSecurityFields, func(name string) string { return p.path("securityContext", name) })
	for i := range p.containers {
		ctr := &p.containers[i]
		in(ctr.security, linuxContainerFields, func(name string) string { return p.in(ctr, "securityContext", name) })
	}
}

func (c *check) linuxFieldsOnWindows(p *pods) {
	p.eachLinuxField(func(f *linuxField, v any, path func() string) {
		if f.refused == nil || f.refused(v) {
			c.report(f.id, problem{
				path: path(), typ: field.ErrorTypeForbidden, detail: "cannot be set for a windows pod", fix: cmp.Or(f.fix, "remove it"),
			})
		}
	})
	for i := range p.containers {
		c.stopSignal(p, &p.containers[i])
	}
	if isSet(p.spec, "resources") {
		c.report("MK130", problem{
			path: p.path("resources"), typ: field.ErrorTypeForbidden, detail: "may not be set for a windows pod", fix: "set the resources of each container",
		})
	}
}

func (c *check) stopSignal(p *pods, ctr *container) {
	v := tree.Map(ctr.spec["lifecycle"])["stopSignal"]
	signal, ok := tree.Text(v)
	if !ok || signal == string(corev1.SIGKILL) || signal == string(corev1.SIGTERM) {
		return
	}
	c.report("MK131", problem{
		path: p.in(ctr, "lifecycle", "stopSignal"), value: v,
		detail: "Windows knows SIGKILL and SIGTERM only", fix: "use one of these, or remove it",
	})
}
