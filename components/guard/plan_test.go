package guard_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	nodev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/node/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// without22 is the planned topology of the tests: mixed without the pool of Windows Server 2022.
var without22 = topology.Topology{Pools: []topology.Pool{
	{Name: "sys", Platform: platform.Linux}, {Name: "win19", Platform: platform.WindowsServer2019},
}}

// stranded is the finding about a Pod of [onWin22].
const stranded = "spec.nodeSelector[agentpool]: … (MK319)"

// onWin22 registers a Pod that names the pool win22.
func onWin22(selected pulumi.StringInput, opts ...pulumi.ResourceOption) pulumi.RunFunc {
	return onePod("web", windows(func(s *corev1.PodSpecArgs) {
		s.NodeSelector = pulumi.StringMap{"kubernetes.io/os": pulumi.String("windows"), "agentpool": selected}
		s.Containers = container("shop.example/web:1.4")
	}), opts...)
}

func TestAPlanStrandsPods(t *testing.T) {
	t.Parallel()
	const lands = "info the stack: where the pods can land:\n  web → perhaps win19 (1 node), perhaps win22 (2 nodes)"
	partial := without22
	partial.Partial = true
	for name, tt := range map[string]struct {
		args     guard.Args
		selected pulumi.StringInput
		want     string // "" if nothing is stranded
		stops    bool
	}{
		"no plan": {guard.Args{Topology: mixed}, pulumi.String("win22"), "", false},
		"a plan": {
			guard.Args{Topology: mixed, To: without22}, pulumi.String("win22"), "error web: " + stranded, true,
		},
		"the same one": {guard.Args{Topology: mixed, To: mixed}, pulumi.String("win22"), "", false},
		"an advisory guard": {
			guard.Args{Topology: mixed, To: without22, EnforcementLevel: guard.Advisory},
			pulumi.String("win22"),
			"warning web: would stop the program: " + stranded, false,
		},
		"a partial plan": {
			guard.Args{Topology: mixed, To: partial},
			pulumi.String("win22"),
			"warning web: " + stranded, false,
		},
		"a secret": {
			guard.Args{Topology: mixed, To: without22},
			pulumi.ToSecret(pulumi.String("win22")).(pulumi.StringOutput),
			"error web: spec: … (MK319)", true,
		},
	} {
		for _, options := range [][]mocktest.Option{nil, {mocktest.Preview()}} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				graph, err := mocktest.Run(guarded(tt.args, onWin22(tt.selected)), options...)
				var want []string
				if tt.want != "" {
					want = append(want, tt.want)
				}
				if len(options) > 0 {
					want = append(want, lands)
				}
				slices.Sort(want)
				diffLogs(t, graph, want...)
				if tt.stops != (err != nil) {
					t.Errorf("the program ends with %v", err)
				}
			})
		}
	}
}

// The plan itself has findings, and so do the classes of the cluster that the program does not register.
func TestAPlanItselfHasFindings(t *testing.T) {
	t.Parallel()
	class := topology.RuntimeClass{Name: "iis", NodeSelector: map[string]string{"agentpool": "win22"}}
	having, empty := mixed, without22
	having.RuntimeClasses, empty.RuntimeClasses = []topology.RuntimeClass{class}, []topology.RuntimeClass{}
	const (
		strandedClass = inError + "runtimeClasses[0].nodeSelector[agentpool]: … (MK418)"
		dropped       = "warning the stack: Topology: to.runtimeClasses: … (MK418)"
	)
	nothing := func(*pulumi.Context) error { return nil }
	registers := func(ctx *pulumi.Context) error {
		_, err := nodev1.NewRuntimeClass(ctx, "iis", &nodev1.RuntimeClassArgs{
			Metadata: metav1.ObjectMetaArgs{Name: pulumi.String("iis")}, Handler: pulumi.String("runhcs-wcow-process"),
		})
		return err
	}
	for name, tt := range map[string]struct {
		args    guard.Args
		program pulumi.RunFunc
		want    []string
		stops   bool
	}{
		"a version without the release": {
			guard.Args{
				Topology: ofAKS("1.36", platform.WindowsServer2022), To: ofAKS("1.37", platform.WindowsServer2022),
				Horizon: 30,
			}, nothing, []string{inError + "to." + tooNew}, true,
		},
		"of one of several clusters": {
			guard.Args{
				Clusters: []guard.Cluster{{
					Provider: "dev", Topology: ofAKS("1.36", platform.WindowsServer2022),
					To: ofAKS("1.37", platform.WindowsServer2022),
				}}, Horizon: 30,
			}, func(ctx *pulumi.Context) error {
				_, err := newProvider(ctx, "dev")
				return err
			}, []string{"error the stack: Topology/dev: to." + tooNew}, true,
		},
		"a class that the plan strands": {
			guard.Args{Topology: having, To: without22}, nothing, []string{strandedClass}, true,
		},
		"a class that the plan does not list": {
			guard.Args{Topology: having, To: empty}, nothing, []string{dropped}, false,
		},
		"a class that the program registers": {guard.Args{Topology: having, To: without22}, registers, nil, false},
	} {
		for _, options := range [][]mocktest.Option{nil, {mocktest.Preview()}} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				graph, err := mocktest.Run(guarded(tt.args, tt.program), options...)
				got := slices.DeleteFunc(logs(graph), func(line string) bool {
					return strings.Contains(line, "no object has the provider")
				})
				if diff := cmp.Diff(tt.want, got, cmpopts.EquateEmpty(), golden.AnySentence); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
				if tt.stops != (err != nil) {
					t.Errorf("the program ends with %v", err)
				}
			})
		}
	}
}

