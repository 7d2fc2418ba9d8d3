package differential

import (
	"regexp"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// rule is a verdict that an API server can return. Its path is the path in a Pod, without indices.
type rule = verdict

// allRules returns the rules: each message at each path where the API server can report it.
func allRules() map[rule]bool {
	all := map[rule]bool{}
	add := func(typ field.ErrorType, detail string, paths ...string) {
		for _, path := range paths {
			all[rule{path, typ, detail}] = true
		}
	}
	lists := []string{"spec.containers[*]", "spec.initContainers[*]", "spec.ephemeralContainers[*]"}
	in := func(places []string, keys ...string) []string {
		var paths []string
		for _, place := range places {
			for _, key := range keys {
				paths = append(paths, place+"."+key)
			}
		}
		return paths
	}
	contexts := in(append([]string{"spec"}, lists...), "securityContext")
	pod, containers := contexts[:1], contexts[1:]

	const forWindows = "cannot be set for a windows pod"
	add(field.ErrorTypeForbidden, forWindows,
		in([]string{"spec"}, "hostUsers", "hostPID", "hostIPC", "shareProcessNamespace")...)
	add(field.ErrorTypeForbidden, forWindows,
		in(pod, "appArmorProfile", "seLinuxOptions", "seccompProfile", "fsGroup", "fsGroupChangePolicy",
			"sysctls", "runAsUser", "runAsGroup", "supplementalGroups", "supplementalGroupsPolicy",
			"seLinuxChangePolicy")...)
	add(field.ErrorTypeForbidden, forWindows,
		in(containers, "appArmorProfile", "seLinuxOptions", "seccompProfile", "capabilities",
			"readOnlyRootFilesystem", "privileged", "allowPrivilegeEscalation", "procMount", "runAsUser",
			"runAsGroup")...)
	add(field.ErrorTypeForbidden, "may not be set for a windows pod", "spec.resources")
	add(field.ErrorTypeForbidden, "windows options cannot be set for a linux pod", in(contexts, "windowsOptions")...)
	add(field.ErrorTypeRequired, "", "spec.os.name", "spec.containers")
	add(field.ErrorTypeNotSupported, `supported values: "linux", "windows"`, "spec.os")

	options := in(contexts, "windowsOptions")
	for _, detail := range []string{"must be no more than 253 characters", notSubdomain} {
		add(field.ErrorTypeInvalid, detail, in(options, "gmsaCredentialSpecName")...)
	}
	for _, detail := range []string{emptySpec, largeSpec} {
		add(field.ErrorTypeInvalid, detail, in(options, "gmsaCredentialSpec")...)
	}
	for _, detail := range []string{noName, control, backslash, domain, format, noUser, longUser, onlyDots, forbidden} {
		add(field.ErrorTypeInvalid, detail, in(options, "runAsUserName")...)
	}

	for _, value := range []string{"true", "false"} {
		add(field.ErrorTypeInvalid, "pod hostProcess value must be identical if both are specified, was "+value,
			in(containers, "windowsOptions.hostProcess")...)
	}
	add(field.ErrorTypeInvalid,
		"If pod contains any hostProcess containers then all containers must be HostProcess containers", "spec")
	add(field.ErrorTypeInvalid, "hostNetwork must be true if pod contains any hostProcess containers",
		"spec.hostNetwork")
	add(field.ErrorTypeInvalid, "must match `containerPort` when `hostNetwork` is true",
		"spec.containers[*].ports[*].hostPort")

	add(field.ErrorTypeNotFound, "", in(lists, "volumeMounts[*].name", "volumeDevices[*].name")...)
	add(field.ErrorTypeDuplicate, "", in(append([]string{"spec.volumes[*]"}, lists...), "name")...)
	add(field.ErrorTypeInvalid, "`selector` does not match template `labels`", "metadata.labels")
	add(field.ErrorTypeInvalid, "`selector` not auto-generated", "spec.selector")
	add(field.ErrorTypeInvalid, "`selector` will be auto-generated", "spec.jobTemplate.spec.selector")
	add(field.ErrorTypeNotSupported, `supported values: "nil", "false"`, "spec.jobTemplate.spec.manualSelector")
	return all
}

var (
	index    = regexp.MustCompile(`\[\d+\]`)
	template = regexp.MustCompile(`^(spec\.(jobTemplate\.spec\.)?)?template\.`)
)

// ruleOf returns the rule of a verdict.
func ruleOf(v verdict) rule {
	// Skip the regular expressions for most paths, in which there is nothing to replace.
	if strings.Contains(v.Path, "[") {
		v.Path = index.ReplaceAllLiteralString(v.Path, "[*]")
	}
	if strings.Contains(v.Path, "template.") {
		v.Path = template.ReplaceAllLiteralString(v.Path, "")
	}
	return v
}

func TestARuleIsTheSameInEveryKindOfObject(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"spec.hostPID":               "spec.hostPID",
		"spec.template.spec.hostPID": "spec.hostPID",
		"template.spec.hostPID":      "spec.hostPID",
		"spec.jobTemplate.spec.template.spec.containers[12].ports[0].hostPort": "spec.containers[*].ports[*].hostPort",
	} {
		if got := ruleOf(verdict{Path: path}).Path; got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}
