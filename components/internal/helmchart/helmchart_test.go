package helmchart

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/components/rule"
	"github.com/mixedkube/mixedkube/components/rule/ruletest"
	"github.com/mixedkube/mixedkube/internal/tree"
)

func TestEachRuleIsListed(t *testing.T) {
	t.Parallel()
	ruletest.Listed(t, ".", Rules())
}

func TestCheck(t *testing.T) {
	t.Parallel()
	const release = "what a Release deploys is not seen, hooks included: check it with `"
	for name, tt := range map[string]struct {
		typ        string
		properties map[string]any
		want       string
	}{
		"a chart": {
			ChartType, map[string]any{"chart": "./chart", "namespace": "shop"},
			"the hooks of the chart, if it has any, are neither deployed nor checked: see what they are with " +
				"`mixedkube check --topology CLUSTER.yaml --release-name web --namespace shop ./chart` (MK580)",
		},
		"a release from a repository": {
			ReleaseType, map[string]any{
				"chart": "ingress-nginx", "version": "4.15.0", "name": "ingress", "namespace": "ingress",
				"repositoryOpts": map[string]any{"repo": "https://me:secret@charts.example.com/x"},
				"values":         map[string]any{"password": "secret"},
			},
			release + "helm template ingress ingress-nginx --namespace ingress --values VALUES.yaml --repo " +
				"https://charts.example.com/x --version 4.15.0 | mixedkube check --topology CLUSTER.yaml -` (MK581)",
		},
		"a path that a shell would take apart": {
			ReleaseType, map[string]any{"chart": "../a b'c", "values": map[string]any{}, "valueYamlFiles": []any{}},
			release + `mixedkube check --topology CLUSTER.yaml --release-name web '../a b'\''c'` + "` (MK581)",
		},
		"nothing is known": {
			ReleaseType, map[string]any{
				"chart": tree.Unknown{}, "version": tree.Unknown{}, "name": tree.Unknown{}, "namespace": tree.Unknown{},
				"repositoryOpts": map[string]any{"repo": tree.Unknown{}}, "values": tree.Unknown{},
			},
			release + "helm template RELEASE CHART --namespace NAMESPACE --values VALUES.yaml --repo REPOSITORY " +
				"--version VERSION | mixedkube check --topology CLUSTER.yaml -` (MK581)",
		},
		"secrets": {
			ReleaseType, map[string]any{
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
			for _, f := range Check(tt.typ, "web", tt.properties) {
				got += f.String()
				of, ok := Rules().Find(f.Rule)
				if want := map[string]rule.Severity{ChartType: rule.Info, ReleaseType: rule.Warning}[tt.typ]; !ok ||
					f.Severity != want || of.Severity != want {
					t.Errorf("the severity is %s, want %s", f.Severity, want)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
