package preflight_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/preflight"
)

func TestVersionsThatAreServed(t *testing.T) {
	t.Parallel()
	not := func(version, kind, rest string) string {
		return `apiVersion: "` + version + `": is not a version that the API server serves for a ` + kind + rest +
			" (MK104)"
	}
	for _, tt := range []struct{ object, want string }{
		{"apiVersion: node.k8s.io/v1, kind: RuntimeClass", ""},
		{
			"apiVersion: node.k8s.io/v1beta1, kind: RuntimeClass",
			not("node.k8s.io/v1beta1", "RuntimeClass", " since Kubernetes 1.25: write node.k8s.io/v1"),
		},
		{
			"apiVersion: batch/v1beta1, kind: CronJob",
			not("batch/v1beta1", "CronJob", " since Kubernetes 1.25: write batch/v1"),
		},
		{
			"apiVersion: extensions/v1beta1, kind: Deployment",
			not("extensions/v1beta1", "Deployment", " since Kubernetes 1.16: write apps/v1"),
		},
		{
			"apiVersion: apps/v1beta2, kind: StatefulSet",
			not("apps/v1beta2", "StatefulSet", " since Kubernetes 1.16: write apps/v1"),
		},
		{"apiVersion: v1, kind: Service", ""},
		{"kind: Pod", ""},
		{`apiVersion: "$unknown", kind: Pod`, ""},
		{`apiVersion: v1, kind: "$unknown"`, ""},
		{"apiVersion: serving.knative.dev/v1, kind: Service", ""},
		{"apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler", ""},
		{
			"apiVersion: autoscaling/v2beta2, kind: HorizontalPodAutoscaler",
			not("autoscaling/v2beta2", "HorizontalPodAutoscaler", " since Kubernetes 1.26: write autoscaling/v2"),
		},
		{
			"apiVersion: policy/v1beta1, kind: PodDisruptionBudget",
			not("policy/v1beta1", "PodDisruptionBudget", " since Kubernetes 1.25: write policy/v1"),
		},
		{
			"apiVersion: policy/v1beta1, kind: PodSecurityPolicy",
			not("policy/v1beta1", "PodSecurityPolicy",
				" since Kubernetes 1.25: remove the object: no version serves the kind"),
		},
		{
			"apiVersion: networking.k8s.io/v1beta1, kind: Ingress",
			strings.Replace(not("networking.k8s.io/v1beta1", "Ingress",
				" since Kubernetes 1.22: write networking.k8s.io/v1"), "for a ", "for an ", 1),
		},
		// Versions that the guide does not list, and versions that never existed.
		{"apiVersion: batch/v2alpha1, kind: CronJob", not("batch/v2alpha1", "CronJob", ": write batch/v1")},
		{"apiVersion: v1, kind: Deployment", not("v1", "Deployment", ": write apps/v1")},
		{"apiVersion: apps, kind: Deployment", not("apps", "Deployment", ": write apps/v1")},
		{"apiVersion: app/v1, kind: Deployment", not("app/v1", "Deployment", ": write apps/v1")},
		{"apiVersion: node.k8s.io, kind: RuntimeClass", not("node.k8s.io", "RuntimeClass", ": write node.k8s.io/v1")},
		{"apiVersion: networking.istio.io/v1, kind: Ingress", ""},
		{
			"apiVersion: scheduling.k8s.io/v1alpha1, kind: Workload",
			`apiVersion: "scheduling.k8s.io/v1alpha1": is a version that API servers serve for a Workload only in ` +
				`Kubernetes 1.35: write a version that Kubernetes 1.36 serves (MK104)`,
		},
		{
			"apiVersion: resource.k8s.io/v1beta1, kind: DeviceClass",
			`apiVersion: "resource.k8s.io/v1beta1": is a version that API servers serve only if configured to: ` +
				`write resource.k8s.io/v1 (MK169)`,
		},
	} {
		t.Run(tt.object, func(t *testing.T) {
			t.Parallel()
			var want []string
			if tt.want != "" {
				want = []string{tt.want}
			}
			wantFindings(t, object(t, "{"+tt.object+"}"), v136, "MK104,MK16", want...)
		})
	}
	t.Run("a newer API server", func(t *testing.T) {
		t.Parallel()
		of := func(document string) string {
			var lines []string
			for _, f := range preflight.Check(object(t, "{"+document+"}"),
				preflight.Options{KubernetesVersion: "1.40"}) {
				lines = append(lines, string(f.Severity)+" "+f.String())
			}
			return strings.Join(lines, "\n")
		}
		const in = " in Kubernetes 1.34 to 1.37"
		for document, want := range map[string]string{
			"apiVersion: batch/v3, kind: Job": "warning " + not("batch/v3", "Job", in+": write batch/v1"),
			"apiVersion: apps/v1, kind: DaemonSett": `warning kind: "DaemonSett": is not a kind of apps/v1` + in +
				": did you mean DaemonSet? (MK168)",
			"apiVersion: batch/v1beta1, kind: CronJob": "error " +
				not("batch/v1beta1", "CronJob", " since Kubernetes 1.25: write batch/v1"),
			"apiVersion: storage.k8s.io/v1beta1, kind: VolumeAttributesClass": `error apiVersion: ` +
				`"storage.k8s.io/v1beta1": ` +
				"is a version that API servers serve for a VolumeAttributesClass only until Kubernetes 1.36: " +
				"write storage.k8s.io/v1 (MK104)",
		} {
			if got := of(document); got != want {
				t.Errorf("%s: got\n%s\nwant\n%s", document, got, want)
			}
		}
	})
	t.Run("an older API server", func(t *testing.T) {
		t.Parallel()
		options := preflight.Options{KubernetesVersion: "1.24"}
		wantFindings(t, object(t, "{apiVersion: batch/v1beta1, kind: CronJob}"), options, "MK104")
		wantFindings(t, object(t, "{apiVersion: extensions/v1beta1, kind: Deployment}"), options, "MK104",
			not("extensions/v1beta1", "Deployment", " since Kubernetes 1.16: write apps/v1"))
	})
}

