package helmchart

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/rule/ruletest"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

func TestEachRuleIsListed(t *testing.T) {
	t.Parallel()
	ruletest.Listed(t, ".", Rules())
}

func TestCheck(t *testing.T) {
	t.Parallel()
	const release = "the objects that a Release deploys, including hooks, are not checked: check it with `"
	for name, tt := range map[string]struct {
		typ        string
		properties map[string]any
		want       string
	}{
		"a chart": {
			ChartType,
			map[string]any{"chart": "./chart", "namespace": "shop"},
			"the hooks of the chart, if it has any, are neither deployed nor checked: see what they are with " +
				"`mixedkube check --topology CLUSTER.yaml --release-name web --namespace shop ./chart` (MK580)",
		},
		"a release from a repository": {
			ReleaseType,
			map[string]any{
				"chart": "ingress-nginx", "version": "4.15.0", "name": "ingress", "namespace": "ingress",
				"repositoryOpts": map[string]any{"repo": "https://me:secret@charts.example.com/x"},
				"values":         map[string]any{"password": "secret"},
			},
			release + "helm template ingress ingress-nginx --namespace ingress --values VALUES.yaml --repo " +
				"https://charts.example.com/x --version 4.15.0 | mixedkube check --topology CLUSTER.yaml -` (MK581)",
		},
		"a path that a shell would take apart": {
			ReleaseType,
			map[string]any{"chart": "../a b'c", "values": map[string]any{}, "valueYamlFiles": []any{}},
			release + `mixedkube check --topology CLUSTER.yaml --release-name web '../a b'\''c'` + "` (MK581)",
		},
		"nothing is known": {
			ReleaseType,
			map[string]any{
				"chart": tree.Unknown{}, "version": tree.Unknown{}, "name": tree.Unknown{}, "namespace": tree.Unknown{},
				"repositoryOpts": map[string]any{"repo": tree.Unknown{}}, "values": tree.Unknown{},
			},
			release + "helm template RELEASE CHART --namespace NAMESPACE --values VALUES.yaml --repo REPOSITORY " +
				"--version VERSION | mixedkube check --topology CLUSTER.yaml -` (MK581)",
		},
		"secrets": {
			ReleaseType,
			map[string]any{
				"chart": tree.Seal("secret"), "namespace": tree.Seal("secret"),
				"repositoryOpts": tree.Seal(map[string]any{"repo": "secret"}),
				"valueYamlFiles": tree.Seal([]any{"secret"}),
			},
			release + "helm template web CHART --namespace NAMESPACE --values VALUES.yaml --repo REPOSITORY | " +
				"mixedkube check --topology CLUSTER.yaml -` (MK581)",
		},
		"no properties": {
			ReleaseType, nil,
			release + "helm template web CHART | mixedkube check --topology CLUSTER.yaml -` (MK581)",
		},
		"a chart of v3":  {"kubernetes:helm.sh/v3:Chart", map[string]any{"chart": "./chart"}, ""},
		"another object": {"kubernetes:core/v1:Pod", nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := ""
			var gotSb74 strings.Builder
			for _, f := range Check(tt.typ, "web", tt.properties, os.DirFS) {
				gotSb74.WriteString(f.String())
				of, ok := Rules().Find(f.Rule)
				if want := map[string]rule.Severity{ChartType: rule.Info, ReleaseType: rule.Warning}[tt.typ]; !ok ||
					f.Severity != want || of.Severity != want {
					t.Errorf("the severity is %s, want %s", f.Severity, want)
				}
			}
			got += gotSb74.String()
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A chart in a directory can be checked for hooks.
func TestChartsWithoutHooksAreComplete(t *testing.T) {
	t.Parallel()
	const hooked = "metadata:\n  annotations:\n    \"helm.sh/hook\": pre-install\n"
	for name, tt := range map[string]struct {
		file, text string
		properties map[string]any
		want       bool
	}{
		"no hook": {
			"templates/a.yaml", "kind: Job\n", map[string]any{"values": map[string]any{"a": "b"}}, false,
		},
		"a hook":               {"templates/a.yaml", hooked, nil, true},
		"a hook of a helper":   {"charts/a/templates/_a.tpl", hooked, nil, true},
		"an archive":           {"charts/a-1.0.0.tgz", "", nil, true},
		"a large file":         {"a.txt", strings.Repeat("a", mostFileSize+1), nil, true},
		"a key of the values":  {"a.txt", "", map[string]any{"values": map[string]any{"helm.sh/hook": ""}}, true},
		"a text of the values": {"a.txt", "", map[string]any{"values": []any{map[string]any{"a": hooked}}}, true},
		"files with values":    {"a.txt", "", map[string]any{"valueYamlFiles": []any{tree.Unknown{}}}, true},
		"no chart":             {"../Chart.yaml", "", map[string]any{"chart": "/none"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "chart")
			for file, text := range map[string]string{"Chart.yaml": "name: a\n", tt.file: tt.text} {
				if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(file)), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			properties := map[string]any{"chart": dir}
			maps.Copy(properties, tt.properties)
			if got := len(Check(ChartType, "a", properties, os.DirFS)) == 1; got != tt.want {
				t.Errorf("a finding: %t, want %t", got, tt.want)
			}
			if len(Check(ReleaseType, "a", properties, os.DirFS)) != 1 {
				t.Error("no finding about a release")
			}
		})
	}
}
