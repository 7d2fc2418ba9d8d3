package record_test

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/components/guard/internal/record"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
)

const (
	onWindows = "containers: [{image: 'mcr.microsoft.com/windows/servercore:ltsc2022'}]"
	onLinux   = "containers: [{image: 'alpine:3.22'}]"
	unsaid    = "containers: [{image: 'shop.example/web:1'}]"
)

// completed shows a recorder that completes pods the objects of a provider, and returns the log and the verdicts. Only
// the pools of the default provider are known.
func completed(t *testing.T, place record.Placing, of string, objects ...string) ([]string, map[string]record.Verdict) {
	t.Helper()
	verdicts := map[string]record.Verdict{}
	clusters := []record.Cluster{{Options: mixed}}
	if of != "" {
		clusters = append(clusters, record.Cluster{Provider: of})
	}
	logs, _, _ := recorded(t, record.Options{Place: &place, Clusters: clusters}, func(r *record.Recorder) error {
		for _, text := range objects {
			object, properties := shown(of, text)
			verdicts[object.Name] = r.Check(object, properties)
		}
		return r.Finish(record.End{})
	}, mocktest.Preview())
	return logs, verdicts
}

func workload(version, kind, name, spec string) string {
	return "{apiVersion: " + version + ", kind: " + kind + ", metadata: {name: " + name + "}, spec: {" + spec + "}}"
}

// Pulumi replaces a Job or a Pod whose pod template changes: a Job would run again.
func TestOnlyNewJobsAndPodsAreCompleted(t *testing.T) {
	t.Parallel()
	template := func(spec string) string { return "template: {spec: {restartPolicy: Never, " + spec + "}}" }
	own := ", nodeSelector: {disk: ssd}, tolerations: [{key: gpu, operator: Exists}]"
	logs, verdicts := completed(t, record.Placing{}, "",
		workload("batch/v1", "Job", "windows", template(onWindows)),
		workload("batch/v1", "Job", "linux", template(onLinux)),
		workload("batch/v1", "Job", "own", template(onWindows+own)),
		workload("batch/v1", "CronJob", "cron", "schedule: '@daily', jobTemplate: {spec: {"+template(onLinux)+"}}"),
		workload("apps/v1", "Deployment", "web", "selector: {matchLabels: {app: web}}, template: {metadata: {labels: "+
			"{app: web}}, spec: {"+onLinux+"}}"),
		pod("pod", onWindows), pod("unsaid", unsaid),
	)
	const pods = "spec.template.spec."
	for name, want := range map[string][]string{
		"windows": {pods + "nodeSelector", pods + "tolerations", pods + "os"},
		"linux":   {pods + "nodeSelector", pods + "os"},
		"own": {
			pods + `nodeSelector["kubernetes.io/arch"]`, pods + `nodeSelector["kubernetes.io/os"]`,
			pods + `nodeSelector["node.kubernetes.io/windows-build"]`, pods + "tolerations", pods + "os",
		},
		"pod": {"spec.nodeSelector", "spec.tolerations", "spec.os"}, "unsaid": nil, "cron": nil, "web": nil,
	} {
		diff(t, name+" ignores", want, verdicts[name].IgnoreChanges)
	}
	const placed = "\nPlace completes 6 of 7 workloads" +
		"\n  1 Deployment: changes only where the preview shows an update" +
		"\n  3 Jobs, 1 Pod: those that exist stay as they are, new ones are completed" +
		"\n  1 CronJob: pods that exist stay as they are, new ones are completed" +
		"\n  1 workload without a known operating system: set AssumeLinux, the annotation mixedkube.dev/platform, or " +
		"look up the images with mixedkube images lock"
	if !strings.Contains(strings.Join(logs, "\n"), placed) {
		t.Errorf("the logs do not have %s:\n%s", placed, strings.Join(logs, "\n"))
	}
}

// The rules see the completed pods.
func TestLandingsOfCompletedPods(t *testing.T) {
	t.Parallel()
	const head = "info : where the pods can land:\n"
	workflow := func(name, image string) string {
		return workload("argoproj.io/v1alpha1", "Workflow", name,
			"templates: [{name: run, container: {image: '"+image+"'}}]")
	}
	for name, tt := range map[string]struct {
		objects []string
		want    []string
	}{
		"a wrong annotation": {[]string{
			pod("web, annotations: {mixedkube.dev/platform: linx}", onLinux),
		}, []string{
			"error web: metadata.annotations[mixedkube.dev/platform]: … (MK902)",
			head + "  web → sys (3 nodes), not placed: the annotation mixedkube.dev/platform is wrong\n" +
				"Place completes 0 of 1 workloads",
		}},
		"a release without a pool": {[]string{
			pod("web", strings.ReplaceAll(onWindows, "2022", "2025")),
		}, []string{
			"error web: spec.containers[0].image: … (MK305)",
			head + "  web → nowhere\nPlace completes 1 of 1 workloads\n" +
				"  1 Pod: those that exist stay as they are, new ones are completed",
		}},
		// A Workflow has no landing, because each of its templates can have its own.
		"workflows": {[]string{
			workflow("build", "mcr.microsoft.com/windows/servercore:ltsc2022"), workflow("unsaid", "web:1"),
			"{apiVersion: v1, kind: ConfigMap, metadata: {name: runner}, data: {config.toml: \"[[runners]]\\n" +
				"[runners.kubernetes]\\nimage = 'alpine'\"}}",
		}, []string{"info : Place completes 1 of 2 workloads\n" +
			"  1 Workflow: pods that exist stay as they are, new ones are completed"}},
	} {
		logs, _ := completed(t, record.Placing{}, "", tt.objects...)
		diff(t, name, tt.want, logs)
	}
}

func TestSelectedPodsOfKnownPoolsAreCompleted(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		place record.Placing
		of    string
		want  []string
		edits bool
	}{
		"all":            {record.Placing{}, "", []string{"spec.nodeSelector", "spec.os"}, true},
		"existing pods":  {record.Placing{Policy: mutate.Policy{MovePins: true}}, "", nil, true},
		"others":         {record.Placing{Only: []report.Selection{{Resources: []string{"app"}}}}, "", nil, false},
		"other clusters": {record.Placing{}, "other", nil, false},
	} {
		_, verdicts := completed(t, tt.place, tt.of, pod("web", onLinux))
		diff(t, name, tt.want, verdicts["web"].IgnoreChanges)
		if completes := len(verdicts["web"].Edits) > 0; completes != tt.edits {
			t.Errorf("%s: completed: %t", name, completes)
		}
	}
}
