package guard_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/components/input"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

const podType = "kubernetes:core/v1:Pod"

var mixed = topology.Topology{KubernetesVersion: "1.36", Pools: []topology.Pool{
	{Name: "sys", Platform: platform.Linux, Count: 3},
	{Name: "win19", Platform: platform.WindowsServer2019},
	{Name: "win22", Platform: platform.WindowsServer2022, Count: 2},
}}

// guarded wraps a program with the guard.
func guarded(args guard.Args, program pulumi.RunFunc) pulumi.RunFunc {
	return guard.Program(enforcing(args, program))
}

// counted wraps a program with the guard. It counts the objects that the guard looks at, by who shows them.
func counted(args guard.Args, before, program pulumi.RunFunc) (pulumi.RunFunc, func() string) {
	var looked func() string
	return guard.Program(func(ctx *pulumi.Context) error {
		looked = guard.Looked(ctx)
		if before != nil {
			if err := before(ctx); err != nil {
				return err
			}
		}
		return enforcing(args, program)(ctx)
	}), func() string { return looked() }
}

// pod registers a Pod.
func pod(
	ctx *pulumi.Context, name string, spec corev1.PodSpecArgs, opts ...pulumi.ResourceOption,
) (*corev1.Pod, error) {
	return corev1.NewPod(ctx, name, &corev1.PodArgs{
		Metadata: metav1.ObjectMetaArgs{Name: pulumi.String(name)}, Spec: spec,
	}, opts...)
}

// onePod returns a program that registers a Pod.
func onePod(name string, spec corev1.PodSpecArgs, opts ...pulumi.ResourceOption) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		_, err := pod(ctx, name, spec, opts...)
		return err
	}
}

// podsOf returns a program that registers Pods, by their names.
func podsOf(specs map[string]corev1.PodSpecArgs) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		for name, spec := range specs {
			if _, err := pod(ctx, name, spec); err != nil {
				return err
			}
		}
		return nil
	}
}

func container(image string) corev1.ContainerArray {
	return corev1.ContainerArray{corev1.ContainerArgs{Name: pulumi.String("main"), Image: pulumi.String(image)}}
}

// windows returns a correct Windows pod that mistake then changes.
func windows(mistake func(*corev1.PodSpecArgs)) corev1.PodSpecArgs {
	spec := corev1.PodSpecArgs{
		Os:           corev1.PodOSArgs{Name: pulumi.String("windows")},
		NodeSelector: pulumi.ToStringMap(topology.NodeSelector(platform.WindowsServer2022)),
		Tolerations:  input.Tolerations(mixed.WithDefaults().Tolerations(platform.WindowsServer2022)),
		Containers:   container("shop.example/web:ltsc2022"),
	}
	if mistake != nil {
		mistake(&spec)
	}
	return spec
}

// logs returns the logged messages as "SEVERITY NAME: MESSAGE", sorted, with the names of the resources.
func logs(graph *mocktest.Graph) []string {
	var lines []string
	for _, l := range graph.Logs() {
		name := "the stack"
		if l.URN != "" {
			name = l.URN.Name()
		}
		lines = append(lines, fmt.Sprintf("%s %s: %s", l.Severity, name, l.Message))
	}
	slices.Sort(lines)
	return lines
}

// diffLogs compares all logs. A wanted line may leave out the sentence of a rule: see [golden.AnySentence].
func diffLogs(t *testing.T, graph *mocktest.Graph, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, logs(graph), golden.AnySentence); diff != "" {
		t.Errorf("logs (-want +got):\n%s", diff)
	}
}

// diffError compares the error. If mocktest or Pulumi put text before it, only the last line is the guard's.
func diffError(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want: %s", want)
	}
	if got := err.Error(); !strings.HasSuffix(got, want) {
		t.Errorf("the error is:\n%s\nwant at its end:\n%s", got, want)
	}
}

func spec(t *testing.T, graph *mocktest.Graph, name string) map[string]any {
	t.Helper()
	r, err := graph.Get(podType, name)
	if err != nil {
		t.Fatal(err)
	}
	return r.Plain()["spec"].(map[string]any)
}
