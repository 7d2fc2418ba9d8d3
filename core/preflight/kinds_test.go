package preflight_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
)

// The pods of kinds of other programs get the same findings, at their paths.
func TestPodsOfOtherKinds(t *testing.T) {
	t.Parallel()
	const windows = "nodeSelector: {kubernetes.io/os: windows}, containers: [{name: shop, image: " +
		"'mcr.microsoft.com/windows/nanoserver:ltsc2025'}]"
	options := mixed(platform.WindowsServer2022)
	options.Topology.Pools[1].Untainted = true
	const newer = `"mcr.microsoft.com/windows/nanoserver:ltsc2025": `
	for _, tt := range []struct{ name, object, path, noun string }{
		{
			"a Rollout", "apiVersion: argoproj.io/v1alpha1, kind: Rollout, spec: {template: {spec: {" + windows + "}}}",
			"spec.template.spec.containers[0].image", "rollout",
		},
		{
			"a ScaledJob", "apiVersion: keda.sh/v1alpha1, kind: ScaledJob, spec: {jobTargetRef: {template: {spec: {" +
				windows + "}}}}", "spec.jobTargetRef.template.spec.containers[0].image", "scaledjob",
		},
		{
			"GitHub's runners", "apiVersion: actions.github.com/v1alpha1, kind: AutoscalingRunnerSet, spec: " +
				"{template: {spec: {" + windows + "}}}",
			"spec.template.spec.containers[0].image", "autoscalingrunnerset",
		},
		{
			"a Workflow", "apiVersion: argoproj.io/v1alpha1, kind: Workflow, spec: {nodeSelector: " +
				"{kubernetes.io/os: windows}, templates: [{name: a, steps: []}, {name: b, container: {image: " +
				"'mcr.microsoft.com/windows/nanoserver:ltsc2025'}}]}", "spec.templates[1].container.image", "workflow",
		},
		{
			"GitLab's runners",
			"apiVersion: v1, kind: ConfigMap, data: {config.template.toml: \"[[runners]]\\n[runners.kubernetes]\\n" +
				"image = 'mcr.microsoft.com/windows/nanoserver:ltsc2025'\\n[runners.kubernetes.node_selector]\\n" +
				"'kubernetes.io/os' = 'windows'\"}",
			"data[config.template.toml].runners[0].kubernetes.image", "build pod",
		},
		{
			"a script of a CronWorkflow", "apiVersion: argoproj.io/v1alpha1, kind: CronWorkflow, spec: " +
				"{workflowSpec: {templates: [{name: b, nodeSelector: {kubernetes.io/os: windows}, script: {image: " +
				"'mcr.microsoft.com/windows/nanoserver:ltsc2025'}}]}}",
			"spec.workflowSpec.templates[0].script.image", "cronworkflow",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := acrossTexts(t, options, "{"+tt.object+"}", "MK305")
			want := []string{"0 error " + tt.path + ": " + newer + "needs a Windows Server 2025 node, but the " +
				tt.noun + " can land on the pool win22: use the tag ltsc2022 (MK305)"}
			diffFindings(t, want, got)
		})
	}
}

// A template with a wrong image does not hide that another template of the workflow fits no pool.
func TestTemplatesAreJudgedAlone(t *testing.T) {
	t.Parallel()
	options := mixed(platform.WindowsServer2022)
	options.Topology.Pools[1].Untainted = true
	const (
		wrong = "{name: a, nodeSelector: {kubernetes.io/os: linux}, container: {image: " +
			"'mcr.microsoft.com/windows/nanoserver:ltsc2022'}}"
		homeless = "{name: b, nodeSelector: {kubernetes.io/os: windows, topology.kubernetes.io/zone: '1'}, " +
			"container: {image: 'mcr.microsoft.com/windows/nanoserver:1809'}}"
	)
	workflow := func(templates string) map[string]any {
		return object(t, "{apiVersion: argoproj.io/v1alpha1, kind: Workflow, spec: {templates: ["+templates+"]}}")
	}
	fitsNone := func(template string) string {
		return template + ": … (MK303)"
	}
	wantFindings(t, workflow(homeless), options, "MK2,MK303", fitsNone("spec.templates[0]"))
	wantFindings(t, workflow(wrong+", "+homeless), options, "MK2,MK303",
		"spec.templates[0].container.image: … (MK202)",
		fitsNone("spec.templates[1]"))
}
