package preflight_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/core/preflight"
)

func TestPullsAgainstDeadlines(t *testing.T) {
	t.Parallel()
	none := preflight.Options{KubernetesVersion: "1.36"}
	sized := func(mib ...int64) preflight.Options {
		return by(none, published("windows/amd64/10.0.20348.1", layers(mib...)))
	}
	shop := onWindows + container("shop")
	runPodCases(t, []podCase{
		{
			name: "too large for a Deployment",
			want: []string{`warning spec.progressDeadlineSeconds: is 600 seconds, and pulling the images takes about ` +
				`10m1s at 30 MiB a second: they have 17.6 GiB above their base: set it to more than 601, make the ` +
				`images smaller, or pull them onto the nodes before (MK220)`},
			kind:    "Deployment",
			spec:    shop,
			options: sized(2000, 18001),
		},
		{
			name: "just small enough for it, but slow",
			want: []string{`info spec.template.spec.containers[0].image: "shop": the images have 17.6 GiB above ` +
				`their base, and each new node pulls them for about 10m0s at 30 MiB a second before the pods start: ` +
				`make the images smaller, or pull them with a DaemonSet onto a spare node (MK221)`},
			kind:    "Deployment",
			spec:    shop,
			options: sized(2000, 18000),
		},
		{
			name: "slow by two images, of which the larger is named",
			want: []string{"info spec.template.spec.containers[1].image: … (MK221)"},
			kind: "StatefulSet",
			spec: onWindows + "containers: [{name: a, image: shop}, {name: b, image: side}]\n",
			options: by(none, published("windows/amd64/10.0.20348.1", layers(2000, 4001)),
				published("windows/amd64/10.0.20348.1", layers(2000, 5000))),
		},
		{name: "just not slow", kind: "Deployment", spec: shop, options: sized(2000, 9000)},
		{name: "a large base", kind: "Deployment", spec: shop, options: sized(20000, 100)},
		{
			name: "no deadline of a Job", kind: "Job",
			spec:    "restartPolicy: Never\n" + shop,
			options: sized(2000, 20000),
		},
		{name: "a DaemonSet that pulls for others", kind: "DaemonSet", spec: shop, options: sized(2000, 20000)},
		{
			name:    "a deadline of the pods",
			want:    []string{"warning spec.template.spec.activeDeadlineSeconds: … (MK220)"},
			kind:    "Job",
			spec:    "activeDeadlineSeconds: 60\n" + shop,
			options: sized(200, 1801),
		},
		{
			name: "on Linux", kind: "Job", spec: "activeDeadlineSeconds: 60\n" + onLin + container("shop"),
			options: by(none, published("linux/amd64", layers(200, 1801))),
		},
		{name: "one image twice", kind: "Job", spec: "activeDeadlineSeconds: 60\n" + onWindows +
			"containers: [{name: a, image: shop}, {name: b, image: shop}]\n", options: sized(200, 1000)},
		{name: "sizes that are not known", kind: "Deployment", spec: shop, options: sized()},
	})
}

// A secret deadline is not shown.
func TestASecretDeadlineIsNotCompared(t *testing.T) {
	t.Parallel()
	o := object(t, "{kind: Pod, spec: {os: {name: windows}, nodeSelector: {kubernetes.io/os: windows}, "+
		"activeDeadlineSeconds: 60, containers: [{name: shop, image: shop}]}}")
	options := by(preflight.Options{}, published("windows/amd64/10.0.20348.1", layers(200, 1801)))
	wantFindings(t, o, options, "MK220", "spec.activeDeadlineSeconds: … (MK220)")
	o["spec"].(map[string]any)["activeDeadlineSeconds"] = preflight.Secret{Value: int64(60)}
	wantFindings(t, o, options, "MK220")
}

// Deadlines in the workload itself.
func TestDeadlinesOfWorkloads(t *testing.T) {
	t.Parallel()
	options := by(preflight.Options{}, published("windows/amd64/10.0.20348.1", layers(200, 1801)))
	const pods = "{spec: {restartPolicy: Never, os: {name: windows}, nodeSelector: {kubernetes.io/os: windows}, " +
		"containers: [{name: shop, image: shop}]}}"
	for _, tt := range []struct{ object, path string }{
		{"{kind: Job, spec: {activeDeadlineSeconds: 60, template: " + pods + "}}", "spec.activeDeadlineSeconds"},
		{"{kind: Job, spec: {activeDeadlineSeconds: 61, template: " + pods + "}}", ""},
		{
			"{kind: CronJob, spec: {jobTemplate: {spec: {activeDeadlineSeconds: 60, template: " + pods + "}}}}",
			"spec.jobTemplate.spec.activeDeadlineSeconds",
		},
		{
			"{kind: Deployment, spec: {progressDeadlineSeconds: 60, template: " + pods + "}}",
			"spec.progressDeadlineSeconds",
		},
		{"{kind: Deployment, spec: {progressDeadlineSeconds: '$unknown', template: " + pods + "}}", ""},
		{"{kind: Deployment, spec: '$unknown'}", ""},
	} {
		path := ""
		for _, f := range preflight.Check(object(t, tt.object), options) {
			if f.Rule == "MK220" {
				path = f.Path
			}
		}
		if path != tt.path {
			t.Errorf("%s: found at %q, want %q", tt.object, path, tt.path)
		}
	}
}
