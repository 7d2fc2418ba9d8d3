package policy

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A program that deploys to two clusters has the topology of each, by the name of its provider.
func TestSeveralClusters(t *testing.T) {
	t.Parallel()
	e := start(t, true, `{"cluster": {"topology": {"pools": [{"name": "linux", "platform": "linux"}]}, "clusters": [
		{"provider": "prod", "topology": {"pools": [{"name": "linux", "platform": "linux"},
			{"name": "win22", "platform": "windows-2022", "count": 3}]}}]}, "place": "remediate"}`)
	object := parse(t, webOfImage)
	e.registerWith("prod", "web", object)
	e.registerWith(defaultKubernetes, "other", parse(t, strings.ReplaceAll(webOfImage, "web", "other")))
	e.end()
	want := []string{
		"info : where the pods can land:\n  other → nowhere\n" +
			"Place completes 1 of 1 workloads\n  1 Deployment: changes only where the preview shows an update",
		"info : where the pods can land in the cluster of the provider \"prod\":\n  web → win22 (3 nodes)\n" +
			"Place completes 1 of 1 workloads\n  1 Deployment: changes only where the preview shows an update",
	}
	if diff := cmp.Diff(want, e.shown.take()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCharts(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		typ, provider string
		inputs        map[string]any
		want          []string
	}{
		"a release": {
			"kubernetes:helm.sh/v3:Release", defaultKubernetes,
			map[string]any{"chart": "shop", "namespace": "web"},
			[]string{
				"advisory shop: the objects that a Release deploys, including hooks, are not checked: " +
					"check it with `helm template " +
					"shop shop --namespace web | mixedkube check --topology CLUSTER.yaml -` (MK581)",
			},
		},
		"a chart of which the engine shows no arguments": {"kubernetes:helm.sh/v4:Chart", "", map[string]any{}, nil},
		"another component": {"kubernetes:yaml/v2:ConfigGroup", "", map[string]any{}, nil},
		"a patch": {
			"kubernetes:apps/v1:DeploymentPatch", defaultKubernetes, parse(t, webOfImage), nil,
		},
		"a resource of something else": {"aws:s3:Bucket", "aws", map[string]any{}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := start(t, true, "{}")
			found := append(e.registerAs(tt.typ, tt.provider, "shop", tt.inputs), e.end()...)
			if diff := cmp.Diff(tt.want, found); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Rules about other objects consider resources that this run has not registered, as with --target, but do not check
// them.
func TestUnregisteredResources(t *testing.T) {
	t.Parallel()
	e := start(t, true, "{"+pools+"}")
	e.register("a", fsGroup)
	others := e.resources
	e = start(t, true, "{"+pools+"}")
	e.resources = others
	if found := e.end(); len(found) > 0 {
		t.Errorf("found %q", found)
	}
	if messages := e.shown.take(); len(messages) > 0 {
		t.Errorf("messages %q", messages)
	}
}
