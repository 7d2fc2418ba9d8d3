package preflight_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// FuzzCheck checks any object. Check does not panic, and returns the same findings each time. They are in order, and
// each has a rule of the table.
func FuzzCheck(f *testing.F) {
	examples, err := filepath.Glob(filepath.Join(exampleDir, "MK*", "bad.yaml"))
	if err != nil || len(examples) == 0 {
		f.Fatalf("%d examples, %v", len(examples), err)
	}
	for _, file := range examples {
		content, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		docs, err := manifests.ReadObjects(bytes.NewReader(content), file)
		if err != nil {
			f.Fatal(err)
		}
		for _, doc := range docs {
			if text, err := json.Marshal(doc.Value); err == nil && len(text) < 10_000 {
				f.Add(text)
			}
		}
	}
	rules := map[string]preflight.Rule{}
	for _, rule := range preflight.Rules() {
		rules[rule.ID] = rule
	}
	checkers := []*preflight.Checker{
		preflight.New(preflight.Options{}),
		preflight.New(preflight.Options{
			KubernetesVersion: "1.36", Matching: platform.Strict,
			Topology: topology.Topology{Pools: []topology.Pool{
				{Name: "linux", Platform: platform.Linux},
				{Name: "win22", Platform: platform.WindowsServer2022},
				{Name: "win25", Platform: platform.WindowsServer2025},
			}},
			To: topology.Topology{Pools: []topology.Pool{
				{Name: "linux", Platform: platform.Linux},
				{Name: "win25", Platform: platform.WindowsServer2025},
			}},
		}),
		preflight.New(preflight.Options{KubernetesVersion: "1.33", Platform: platform.WindowsServer2022}),
	}
	docs, err := manifests.ReadYAML(strings.NewReader(otherObjects), "otherObjects")
	if err != nil || len(docs) != 3 {
		f.Fatalf("%d objects, %v", len(docs), err)
	}
	var others []map[string]any
	for _, doc := range docs {
		others = append(others, tree.Map(doc.Value))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var v any
		if json.Unmarshal(text, &v) != nil {
			return
		}
		object := tree.Map(tree.Normalize(v))
		for _, checker := range checkers {
			findings := checker.Check(object)
			for _, finding := range findings {
				rule, known := rules[finding.Rule]
				if !known {
					t.Errorf("no rule of the table: %s", finding)
				}
				if finding.Severity != rule.Severity &&
					(finding.Severity != preflight.Warning || rule.Severity != preflight.Error) {
					t.Errorf("severity %s of a rule of severity %s: %s", finding.Severity, rule.Severity, finding)
				}
				if finding.Detail == "" && finding.Fix == "" {
					t.Errorf("says nothing: %s", finding)
				}
			}
			if !slices.IsSortedFunc(findings,
				func(a, b preflight.Finding) int { return fielderrors.ComparePaths(a.Path, b.Path) }) {
				t.Errorf("not in the order of their paths: %v", findings)
			}
			if diff := cmp.Diff(findings, checker.Check(object)); diff != "" {
				t.Errorf("another result the second time:\n%s", diff)
			}
		}
		objects := slices.Concat(others, []map[string]any{asPod(object)})
		for _, checker := range checkers {
			found := checker.Across(objects)
			for _, finding := range slices.Concat(slices.Collect(maps.Values(found))...) {
				if _, known := rules[finding.Rule]; !known {
					t.Errorf("no rule of the table: %s", finding)
				}
			}
			if diff := cmp.Diff(found, checker.Across(objects)); diff != "" {
				t.Errorf("another result the second time:\n%s", diff)
			}
		}
	})
}

const otherObjects = `
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: {name: windows-2022}
handler: runhcs-wcow-process
scheduling:
  nodeSelector: {kubernetes.io/os: windows, node.kubernetes.io/windows-build: 10.0.20348}
  tolerations: [{key: os, operator: Equal, value: windows, effect: NoSchedule}]
---
apiVersion: v1
kind: Namespace
metadata: {name: shop, labels: {pod-security.kubernetes.io/enforce: restricted}}
---
apiVersion: v1
kind: Service
metadata: {name: shop, namespace: shop}
spec: {selector: {app: shop}, externalTrafficPolicy: Local, sessionAffinity: ClientIP}
`

// asPod adds references to [otherObjects] to the pods of an object.
func asPod(object map[string]any) map[string]any {
	kind, _ := tree.Text(object["kind"])
	keys, _ := pods.Template(kind)
	spec := maps.Clone(tree.Map(tree.At(object, append(keys, "spec")...)))
	if spec != nil && spec["runtimeClassName"] == nil {
		spec["runtimeClassName"] = "windows-2022"
	}
	return map[string]any{
		"apiVersion": "v1", "kind": "Pod",
		"metadata": map[string]any{"name": "shop", "namespace": "shop", "labels": map[string]any{"app": "shop"}},
		"spec":     spec,
	}
}
