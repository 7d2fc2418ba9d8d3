package guard_test

import (
	"testing"

	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/mocktest"
)

func withDeprecated(s *corev1.PodSpecArgs) {
	s.NodeSelector = pulumi.StringMap{"beta.kubernetes.io/os": pulumi.String("windows")}
}

// inNamespace registers a Pod in a namespace.
func inNamespace(ctx *pulumi.Context, name, namespace string, spec corev1.PodSpecArgs) error {
	_, err := corev1.NewPod(ctx, name, &corev1.PodArgs{
		Metadata: metav1.ObjectMetaArgs{Name: pulumi.String(name), Namespace: pulumi.String(namespace)}, Spec: spec,
	})
	return err
}

func TestAnAdvisoryGuardStopsAndChangesNothing(t *testing.T) {
	t.Parallel()
	for _, options := range [][]mocktest.Option{nil, {mocktest.Preview()}} {
		args := guard.Args{EnforcementLevel: guard.Advisory}
		graph := mocktest.MustRun(t, guarded(args, twoMistakes), options...)
		diffLogs(t, graph, "warning first: would stop the program: "+fsGroup,
			"warning second: would stop the program: "+hostPID)
		if got := names(graph); len(got) != 3 {
			t.Errorf("registered %v", got)
		}
		r, err := graph.Get(podType, "first")
		if err != nil || len(r.Unknowns()) > 0 {
			t.Errorf("the Pod is changed: %v, %v", r.Unknowns(), err)
		}
	}
}

// legacy has a Pod with two mistakes in the namespace legacy, one with a mistake in another, and
// one in a namespace that is not known yet.
func legacy(ctx *pulumi.Context) error {
	both := func(s *corev1.PodSpecArgs) {
		withFSGroup(s)
		withHostPID(s)
	}
	if err := inNamespace(ctx, "old", "legacy-shop", windows(both)); err != nil {
		return err
	}
	if err := inNamespace(ctx, "new", "shop", windows(withHostPID)); err != nil {
		return err
	}
	_, err := pod(ctx, "plain", windows(withHostPID))
	return err
}

func TestIgnoredFindingsAreCountedAndStopNothing(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		ignore []guard.Ignore
		logs   []string
		err    string
	}{
		"by rule": {
			[]guard.Ignore{{Rules: []string{"MK111", "MK118"}, Reason: "until March"}},
			[]string{
				"info the stack: accepted findings:\n  ignored: MK111, MK118: 4 findings (until March)",
			},
			"",
		},
		"by namespace": {
			[]guard.Ignore{{Namespaces: []string{"legacy-*"}}, {Namespaces: []string{"default"}}},
			[]string{
				"error new: " + hostPID,
				"info the stack: accepted findings:\n" +
					"  ignored: all rules in the namespace legacy-*: 2 findings\n" +
					"  ignored: all rules in the namespace default: 1 finding",
			},
			"mixedkube preflight: 1 error, shown at its resource",
		},
		"by resource, where every part has to match": {
			[]guard.Ignore{
				{Rules: []string{"MK111"}, Resources: []string{"kubernetes:core/v1:Pod::o*", "Pod/plain"}},
				{Resources: []string{"urn:pulumi:**::new"}, Namespaces: []string{"shop"}},
				{Resources: []string{"new"}, Namespaces: []string{"legacy-*"}},
			},
			[]string{
				"error old: " + fsGroup,
				"info the stack: accepted findings:\n" +
					"  ignored: MK111 of kubernetes:core/v1:Pod::o* or Pod/plain: 2 findings\n" +
					"  ignored: all rules in the namespace shop of urn:pulumi:**::new: 1 finding",
				"warning the stack: ignore[2]: all rules in the namespace legacy-* of new: there is no such finding: " +
					"remove it",
			},
			"mixedkube preflight: 1 error, shown at its resource",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			graph, err := mocktest.Run(guarded(guard.Args{Ignore: tt.ignore}, legacy), mocktest.Preview())
			diffLogs(t, graph, tt.logs...)
			if tt.err == "" && err != nil {
				t.Error(err)
			} else if tt.err != "" {
				diffError(t, err, tt.err)
			}
		})
	}
}

func TestAnUpdateCreatesResourcesWithIgnoredFindings(t *testing.T) {
	t.Parallel()
	args := guard.Args{Ignore: []guard.Ignore{{Rules: []string{"MK111", "MK118"}}}}
	graph := mocktest.MustRun(t, guarded(args, legacy))
	if got := names(graph); len(got) != 3 {
		t.Errorf("registered %v", got)
	}
	diffLogs(t, graph)
}

func TestEnforceRefusesArgumentsOfAdoption(t *testing.T) {
	t.Parallel()
	args := guard.Args{
		EnforcementLevel: "warn",
		Ignore: []guard.Ignore{
			{Rules: []string{"MK1188"}}, {Reason: "all"}, {Rules: []string{"MK118"}, Namespaces: []string{"a", ""}},
		},
		Clusters: []guard.Cluster{
			{Topology: mixed}, {Provider: "dev", Topology: mixed, KubernetesVersion: "new"}, {Provider: "dev"},
		},
	}
	_, err := mocktest.Run(guarded(args, twoMistakes))
	diffError(t, err, "guard:\n"+
		"  clusters[0].provider: Required value: give the name of the provider resource\n"+
		"  clusters[1].kubernetesVersion: Invalid value: \"new\": not a Kubernetes version: write 1.36 or 1.36.3\n"+
		"  clusters[2].provider: Duplicate value: \"dev\"\n"+
		"  clusters[2].topology: Required value: list the pools of the cluster\n"+
		"  enforcementLevel: Unsupported value: \"warn\": supported values: \"mandatory\", \"advisory\"\n"+
		"  ignore[0].rules[0]: Invalid value: \"MK1188\": is not a rule: remove it, or did you mean MK118?\n"+
		"  ignore[1]: Required value: set rules, namespaces or resources: all findings would be ignored\n"+
		"  ignore[2].namespaces[1]: Required value: an empty pattern matches nothing")
}
