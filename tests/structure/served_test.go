package structure

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/preflight"
)

// TestVersionsAreServedByDefault compares the versions about which preflight warns (MK169) with those that the API
// server of each release does not enable.
func TestVersionsAreServedByDefault(t *testing.T) {
	t.Parallel()
	for _, release := range judged(t) {
		minor, err := minorOf(release)
		check(t, err)
		options := preflight.Options{KubernetesVersion: fmt.Sprintf("1.%d", minor)}
		enabled := enabledIn(t, release)
		for kind := range openAPI(t, release).served() {
			version, name, _ := strings.Cut(kind, " ")
			warned := slices.ContainsFunc(
				preflight.Check(map[string]any{"apiVersion": version, "kind": name}, options),
				func(f preflight.Finding) bool { return f.Rule == "MK169" },
			)
			if warned == enabled[directory(version)] {
				t.Errorf("Kubernetes %s, %s: enabled: %t, preflight warns: %t", release, kind, warned, warned)
			}
		}
	}
}

var (
	listed   = regexp.MustCompile(`EnabledByDefault = \[\]schema\.GroupVersion\{([^}]*)\}`)
	name     = regexp.MustCompile(`(\w+)\.SchemeGroupVersion`)
	imported = regexp.MustCompile(`\t(\w+) "k8s\.io/(?:api|kubernetes/pkg/apis)/(\w+/v\w+)"`)
)

// enabledIn returns the versions in the lists of a release's API server, each as the directory of its package. Those of
// extensions are always enabled: API servers of their own serve them.
func enabledIn(t *testing.T, release string) map[string]bool {
	t.Helper()
	source := string(inModule(t, release, "pkg/controlplane/instance.go"))
	directories := map[string]string{}
	for _, m := range imported.FindAllStringSubmatch(source, -1) {
		directories[m[1]] = m[2]
	}
	enabled := map[string]bool{"apiextensions/v1": true, "apiregistration/v1": true}
	for _, list := range listed.FindAllStringSubmatch(source, -1) {
		for _, m := range name.FindAllStringSubmatch(list[1], -1) {
			enabled[directories[m[1]]] = true
		}
	}
	return enabled
}

// directory returns the directory of a version's package: rbac/v1 for rbac.authorization.k8s.io/v1.
func directory(version string) string {
	group, version, _ := strings.Cut(version, "/")
	if version == "" {
		group, version = "core", group
	}
	group, _, _ = strings.Cut(group, ".")
	return group + "/" + version
}
