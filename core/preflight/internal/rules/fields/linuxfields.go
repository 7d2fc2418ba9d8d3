package fields

import (
	"iter"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// linuxField is a field that the API server refuses on a Windows pod, and that a Windows node ignores if os.name is not
// set.
type linuxField struct {
	name    string
	in      owner
	refused refusal
	// missed reports for which values a pod on Windows does not get what it requests; nil means never.
	missed func(any) bool
	// fix is how to fix it, if there is something better than to remove the field.
	fix string
}

// owner has the field: the spec of pods, their security context, the one of a container, or both security contexts.
type owner int

const (
	inSpec owner = 1 << iota
	inSecurity
	inContainer
	inBoth = inSecurity | inContainer
)

// refusal is the values that the API server refuses, and a description of them.
type refusal struct {
	has   func(any) bool
	words string
}

var (
	evenFalse   = refusal{always, " even if it is false"}
	ifTrue      = refusal{isTrue, " when it is true"}
	unlessEmpty = refusal{notEmpty, " unless it is empty"}
	anyValue    = refusal{always, ", whatever its value is"}
)

const nameUser = "remove it, and name a user in windowsOptions.runAsUserName if the image's default user is not the " +
	"right one"

// linuxFields are the fields of the spec first. A pod misses nothing if the field only removes something that a Windows
// container does not have, such as seccompProfile, or only controls how another field is applied, such as
// fsGroupChangePolicy. It misses capabilities only if they are added.
var linuxFields = [...]linuxField{
	{name: "hostUsers", in: inSpec, refused: evenFalse},
	{name: "hostPID", in: inSpec, refused: ifTrue, missed: isTrue},
	{name: "hostIPC", in: inSpec, refused: ifTrue, missed: isTrue},
	{name: "shareProcessNamespace", in: inSpec, refused: evenFalse, missed: isTrue},
	{name: "appArmorProfile", in: inBoth, refused: anyValue},
	{name: "seLinuxOptions", in: inBoth, refused: anyValue, missed: always},
	{name: "seLinuxChangePolicy", in: inSecurity, refused: anyValue},
	{name: "seccompProfile", in: inBoth, refused: anyValue},
	{name: "fsGroup", in: inSecurity, refused: anyValue, missed: always},
	{name: "fsGroupChangePolicy", in: inSecurity, refused: anyValue},
	{name: "sysctls", in: inSecurity, refused: unlessEmpty, missed: notEmpty},
	{name: "runAsUser", in: inBoth, refused: anyValue, missed: always, fix: nameUser},
	{name: "runAsGroup", in: inBoth, refused: anyValue, missed: always},
	{name: "supplementalGroups", in: inSecurity, refused: anyValue, missed: notEmpty},
	{name: "supplementalGroupsPolicy", in: inSecurity, refused: anyValue},
	{name: "capabilities", in: inContainer, refused: anyValue},
	{name: "readOnlyRootFilesystem", in: inContainer, refused: evenFalse, missed: isTrue},
	{
		name: "privileged", in: inContainer, refused: evenFalse, missed: isTrue,
		fix: "remove it; to access the node, use a host-process container, windowsOptions.hostProcess",
	},
	{name: "allowPrivilegeEscalation", in: inContainer, refused: evenFalse},
	{name: "procMount", in: inContainer, refused: anyValue, missed: isUnmasked},
}

func always(any) bool { return true }

func isTrue(v any) bool { on, _ := tree.Bool(v); return on }

func isUnmasked(v any) bool {
	mount, _ := tree.Text(v)
	return mount == string(corev1.UnmaskedProcMount)
}

// notEmpty treats an unknown list as one with elements.
func notEmpty(v any) bool { return tree.IsUnknown(v) || len(tree.List(v)) > 0 }

// linuxValue is the value of a field for Linux.
type linuxValue struct {
	*linuxField
	value any
	// ctr is the container whose security context has the field, nil for the pods.
	ctr *pods.Container
}

// ofPods returns the value of a field of pods, nil if it is not set.
func (f *linuxField) ofPods(p *pods.Pods) linuxValue {
	switch {
	case f.in&inSpec != 0:
		return linuxValue{f, p.Spec[f.name], nil}
	case f.in&inSecurity != 0:
		return linuxValue{f, p.Security[f.name], nil}
	}
	return linuxValue{linuxField: f}
}

// of returns the value of a field of a container, nil if it is not set.
func (f *linuxField) of(ctr *pods.Container) linuxValue {
	if f.in&inContainer != 0 {
		return linuxValue{f, ctr.Security[f.name], ctr}
	}
	return linuxValue{linuxField: f}
}

func (v linuxValue) path(p *pods.Pods) string {
	switch {
	case v.ctr != nil:
		return p.In(v.ctr, "securityContext", v.name)
	case v.in&inSpec != 0:
		return p.Path(v.name)
	}
	return p.Path("securityContext", v.name)
}

// valuesOf returns the values of fields for Linux that pods set: those of the pods, and then those of each container.
func valuesOf(p *pods.Pods, fields []linuxField) iter.Seq[linuxValue] {
	return func(yield func(linuxValue) bool) {
		for i := range fields {
			if v := fields[i].ofPods(p); v.value != nil && !yield(v) {
				return
			}
		}
		for i := range p.Containers {
			if hasOnlyWindowsOptions(&p.Containers[i]) {
				continue
			}
			for j := range fields {
				if v := fields[j].of(&p.Containers[i]); v.value != nil && !yield(v) {
					return
				}
			}
		}
	}
}

// hasOnlyWindowsOptions reports whether a container has nothing else in its security context, like most on Windows.
func hasOnlyWindowsOptions(ctr *pods.Container) bool {
	return len(ctr.Security) == 0 || len(ctr.Security) == 1 && ctr.Windows != nil
}

// refusedOnWindows returns the values that the API server refuses if os.name is windows.
func refusedOnWindows(p *pods.Pods) iter.Seq[linuxValue] {
	return func(yield func(linuxValue) bool) {
		for v := range valuesOf(p, linuxFields[:]) {
			if v.refused.has(v.value) && !yield(v) {
				return
			}
		}
	}
}

// RefusedOnWindows returns the names of the fields that the API server refuses if os.name is windows, sorted.
func RefusedOnWindows(p *pods.Pods) []string {
	var names []string
	for v := range refusedOnWindows(p) {
		names = append(names, v.name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
