package mutate_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/platform"
)

func TestPodsOfOtherKindsAreFound(t *testing.T) {
	t.Parallel()
	type m = map[string]any
	template := func(spec m) m { return m{"template": pod(spec, silentImage)} }
	linux := m{"nodeSelector": m{"kubernetes.io/os": "linux"}}
	for _, tt := range []struct {
		name, version, kind string
		spec                any
		want                []string
	}{
		{"a RayJob", "ray.io/v1", "RayJob", template(nil), []string{"spec.template.spec"}},
		{"a RayJob for Linux", "ray.io/v1", "RayJob", template(linux), nil},
		{
			"a RayJob for both", "ray.io/v1", "RayJob",
			template(m{"affinity": osAffinity("linux", "windows")}), nil,
		},
		{
			"the name of a kind in another group", "batch.volcano.sh/v1alpha1", "Job", template(nil),
			[]string{"spec.template.spec"},
		},
		{
			"in a list", "ray.io/v1", "RayCluster",
			m{"headGroupSpec": template(nil), "workerGroupSpecs": []any{template(linux), template(nil)}},
			[]string{
				"spec.headGroupSpec.template.spec", "spec.workerGroupSpecs[1].template.spec",
			},
		},
		{
			"containers without an image", "monitoring.coreos.com/v1", "Prometheus",
			m{"containers": []any{m{"name": "prometheus"}}},
			nil,
		},
		{"containers that are not a list", "example.com/v1", "Yard", m{"containers": 3}, nil},
		{"no spec", "example.com/v1", "Yard", nil, nil},
		{"a group without a domain", "yard/v1", "Yard", template(nil), nil},
		{"containers in the wrong place", "v1", "Service", template(nil), nil},
		{"a resource of Google Cloud", "run.cnrm.cloud.google.com/v1beta1", "RunService", template(nil), nil},
		{"a resource of Azure", "app.azure.com/v1api20240301", "ContainerApp", template(nil), nil},
		{"a domain that only ends alike", "notazure.com/v1", "App", template(nil), []string{"spec.template.spec"}},
		{"Cloud Run", "serving.knative.dev/v1", "Service", m{"template": m{
			"metadata": m{"annotations": m{"run.googleapis.com/client-name": "gcloud"}},
			"spec":     template(nil)["template"].(m)["spec"],
		}}, nil},
		{"Kubernetes' own kind", "apps/v1", "Deployment", template(nil), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			object := m{"apiVersion": tt.version, "kind": tt.kind, "spec": tt.spec}
			got := adopter(options{Topology: cluster(platform.WindowsServer2022)})(object, "")
			if diff := cmp.Diff(tt.want, got.Unsupported); diff != "" || got.HasPods != (tt.version == "apps/v1") ||
				len(got.Edits) > 0 {
				t.Errorf("%+v (-want +got):\n%s", got, diff)
			}
		})
	}
}
