package kustomize_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

const web = `# a Deployment
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      nodeSelector:
        kubernetes.io/os: windows
      containers:
        - name: web
          image: registry.example.com/web:1
          env:
            - {name: A, value: a}
        - name: side
          image: registry.example.com/side:1
`

// Each case names the file and the line that has written a value, and the further ones.
func TestPlaceOfAValue(t *testing.T) {
	t.Parallel()
	const base = "resources: [web.yaml]\n"
	cases := []struct {
		name, overlay string
		files         map[string]string
		path, want    string
	}{
		{
			"an untouched value", "resources: [../base]\n", nil,
			"spec.template.spec.containers[1].image", "base/web.yaml:19",
		},
		{
			"a missing value", "resources: [../base]\n", nil,
			"spec.template.spec.containers[1].resources.limits", "base/web.yaml:18",
		},
		{
			"the whole object", "resources: [../base]\nnamespace: shop\n", nil, "", "base/web.yaml:2",
		},
		{
			"the whole object with a replacement", `resources: [../base]
replacements:
  - source: {kind: Deployment, name: web}
    targets: [{select: {kind: Deployment}, fieldPaths: [spec.paused], options: {create: true}}]
`, nil, "", "base/web.yaml:2",
		},
		{
			"a strategic merge patch",
			"resources: [../base]\npatches: [{path: p.yaml}]\n",
			map[string]string{
				"overlay/p.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  template:\n" +
					"    spec:\n" +
					"      containers:\n        - name: side\n          image: registry.example.com/side:2\n",
			},
			"spec.template.spec.containers[0].image",
			"overlay/p.yaml:9",
		},
		{
			"an element that a patch has moved",
			"resources: [../base]\npatches: [{path: p.yaml}]\n",
			map[string]string{
				"overlay/p.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  template:\n" +
					"    spec:\n" +
					"      containers:\n        - name: new\n          image: registry.example.com/new:2\n",
			},
			"spec.template.spec.containers[2].image",
			"base/web.yaml:19",
		},
		{
			"a patch in place with a target", `resources: [../base]
patches:
  - target: {kind: Deployment}
    patch: |-
      - op: add
        path: /spec/template/spec/hostNetwork
        value: true
      - op: replace
        path: /spec/template/spec/containers/0/env
        value:
          - name: A
            value: b
`, nil, "spec.template.spec.containers[0].env[0].value", "overlay/kustomization.yaml:12",
		},
		{
			"a value that a patch removes", `resources: [../base]
patches:
  - target: {name: we.*}
    patch: |
      - {op: remove, path: /spec/template/spec/nodeSelector}
`, nil, "spec.template.spec.nodeSelector[kubernetes.io/os]", "overlay/kustomization.yaml:5",
		},
		{
			"the last of two patches", `resources: [../base]
patches:
  - patch: |
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec: {replicas: 2}
  - patch: |
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        replicas: 3
`, nil, "spec.replicas", "overlay/kustomization.yaml:13",
		},
		{
			"the tag of an image",
			"resources: [../base]\nimages:\n  - name: registry.example.com/web\n    newTag: '2'\n",
			nil,
			"spec.template.spec.containers[0].image",
			"overlay/kustomization.yaml:3 base/web.yaml:15",
		},
		{
			"replicas", "resources: [../base]\nreplicas:\n  - name: web\n    count: 4\n", nil,
			"spec.replicas", "overlay/kustomization.yaml:4",
		},
		{
			"a namespace", "resources: [../base]\nnamespace: shop\n", nil,
			"metadata.namespace", "overlay/kustomization.yaml:2",
		},
		{
			"a name with a prefix", "resources: [../base]\nnamePrefix: a-\n", nil,
			"metadata.name", "overlay/kustomization.yaml:2 base/web.yaml:5",
		},
		{
			"a label", "resources: [../base]\nlabels:\n  - pairs: {team: a}\n    includeTemplates: true\n", nil,
			"spec.template.metadata.labels.team", "overlay/kustomization.yaml:3",
		},
		{
			"a component", "resources: [../base]\ncomponents: [../part]\n",
			map[string]string{
				"part/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n" +
					"patches:\n  - target: {kind: Deployment}\n    path: p.yaml\n",
				"part/p.yaml": "- op: add\n  path: /spec/template/spec/hostNetwork\n  value: true\n",
			},
			"spec.template.spec.hostNetwork", "part/p.yaml:3",
		},
		{
			"a replacement",
			`resources: [../base, source.yaml]
replacements:
  - source: {kind: ConfigMap, name: source, fieldPath: data.replicas}
    targets:
      - select: {kind: Deployment}
        fieldPaths: ["spec.template.spec.containers.[name=side].image"]
`,
			map[string]string{
				"overlay/source.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: source}\ndata: {replicas: " +
					"'b:1'}\n",
			},
			"spec.template.spec.containers[1].image",
			"overlay/kustomization.yaml:5",
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{
				"base/web.yaml": web, "base/kustomization.yaml": base, "overlay/kustomization.yaml": c.overlay,
			}
			maps.Copy(files, c.files)
			b, root := build(t, files, "overlay")
			for _, object := range objects(t, b) {
				if object["kind"] != "Deployment" {
					continue
				}
				trace := b.Trace(object)
				if trace == nil {
					t.Fatal("the object comes from nowhere")
				}
				p := trace.Place(c.path)
				got := strings.ReplaceAll(
					strings.Join(append([]string{fmt.Sprintf("%s:%d", p.File, p.Line)}, p.Also...), " "),
					root+"/",
					"",
				)
				if diff := cmp.Diff(c.want, got); diff != "" {
					name, _ := tree.Text(tree.At(object, "metadata", "name"))
					t.Errorf("%s %s (-want +got):\n%s", name, c.path, diff)
				}
			}
		})
	}
}
