package pods_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

func TestReferences(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		text string
		want []string
	}{
		"all containers and volumes": {`
apiVersion: apps/v1
kind: Deployment
spec:
  template:
    spec:
      initContainers: [{name: i, image: init:1}]
      containers: [{name: b, image: b:1}, {name: a, image: a:1}, {name: again, image: b:1}, {name: none}]
      ephemeralContainers: [{name: e, image: debug:1}]
      volumes: [{name: v, image: {reference: data:1}}, {name: e, emptyDir: {}}, {name: n, image: {}}]
`, []string{"a:1", "b:1", "data:1", "debug:1", "init:1"}},
		"a pod": {"{apiVersion: v1, kind: Pod, spec: {containers: [{image: a}]}}", []string{"a"}},
		"a CronJob": {
			"{apiVersion: batch/v1, kind: CronJob, spec: {jobTemplate: {spec: {template: {spec: " +
				"{containers: [{image: a}]}}}}}}",
			[]string{"a"},
		},
		"a custom kind": {
			"{apiVersion: argoproj.io/v1alpha1, kind: Rollout, spec: {template: {spec: {containers: [{image: a}]," +
				" volumes: [{image: {reference: v}}]}}}}",
			[]string{"a", "v"},
		},
		"the templates of a workflow": {`
apiVersion: argoproj.io/v1alpha1
kind: Workflow
spec:
  templates:
  - {name: one, initContainers: [{image: init:1}], container: {image: one:1}, sidecars: [{image: side:1}]}
  - {name: two, script: {image: script:1, source: x}}
  - {name: three, containerSet: {containers: [{image: a:1}, {image: b:1}, {image: one:1}]}}
  - {name: four, container: {image: "{{inputs.parameters.image}}"}}
  - {name: five, steps: [[{name: x, template: one}]]}
`, []string{"a:1", "b:1", "init:1", "one:1", "script:1", "side:1"}},
		"a CronWorkflow": {
			"{apiVersion: argoproj.io/v1alpha1, kind: CronWorkflow, spec: {workflowSpec: {templates: " +
				"[{container: {image: a}}]}}}",
			[]string{"a"},
		},
		"a WorkflowTemplate": {
			"{apiVersion: argoproj.io/v1alpha1, kind: WorkflowTemplate, spec: {templates: [{script: {image: a}}]}}",
			[]string{"a"},
		},
		"a ClusterWorkflowTemplate": {
			"{apiVersion: argoproj.io/v1alpha1, kind: ClusterWorkflowTemplate, spec: {templates: " +
				"[{container: {image: a}}]}}",
			[]string{"a"},
		},
		"a RunnerDeployment": {
			"{apiVersion: actions.summerwind.dev/v1alpha1, kind: RunnerDeployment, spec: {template: {spec: " +
				"{image: a, containers: [{name: docker, image: d}]}}}}",
			[]string{"a", "d"},
		},
		"a kind without pods": {"{apiVersion: v1, kind: Service, spec: {containers: [{image: a}]}}", nil},
		"wrong types": {
			"{apiVersion: v1, kind: Pod, spec: {containers: [{image: 1}, {image: [a]}], volumes: {}}}", nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			docs, err := manifests.ReadYAML(strings.NewReader(tt.text), name)
			if err != nil || len(docs) != 1 {
				t.Fatalf("%d documents, %v", len(docs), err)
			}
			if diff := cmp.Diff(tt.want, pods.References(tree.Map(docs[0].Value))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	unknown := map[string]any{"apiVersion": "v1", "kind": "Pod", "spec": map[string]any{
		"containers": []any{map[string]any{"image": tree.Unknown{}}, map[string]any{"image": "a"}},
	}}
	if diff := cmp.Diff([]string{"a"}, pods.References(unknown)); diff != "" {
		t.Errorf("with an unknown image (-want +got):\n%s", diff)
	}
}
