package pods_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// The pods of GitLab's runners are the pods of each runner with the Kubernetes executor.
func TestRunnersOfGitLab(t *testing.T) {
	t.Parallel()
	o := pods.ReadObject(object(t, `
apiVersion: v1
kind: ConfigMap
metadata: {name: gitlab-runner}
data:
  config.toml: |
    concurrent = 10
    [[runners]]
      name = "shell"
      executor = "shell"
    [[runners]]
      name = "docker"
      executor = "docker"
      [runners.kubernetes]
        image = "alpine:3.20"
    [[runners]]
      name = "patched"
      executor = "kubernetes"
      [runners.kubernetes]
        [[runners.kubernetes.pod_spec]]
          patch = "nodeSelector: {}"
    [[runners]]
      name = "windows"
      executor = "kubernetes"
      [runners.kubernetes]
        image = "mcr.microsoft.com/windows/servercore:ltsc2022"
        helper_image = "shop.example.com/helper:$CI_RUNNER_VERSION"
        runtime_class_name = "windows-2022"
        [runners.kubernetes.affinity.pod_anti_affinity]
        [[runners.kubernetes.services]]
          name = "shop.example.com/database:2"
        [runners.kubernetes.node_selector]
          "kubernetes.io/os" = "windows"
        [runners.kubernetes.node_tolerations]
          "os=windows" = "NoSchedule"
          "empty=" = "NoExecute"
          "any" = ""
  config.template.toml: |
    [[runners]]
      [runners.kubernetes]
        namespace = "builds"
`))
	if len(o.All()) != 2 {
		t.Fatalf("%d runners, want 2", len(o.All()))
	}
	windows, template := o.All()[0], o.All()[1]
	want := map[string]any{
		"nodeSelector":     map[string]any{"kubernetes.io/os": "windows"},
		"runtimeClassName": "windows-2022",
		"affinity":         tree.Unknown{},
		"tolerations": []any{
			map[string]any{"key": "any", "operator": "Exists", "effect": ""},
			map[string]any{"key": "empty", "operator": "Equal", "value": "", "effect": "NoExecute"},
			map[string]any{"key": "os", "operator": "Equal", "value": "windows", "effect": "NoSchedule"},
		},
	}
	if diff := cmp.Diff(want, windows.Spec); diff != "" {
		t.Errorf("spec (-want +got):\n%s", diff)
	}
	if target := cluster().Target(windows, nil); target.OS() != platform.WindowsOS {
		t.Errorf("the target is %q, want windows", target.OS())
	}
	const at = "data[config.toml].runners[3].kubernetes"
	images := map[string]any{
		at + ".image":            "mcr.microsoft.com/windows/servercore:ltsc2022",
		at + ".helper_image":     tree.Unknown{},
		at + ".services[0].name": "shop.example.com/database:2",
	}
	got := map[string]any{}
	for i := range windows.Containers {
		c := &windows.Containers[i]
		got[windows.In(c, "image")] = c.Spec["image"]
	}
	if diff := cmp.Diff(images, got); diff != "" {
		t.Errorf("images (-want +got):\n%s", diff)
	}
	paths := []string{
		windows.Path(), windows.Path("nodeSelector", pods.Key("kubernetes.io/os")),
		windows.Path("tolerations", 1, "key"), windows.Path("hostNetwork"), template.Path("runtimeClassName"),
		template.In(&template.Containers[0], "image"),
	}
	if diff := cmp.Diff([]string{
		at, at + ".node_selector[kubernetes.io/os]", at + ".node_tolerations", at + ".hostNetwork",
		"data[config.template.toml].runners[0].kubernetes.runtime_class_name",
		"data[config.template.toml].runners[0].kubernetes.image",
	}, paths); diff != "" {
		t.Errorf("paths (-want +got):\n%s", diff)
	}
}

// Other ConfigMaps have no pods, nor does a secret configuration of GitLab Runner.
func TestNoRunnersOfGitLab(t *testing.T) {
	t.Parallel()
	const runner = `"[[runners]]\n[runners.kubernetes]\nimage = 'alpine:3.20'"`
	for name, tt := range map[string]struct {
		object string
		want   int
	}{
		"a runner":          {"{apiVersion: v1, kind: ConfigMap, data: {config.toml: " + runner + "}}", 1},
		"another key":       {"{apiVersion: v1, kind: ConfigMap, data: {runner.toml: " + runner + "}}", 0},
		"a Secret":          {"{apiVersion: v1, kind: Secret, data: {config.toml: " + runner + "}}", 0},
		"another group":     {"{apiVersion: example.com/v1, kind: ConfigMap, data: {config.toml: " + runner + "}}", 0},
		"a secret value":    {"{apiVersion: v1, kind: ConfigMap, data: {config.toml: '$secret-[[runners]]'}}", 0},
		"a wrong type":      {"{apiVersion: v1, kind: ConfigMap, data: {config.toml: 'runners = 5'}}", 0},
		"not TOML":          {"{apiVersion: v1, kind: ConfigMap, data: {config.toml: '[[runners'}}", 0},
		"of another server": {"{apiVersion: v1, kind: ConfigMap, data: {config.toml: 'plugins = [1]'}}", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := len(pods.ReadObject(object(t, tt.object)).All()); got != tt.want {
				t.Errorf("%d runners, want %d", got, tt.want)
			}
		})
	}
}
