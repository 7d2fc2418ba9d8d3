package guard_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	k8score "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/hostprocess"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/components/input"
)

// lacked is the platform that the clusters of [TestAPlatformThatTheClusterLacksIsReportedAtEveryDoor] may lack.
const lacked = platform.WindowsServer2025

// described returns a topology with or without a pool of the platform.
func described(change func(*topology.Topology)) topology.Topology {
	t := topology.Topology{KubernetesVersion: "1.36", Pools: []topology.Pool{
		{Name: "sys", Platform: platform.Linux}, {Name: "win22", Platform: platform.WindowsServer2022},
	}}
	if change != nil {
		change(&t)
	}
	return t
}

// scheduled are programs with pods for the platform, by the way in which they find their nodes. With a topology, the
// component gets it as its argument; the others have no such argument, and are not in the answer.
func scheduled(t topology.Topology) map[string]pulumi.RunFunc {
	image := container("shop.example/web:1")
	labels := pulumi.StringMap{"app": pulumi.String("web")}
	selector := metav1.LabelSelectorArgs{MatchLabels: labels}
	template := corev1.PodTemplateSpecArgs{
		Metadata: metav1.ObjectMetaArgs{Labels: labels}, Spec: corev1.PodSpecArgs{Containers: image},
	}
	deployment := func(s workload.Scheduling) pulumi.RunFunc {
		return func(ctx *pulumi.Context) error {
			_, err := workload.NewDeployment(ctx, "web", &workload.DeploymentArgs{
				Platform: lacked, Scheduling: s, Topology: t,
				Spec: appsv1.DeploymentSpecArgs{Selector: selector, Template: template},
			})
			return err
		}
	}
	all := map[string]pulumi.RunFunc{
		"component, by RuntimeClass": deployment(workload.ByRuntimeClass),
		"component, by selector":     deployment(workload.BySelector),
		"component, a DaemonSet": func(ctx *pulumi.Context) error {
			_, err := workload.NewDaemonSet(ctx, "web", &workload.DaemonSetArgs{
				Platform: lacked, Topology: t, Spec: appsv1.DaemonSetSpecArgs{Selector: selector, Template: template},
			})
			return err
		},
		"component, host process": func(ctx *pulumi.Context) error {
			_, err := hostprocess.NewDaemonSet(ctx, "web", &hostprocess.DaemonSetArgs{
				User: hostprocess.LocalService, Platforms: []platform.Platform{platform.WindowsServer2022, lacked},
				Topology: t, Pods: corev1.PodSpecArgs{Containers: image},
			})
			return err
		},
	}
	if t.IsSet() {
		return all
	}
	plain := func(change func(*corev1.PodSpecArgs)) pulumi.RunFunc {
		return func(ctx *pulumi.Context) error {
			spec := corev1.PodSpecArgs{Os: corev1.PodOSArgs{Name: pulumi.String("windows")}, Containers: image}
			change(&spec)
			_, err := pod(ctx, "web", spec)
			return err
		}
	}
	all["object, by RuntimeClass"] = plain(func(s *corev1.PodSpecArgs) {
		s.RuntimeClassName = pulumi.String(topology.RuntimeClassName(lacked))
	})
	all["object, by selector"] = plain(func(s *corev1.PodSpecArgs) {
		s.NodeSelector = pulumi.ToStringMap(topology.NodeSelector(lacked))
		s.Tolerations = input.Tolerations([]k8score.Toleration{topology.Tolerate(topology.WindowsTaint())})
	})
	return all
}

// The same mistake is an error in each way in which pods find their nodes, and through each door of a Pulumi program
// in Go, if the topology is complete. Otherwise it is a warning.
func TestAPlatformThatTheClusterLacksIsReportedAtEveryDoor(t *testing.T) {
	t.Parallel()
	const fine, warning, failure = "", "warning", "error"
	partial := func(t *topology.Topology) { t.Partial = true }
	topologies := map[string]struct {
		topology topology.Topology
		want     string
	}{
		"the platform has a pool": {described(func(t *topology.Topology) {
			t.Pools = append(t.Pools, topology.Pool{Name: "win25", Platform: lacked})
		}), fine},
		"complete": {described(nil), failure},
		"complete, with the RuntimeClasses of the cluster": {described(func(t *topology.Topology) {
			t.RuntimeClasses = []topology.RuntimeClass{{
				Name: topology.RuntimeClassName(lacked), NodeSelector: topology.NodeSelector(lacked),
			}}
		}), failure},
		"partial": {described(partial), warning},
	}
	for name, tt := range topologies {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for scheduling, program := range scheduled(topology.Topology{}) {
				want := tt.want
				if scheduling == "object, by RuntimeClass" && want == warning {
					want = fine // only the name of the class is a hint
				}
				got := verdict(guarded(guard.Args{Topology: tt.topology}, program))
				if got != want {
					t.Errorf("guard, %s: %q, want %q", scheduling, got, want)
				}
			}
			for scheduling, program := range scheduled(tt.topology) {
				if got := verdict(program); got != tt.want {
					t.Errorf("argument, %s: %q, want %q", scheduling, got, tt.want)
				}
			}
		})
	}
}

// verdict returns the severity with which a preview reports that no pool runs the platform.
func verdict(program pulumi.RunFunc) string {
	graph, err := mocktest.Run(program, mocktest.Preview())
	const no = "no pool of the topology"
	if err != nil && (strings.Contains(err.Error(), no) || strings.Contains(err.Error(), "(MK303)")) {
		return "error"
	}
	for _, l := range graph.Logs() {
		if strings.Contains(l.Message, no) || strings.Contains(l.Message, "(MK303)") {
			return l.Severity
		}
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

func TestTheGuardNamesTheArgumentThatNoPoolRuns(t *testing.T) {
	t.Parallel()
	const no = `: no pool of the topology runs it, only linux, windows-2022: add a pool, or use one of these ` +
		`platforms (MK303)`
	const spec = "spec.template.spec."
	for scheduling, want := range map[string]string{
		"component, by RuntimeClass": spec + `runtimeClassName: "windows-2025"` + no,
		"component, by selector":     spec + `nodeSelector[node.kubernetes.io/windows-build]: "10.0.26100"` + no,
		"component, a DaemonSet":     spec + `nodeSelector[node.kubernetes.io/windows-build]: "10.0.26100"` + no,
		"component, host process": spec + `affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.` +
			`nodeSelectorTerms[0].matchExpressions[0].values[1]: "10.0.26100"` + no,
	} {
		t.Run(scheduling, func(t *testing.T) {
			t.Parallel()
			program := scheduled(topology.Topology{})[scheduling]
			graph, err := mocktest.Run(guarded(guard.Args{Topology: described(nil)}, program), mocktest.Preview())
			if err == nil {
				t.Error("no error")
			}
			var got []string
			for _, l := range graph.Logs() {
				if l.Severity == "error" {
					got = append(got, l.Message)
				}
			}
			if diff := cmp.Diff([]string{want}, got); diff != "" {
				t.Errorf("errors (-want +got):\n%s", diff)
			}
		})
	}
}