// What Kubernetes 1.37 serves for the first or the last time.
func TestVersionsOf137(t *testing.T) {
	t.Parallel()
	only := func(version, kind, when, fix string) string {
		return fmt.Sprintf("error apiVersion: %q: is a version that API servers serve for a %s only %s: %s (MK104)",
			version, kind, when, fix)
	}
	const (
		since    = "since Kubernetes 1.37"
		configed = "is a version that API servers serve only if configured to: "
	)
	for _, tt := range []struct{ version, kind, in136, in137, unknown string }{
		{
			"certificates.k8s.io/v1", "PodCertificateRequest",
			only("certificates.k8s.io/v1", "PodCertificateRequest", since, "write a version that Kubernetes 1.36 "+
				"serves"),
			"",
			`warning apiVersion: "certificates.k8s.io/v1": is a version that API servers serve for a ` +
				"PodCertificateRequest only " + since + ": write a version that the API server serves (MK104)",
		},
		{
			"certificates.k8s.io/v1beta1", "ClusterTrustBundle",
			`warning apiVersion: "certificates.k8s.io/v1beta1": ` + configed +
				"use it only if it is enabled in the API server's --runtime-config (MK169)",
			`warning apiVersion: "certificates.k8s.io/v1beta1": ` + configed + "write certificates.k8s.io/v1 (MK169)",
			`warning apiVersion: "certificates.k8s.io/v1beta1": ` + configed +
				"use it only if it is enabled in the API server's --runtime-config (MK169)",
		},
		{
			"scheduling.k8s.io/v1alpha2", "PodGroup",
			`warning apiVersion: "scheduling.k8s.io/v1alpha2": ` + configed +
				"use it only if it is enabled in the API server's --runtime-config (MK169)",
			only("scheduling.k8s.io/v1alpha2", "PodGroup", "in Kubernetes 1.36", "write a version that Kubernetes "+
				"1.37 serves"),
			`warning apiVersion: "scheduling.k8s.io/v1alpha2": is a version that API servers serve for a PodGroup ` +
				`only ` +
				"in Kubernetes 1.36: write a version that the API server serves (MK104)\n" +
				`warning apiVersion: "scheduling.k8s.io/v1alpha2": ` + configed +
				"use it only if it is enabled in the API server's --runtime-config (MK169)",
		},
	} {
		for version, want := range map[string]string{"1.36": tt.in136, "1.37": tt.in137, "": tt.unknown} {
			o := object(t, "{apiVersion: "+tt.version+", kind: "+tt.kind+", metadata: {name: a}}")
			var got []string
			for _, f := range preflight.Check(o, preflight.Options{KubernetesVersion: version}) {
				got = append(got, string(f.Severity)+" "+f.String())
			}
			if strings.Join(got, "\n") != want {
				t.Errorf("%s %s in %q: got\n%s\nwant\n%s", tt.version, tt.kind, version, strings.Join(got, "\n"), want)
			}
		}
	}
}

func TestUnknownKinds(t *testing.T) {
	t.Parallel()
	for document, want := range map[string]string{ // the suggested kind
		"apiVersion: apps/v1, kind: Deploymnet":                   "Deployment",
		"apiVersion: apps/v1, kind: daemonset":                    "DaemonSet",
		"apiVersion: v1, kind: PersistentVolumeClaims":            "PersistentVolumeClaim",
		"apiVersion: rbac.authorization.k8s.io/v1, kind: Cluster": "",
		// These are for programs other than the API server.
		"apiVersion: v1, kind: Config":                              "",
		"apiVersion: v1, kind: Template":                            "",
		"apiVersion: v1, kind: List":                                "",
		"apiVersion: v1, kind: DeploymentConfig":                    "",
		"apiVersion: kustomize.config.k8s.io/v1, kind: Component":   "",
		"apiVersion: gateway.networking.k8s.io/v1, kind: Gatewya":   "",
		"apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeClass": "",
	} {
		t.Run(document, func(t *testing.T) {
			t.Parallel()
			o := object(t, "{"+document+"}")
			if want == "" {
				wantFindings(t, o, v136, "MK")
				return
			}
			wantFindings(t, o, v136, "MK", fmt.Sprintf("kind: %q: is not a kind of %s: did you mean %s? (MK168)",
				o["kind"], o["apiVersion"], want))
		})
	}
}
