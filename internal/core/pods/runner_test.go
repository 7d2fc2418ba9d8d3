package pods_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// The image of a RunnerDeployment is the image of its container "runner".
func TestRunnerImage(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		kind, spec string
		// want has the paths of the images and their values.
		want map[string]string
	}{
		"no containers": {
			"RunnerDeployment", "{image: a, env: [{name: X, value: y}]}",
			map[string]string{"spec.template.spec.image": "a"},
		},
		"it wins over the image of the container": {
			"RunnerDeployment", "{image: a, containers: [{name: docker, image: d}, {name: runner, image: r}]}",
			map[string]string{"spec.template.spec.containers[0].image": "d", "spec.template.spec.image": "a"},
		},
		"the container is added to others": {
			"RunnerDeployment",
			"{image: a, containers: [{name: x, image: b}], initContainers: [{name: runner, image: i}]}",
			map[string]string{
				"spec.template.spec.containers[0].image": "b", "spec.template.spec.image": "a",
				"spec.template.spec.initContainers[0].image": "i",
			},
		},
		"none": {
			"RunnerDeployment", "{containers: [{name: runner, image: r}]}",
			map[string]string{"spec.template.spec.containers[0].image": "r"},
		},
		"empty":            {"RunnerDeployment", "{image: ''}", map[string]string{}},
		"unknown others":   {"RunnerDeployment", "{image: a, containers: $unknown}", map[string]string{}},
		"not of RunnerSet": {"RunnerSet", "{image: a}", map[string]string{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, ok := pods.Read(map[string]any{
				"apiVersion": "actions.summerwind.dev/v1alpha1", "kind": tt.kind,
				"spec": map[string]any{"template": map[string]any{"spec": object(t, tt.spec)}},
			})
			if !ok {
				t.Fatal("no pods")
			}
			got := map[string]string{}
			for i := range p.Containers {
				c := &p.Containers[i]
				got[p.In(c, "image")], _ = tree.Text(c.Spec["image"])
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
