package mutate_test

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
)

// workflow returns an Argo Workflow; spec has additional fields.
func workflow(kind string, spec map[string]any, templates ...any) map[string]any {
	spec["templates"] = templates
	return map[string]any{"apiVersion": "argoproj.io/v1alpha1", "kind": kind, "spec": spec}
}

func TestWorkflowsAreCompletedForAllTemplates(t *testing.T) {
	t.Parallel()
	type m = map[string]any
	const windowsImage, linuxImage = "mcr.microsoft.com/windows/servercore:ltsc2022", "alpine"
	container := func(image string, more m) m {
		out := m{"container": m{"image": image}}
		maps.Copy(out, more)
		return out
	}
	windows := m{
		"nodeSelector": m{"kubernetes.io/os": "windows", "node.kubernetes.io/windows-build": "10.0.20348"},
		"tolerations":  []any{m{"operator": "Exists"}},
	}
	linux := []string{"[spec nodeSelector kubernetes.io/os]: linux"}
	forWindows := []string{
		"[spec nodeSelector kubernetes.io/arch]: amd64", "[spec nodeSelector kubernetes.io/os]: windows",
		"[spec nodeSelector node.kubernetes.io/windows-build]: 10.0.20348",
		"[spec tolerations]: [map[effect:NoSchedule key:os operator:Equal value:windows]]",
	}
	first := []string{"spec.templates[0]"}
	for _, tt := range []struct {
		name    string
		object  m
		options options
		edits   []string
		skipped []string
	}{
		{"Linux", workflow("Workflow", m{}, container(linuxImage, nil)), options{}, linux, nil},
		{
			"Windows", workflow("Workflow", m{}, container(windowsImage, nil), m{"suspend": m{}}),
			options{},
			forWindows, nil,
		},
		{
			"a RuntimeClass cannot be named", workflow("Workflow", m{}, container(windowsImage, nil)),
			options{RuntimeClasses: true},
			forWindows, nil,
		},
		{"a script", workflow("Workflow", m{}, m{"script": m{"image": linuxImage}}), options{}, linux, nil},
		{
			"a set of containers",
			workflow("Workflow", m{}, m{"containerSet": m{"containers": []any{m{"image": linuxImage}}}}),
			options{},
			linux,
			nil,
		},
		{"nothing is known", workflow("Workflow", m{}, container(silentImage, nil)), options{}, nil, first},
		{
			"assumed to be for Linux", workflow("Workflow", m{}, container(silentImage, nil)),
			options{AssumeLinux: true},
			linux, nil,
		},
		{
			"a hint at Windows", workflow("Workflow", m{}, container(silentImage, m{"tolerations": []any{
				m{"key": "os", "value": "windows"},
			}})), options{AssumeLinux: true}, nil, first,
		},
		{
			"different systems", workflow("Workflow", m{}, container(linuxImage, nil), container(windowsImage, nil)),
			options{},
			nil,
			[]string{"spec.templates[1]"},
		},
		{
			"another template with its own fields", workflow("Workflow", m{}, container(linuxImage, nil),
				container(windowsImage, windows)),
			options{},
			linux, nil,
		},
		{
			"a template without any claim would inherit the fields",
			workflow("Workflow", m{}, container(silentImage, nil), container(windowsImage, nil)),
			options{},
			nil, first,
		},
		{
			"a template with its own labels, which are not enough",
			workflow("Workflow", m{}, container(linuxImage, m{"nodeSelector": m{"disk": "ssd"}})),
			options{},
			nil,
			first,
		},
		{
			"the workflow selects already",
			workflow("Workflow", m{"nodeSelector": m{"kubernetes.io/os": "linux"}}, container(silentImage, nil)),
			options{},
			nil, nil,
		},
		{
			"steps have a selector", workflow("Workflow", m{}, container(linuxImage, nil),
				m{"steps": []any{}, "nodeSelector": m{"disk": "ssd"}}), options{}, nil, nil,
		},
		{
			"defaults of the templates", workflow("Workflow",
				m{"templateDefaults": m{"nodeSelector": m{"disk": "ssd"}}},
				container(linuxImage, nil)), options{}, nil, nil,
		},
		{
			"a patch may change everything", workflow("Workflow", m{"podSpecPatch": "{}"}, container(linuxImage, nil)),
			options{},
			nil, nil,
		},
		{
			"a parameter", workflow("Workflow", m{}, container(silentImage, m{"nodeSelector": m{
				"kubernetes.io/os": "{{inputs.parameters.os}}",
			}})), options{}, nil, nil,
		},
		{
			"the executor of a resource would go to Windows",
			workflow("Workflow", m{}, container(windowsImage, nil), m{"resource": m{"action": "create"}}),
			options{},
			nil,
			first,
		},
		{
			"the executor of a resource goes to Linux",
			workflow("Workflow", m{}, container(linuxImage, nil), m{"resource": m{"action": "create"}}),
			options{},
			linux, nil,
		},
		{
			"others use the templates alone", workflow("WorkflowTemplate", m{}, container(linuxImage, nil)),
			options{},
			nil,
			first,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.options.Topology = cluster(platform.WindowsServer2022)
			got := adopter(tt.options)(tt.object, "")
			if diff := cmp.Diff(tt.edits, editTexts(got.Edits)); diff != "" {
				t.Errorf("edits (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.skipped, got.Unsupported); diff != "" {
				t.Errorf("pods that are not completed (-want +got):\n%s", diff)
			}
		})
	}
}

