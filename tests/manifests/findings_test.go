package manifests_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/rule/ruletest"
	"github.com/mixedkube/mixedkube/core/topology"
	internalmanifests "github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
	"github.com/mixedkube/mixedkube/tests/manifests"
)

// TestFindingsInPublicManifests lists all findings in manifests that run unchanged, so that a change of a rule
// shows its effect on them.
func TestFindingsInPublicManifests(t *testing.T) {
	t.Parallel()
	clusters := []struct {
		name    string
		options preflight.Options
	}{
		{"no topology", preflight.Options{}},
		{"Kubernetes 1.36", preflight.Options{KubernetesVersion: "1.36"}},
		{"only Linux", preflight.Options{Topology: topology.Topology{
			KubernetesVersion: "1.36", Pools: manifests.Cluster(true).Pools[:1],
		}}},
		{"with taints", preflight.Options{Topology: manifests.Cluster(true)}},
		{"without taints", preflight.Options{Topology: manifests.Cluster(false)}},
	}
	var found strings.Builder
	for _, project := range manifests.Read(t) {
		for _, cluster := range clusters {
			for _, line := range findings(t, project, cluster.options) {
				fmt.Fprintf(&found, "%s: %s: %s\n", project.Name, cluster.name, line)
			}
		}
	}
	golden.Equal(t, "testdata/findings.golden", found.String())
}

// findings has one line for each finding that is at least a warning, without its sentence, sorted.
func findings(t *testing.T, project manifests.Project, options preflight.Options) []string {
	t.Helper()
	checker := preflight.New(options)
	var objects []map[string]any
	var names []string
	for _, f := range project.Files {
		docs, err := internalmanifests.ReadObjects(bytes.NewReader(f.Text), f.Name)
		if err != nil {
			t.Fatal(err)
		}
		for _, doc := range docs {
			object := tree.Map(doc.Value)
			objects = append(objects, object)
			names = append(names, fmt.Sprintf("%s: %v/%v", f.Name, object["kind"],
				tree.Map(object["metadata"])["name"]))
		}
	}
	across := checker.Across(objects)
	var lines []string
	for i, object := range objects {
		for _, f := range preflight.Join(checker.Check(object), across[i]) {
			if f.Severity != preflight.Info {
				lines = append(lines, fmt.Sprintf("%s: %s: %s", names[i], f.Severity, ruletest.Brief(f)))
			}
		}
	}
	slices.Sort(lines)
	return lines
}