// Each cluster has its own plan.
func TestAPlanOfOneOfSeveralClusters(t *testing.T) {
	t.Parallel()
	args := guard.Args{Topology: mixed, Clusters: []guard.Cluster{{Provider: "dev", Topology: mixed, To: without22}}}
	program := func(on string) pulumi.RunFunc {
		return func(ctx *pulumi.Context) error {
			provider, err := newProvider(ctx, on)
			if err != nil {
				return err
			}
			return onWin22(pulumi.String("win22"), pulumi.Provider(provider))(ctx)
		}
	}
	if _, err := mocktest.Run(guarded(args, program("dev")), mocktest.Preview()); err == nil {
		t.Error("nothing is stranded in the cluster with the plan")
	}
	if _, err := mocktest.Run(guarded(args, program("prod")), mocktest.Preview()); err != nil {
		t.Errorf("the cluster without a plan: %v", err)
	}
}

func TestErrorsOfAPlan(t *testing.T) {
	t.Parallel()
	const needs = "topology: Required value: a planned topology is compared with the current one: give the pools " +
		"that the cluster has"
	wrong := topology.Topology{Pools: []topology.Pool{{Name: "a", Platform: platform.WindowsServer2022}}}
	const noLinux = "to.pools: Required value: at least one Linux pool: cluster add-ons such as CoreDNS run on " +
		"Linux only"
	file := filepath.Join(t.TempDir(), "cluster.yaml")
	if err := os.WriteFile(file, []byte("pools: [{name: linux, platform: linux}]"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		args guard.Args
		want string
	}{
		"no topology":                   {guard.Args{To: without22}, "guard: " + needs},
		"a wrong plan, and no topology": {guard.Args{To: wrong}, "guard:\n  " + noLinux + "\n  " + needs},
		"a wrong plan, and other errors": {
			guard.Args{Topology: mixed, To: wrong, AssumeLinux: true},
			"guard:\n  assumeLinux: Invalid value: true: is an option of place: set Place, or remove it\n  " + noLinux,
		},
		"a topology from a file": {guard.Args{TopologyFile: file, To: without22}, ""},
		"a file that does not exist": {
			guard.Args{TopologyFile: "none.yaml", To: wrong},
			"guard:\n  " + noLinux + "\n  " + `topologyFile: Invalid value: "none.yaml": there is no such file: ` +
				`write it ` + "with mixedkube topology --live > none.yaml",
		},
		"another matching": {
			guard.Args{Topology: mixed, Matching: platform.Strict, To: func() topology.Topology {
				plan := without22
				plan.Matching = platform.Relaxed
				return plan
			}()},
			`guard: matching: Invalid value: "strict": the planned topology has relaxed: give one of the two`,
		},
		"a cluster": {
			guard.Args{Clusters: []guard.Cluster{{Provider: "dev", Topology: mixed, To: wrong}}},
			"guard: clusters[0]." + noLinux,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := mocktest.Run(guarded(tt.args, func(*pulumi.Context) error { return nil }))
			if tt.want == "" && err == nil {
				return
			}
			diffError(t, err, tt.want)
		})
	}
}