// Custom kinds with a known template get the same fields as Kubernetes' own kinds, except for fields
// that their API does not have.
func TestCustomKindsAreCompleted(t *testing.T) {
	t.Parallel()
	type m = map[string]any
	spec := pod(nil, silentImage)
	for _, tt := range []struct {
		version, kind string
		spec          m
		path          string
		os            bool
		effect        mutate.Effect
	}{
		{"argoproj.io/v1alpha1", "Rollout", m{"template": spec}, "[spec template spec ", true, mutate.Restarts},
		{
			"keda.sh/v1alpha1", "ScaledJob",
			m{"jobTargetRef": m{"template": spec}},
			"[spec jobTargetRef template spec ",
			true, mutate.NewPods,
		},
		{
			"actions.github.com/v1alpha1", "AutoscalingRunnerSet",
			m{"template": spec},
			"[spec template spec ", true,
			mutate.NewPods,
		},
		{
			"actions.summerwind.dev/v1alpha1", "RunnerDeployment",
			m{"template": spec},
			"[spec template spec ", false,
			mutate.Restarts,
		},
		{
			"actions.summerwind.dev/v1alpha1", "RunnerSet",
			m{"template": spec},
			"[spec template spec ", true,
			mutate.Restarts,
		},
		{"serving.knative.dev/v1", "Service", m{"template": spec}, "[spec template spec ", false, mutate.Restarts},
		{
			"serving.knative.dev/v1", "Configuration",
			m{"template": spec},
			"[spec template spec ", false,
			mutate.Restarts,
		},
	} {
		t.Run(tt.kind, func(t *testing.T) {
			t.Parallel()
			object := m{"apiVersion": tt.version, "kind": tt.kind, "spec": tt.spec}
			want := []string{tt.path + "nodeSelector kubernetes.io/os]: linux"}
			if tt.os {
				want = append(want, tt.path+"os name]: linux")
			}
			got := adopter(options{Topology: cluster(platform.WindowsServer2022)})(object, platform.Linux)
			if diff := cmp.Diff(want, editTexts(got.Edits)); diff != "" {
				t.Errorf("edits (-want +got):\n%s", diff)
			}
			if effect := mutate.EffectOn(object); effect != tt.effect {
				t.Errorf("effect %d, want %d", effect, tt.effect)
			}
		})
	}
}
