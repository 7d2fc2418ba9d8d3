package guard_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
)

const (
	fsGroup = "spec.securityContext.fsGroup: … (MK118)"
	hostPID = "spec.hostPID: … (MK111)"
)

func withFSGroup(s *corev1.PodSpecArgs) {
	s.SecurityContext = corev1.PodSecurityContextArgs{FsGroup: pulumi.Int(1)}
}

func withHostPID(s *corev1.PodSpecArgs) { s.HostPID = pulumi.Bool(true) }

// twoMistakes has one mistake, and another in a resource that depends on the first.
func twoMistakes(ctx *pulumi.Context) error {
	first, err := pod(ctx, "first", windows(withFSGroup))
	if err != nil {
		return err
	}
	if _, err := pod(ctx, "second", windows(withHostPID), pulumi.DependsOn([]pulumi.Resource{first})); err != nil {
		return err
	}
	_, err = pod(ctx, "third", windows(nil))
	return err
}

func names(graph *mocktest.Graph) []string {
	var names []string
	for _, r := range graph.ByType(podType) {
		names = append(names, r.Name)
	}
	return names
}

func TestAPreviewShowsTheFindingsOfTheWholeProgram(t *testing.T) {
	t.Parallel()
	graph, err := mocktest.Run(guarded(guard.Args{}, twoMistakes), mocktest.Preview())
	diffError(t, err, "mixedkube preflight: 2 errors, shown at their resources")
	diffLogs(t, graph, "error first: "+fsGroup, "error second: "+hostPID)
	// The resources continue, so that those that depend on them are not hidden. An unknown value keeps the provider
	// from sending a request to the API server.
	if diff := cmp.Diff([]string{"first", "second", "third"}, names(graph)); diff != "" {
		t.Errorf("registered (-want +got):\n%s", diff)
	}
	for name, want := range map[string][]string{
		"first": {"metadata.annotations"}, "second": {"metadata.annotations"},
		"third": nil,
	} {
		r, err := graph.Get(podType, name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, r.Unknowns()); diff != "" {
			t.Errorf("%s: unknowns (-want +got):\n%s", name, diff)
		}
		if got := r.Plain()["metadata"].(map[string]any)["name"]; got != name {
			t.Errorf("%s has the name %v", name, got)
		}
	}
}

func TestAnUpdateCreatesNoneOfTheResourcesWithErrors(t *testing.T) {
	t.Parallel()
	graph, err := mocktest.Run(guarded(guard.Args{}, twoMistakes))
	if err == nil || !strings.Contains(err.Error(), "mixedkube preflight: not deployed, see its errors") {
		t.Errorf("the error is %v", err)
	}
	// The second one waits for the first, which never comes.
	diffLogs(t, graph, "error first: "+fsGroup)
	if diff := cmp.Diff([]string{"third"}, names(graph)); diff != "" {
		t.Errorf("registered (-want +got):\n%s", diff)
	}
}

func TestAValueThatIsKnownOnlyAfterwardsNeitherFailsNorHides(t *testing.T) {
	t.Parallel()
	program := guarded(guard.Args{}, func(ctx *pulumi.Context) error {
		first, err := pod(ctx, "first", windows(nil))
		if err != nil {
			return err
		}
		later := first.Metadata.Uid().Elem()
		_, err = corev1.NewPod(ctx, "second", &corev1.PodArgs{
			Metadata: metav1.ObjectMetaArgs{Labels: pulumi.StringMap{"of": later}},
			Spec: windows(func(s *corev1.PodSpecArgs) {
				s.Containers = corev1.ContainerArray{corev1.ContainerArgs{Name: pulumi.String("main"), Image: later}}
				withHostPID(s)
			}),
		})
		return err
	})
	graph, err := mocktest.Run(program, mocktest.Preview())
	diffError(t, err, "mixedkube preflight: 1 error, shown at its resource")
	diffLogs(t, graph, "error second: "+hostPID)
}

func TestWarningsAndSuppressedErrorsShowAndFailNothing(t *testing.T) {
	t.Parallel()
	program := guarded(guard.Args{}, func(ctx *pulumi.Context) error {
		_, err := corev1.NewPod(ctx, "web", &corev1.PodArgs{
			Metadata: metav1.ObjectMetaArgs{
				Annotations: pulumi.StringMap{"mixedkube.dev/ignore": pulumi.String("MK118")},
			},
			Spec: windows(func(s *corev1.PodSpecArgs) {
				withFSGroup(s)
				s.NodeSelector = pulumi.StringMap{"beta.kubernetes.io/os": pulumi.String("windows")}
			}),
		})
		return err
	})
	for _, options := range [][]mocktest.Option{nil, {mocktest.Preview()}} {
		graph := mocktest.MustRun(t, program, options...)
		diffLogs(t, graph,
			"info web: ignored: "+fsGroup,
			"warning web: spec.nodeSelector[beta.kubernetes.io/os]: … (MK308)")
		if r, err := graph.Get(podType, "web"); err != nil || len(r.Unknowns()) > 0 {
			t.Errorf("the pod has unknowns: %v, %v", r.Unknowns(), err)
		}
	}
}

func TestSecretsAreCheckedAndNotShown(t *testing.T) {
	t.Parallel()
	program := guarded(guard.Args{}, onePod("web", windows(func(s *corev1.PodSpecArgs) {
		s.SecurityContext = corev1.PodSecurityContextArgs{WindowsOptions: corev1.WindowsSecurityContextOptionsArgs{
			RunAsUserName: pulumi.ToSecret(pulumi.String(`hunter2\a\b`)).(pulumi.StringOutput),
		}}
	})))
	graph, err := mocktest.Run(program, mocktest.Preview())
	diffError(t, err, "mixedkube preflight: 1 error, shown at its resource")
	text := strings.Join(logs(graph), "\n")
	if strings.Contains(text, "hunter2") ||
		!strings.Contains(text,
			"runAsUserName: Invalid value: \"[secret]\": runAsUserName cannot contain more than one backslash") {
		t.Errorf("shown: %s", text)
	}
}

func TestAPreviewShowsWhereTheWorkloadsCanLand(t *testing.T) {
	t.Parallel()
	program := guarded(guard.Args{Topology: mixed}, func(ctx *pulumi.Context) error {
		if _, err := workload.NewDeployment(ctx, "iis-2022", &workload.DeploymentArgs{
			Platform: platform.WindowsServer2022, Scheduling: workload.BySelector, Topology: mixed,
			Metadata: metav1.ObjectMetaArgs{Name: pulumi.String("iis-2022"), Namespace: pulumi.String("shop")},
			Spec: deploymentSpec(corev1.PodSpecArgs{Containers: corev1.ContainerArray{corev1.ContainerArgs{
				Name: pulumi.String("iis"), Image: pulumi.String("shop.example/iis:ltsc2022"),
				Resources: corev1.ResourceRequirementsArgs{Limits: pulumi.StringMap{"memory": pulumi.String("1Gi")}},
			}}}),
		}); err != nil {
			return err
		}
		_, err := pod(ctx, "web", corev1.PodSpecArgs{Containers: container("shop.example/web:1")})
		return err
	})
	landings := "info the stack: where the pods can land:\n" +
		"  shop/iis-2022 → win22 (2 nodes)\n" +
		"  web           → sys (3 nodes)"
	diffLogs(t, mocktest.MustRun(t, program, mocktest.Preview()), landings)
	if diff := cmp.Diff([]string(nil), logs(mocktest.MustRun(t, program))); diff != "" {
		t.Errorf("an update shows it again (-want +got):\n%s", diff)
	}
}

// A function that waits for something other than a resource may register one when the program has ended.
func TestLateResourcesAreCheckedSeparately(t *testing.T) {
	t.Parallel()
	late := func(mistake func(*corev1.PodSpecArgs)) pulumi.RunFunc {
		return guarded(guard.Args{Topology: mixed}, func(ctx *pulumi.Context) error {
			out, resolve, _ := ctx.NewOutput()
			out.ApplyT(func(any) (int, error) {
				_, err := pod(ctx, "late", windows(mistake))
				return 0, err
			})
			go func() {
				time.Sleep(200 * time.Millisecond)
				resolve(1)
			}()
			return nil
		})
	}
	const landing = "info the stack: where the pods can land:\n  late → win22 (2 nodes)"
	graph, err := mocktest.Run(late(withFSGroup), mocktest.Preview())
	if err == nil || !strings.Contains(err.Error(), "mixedkube preflight: not deployed, see its errors") {
		t.Errorf("the error is %v", err)
	}
	diffLogs(t, graph, "error late: "+fsGroup, landing)
	diffLogs(t, mocktest.MustRun(t, late(nil), mocktest.Preview()), landing)
}

func TestTheProgramsOwnErrorIsPreserved(t *testing.T) {
	t.Parallel()
	own := errors.New("no configuration")
	_, err := mocktest.Run(guarded(guard.Args{}, func(ctx *pulumi.Context) error {
		if _, err := pod(ctx, "web", windows(withFSGroup)); err != nil {
			return err
		}
		return own
	}), mocktest.Preview())
	if !errors.Is(err, own) {
		t.Errorf("the error is %v", err)
	}
	if found, ok := errors.AsType[*guard.Error](err); !ok || found.Count != 1 {
		t.Errorf("the error is %v, which counts %v", err, found)
	}
}

func TestProgramsWithoutEnforceAreNotChecked(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, guard.Program(twoMistakes), mocktest.Preview())
	if shown := logs(graph); len(shown) > 0 {
		t.Errorf("shown: %q", shown)
	}
}

func TestEnforceRefusesUnsupportedCalls(t *testing.T) {
	t.Parallel()
	enforce := func(args guard.Args) pulumi.RunFunc {
		return func(ctx *pulumi.Context) error { return guard.Enforce(ctx, args) }
	}
	tests := []struct {
		name    string
		program pulumi.RunFunc
		want    string
	}{
		{
			"outside of Run and Program", enforce(guard.Args{}),
			"guard.Enforce: the program must be run by guard.Run in place of pulumi.Run, " +
				"or be wrapped in guard.Program",
		},
		{
			"twice", guarded(guard.Args{}, enforce(guard.Args{})),
			"guard.Enforce is called twice: one call covers all resources of the program",
		},
		{
			"arguments that are wrong, all at once",
			guard.Program(enforce(guard.Args{KubernetesVersion: "latest", AssumeLinux: true})),
			"guard:\n" +
				"  assumeLinux: Invalid value: true: is an option of place: set Place, or remove it\n" +
				"  kubernetesVersion: Invalid value: \"latest\": not a Kubernetes version: write 1.36 or 1.36.3",
		},
		{
			"Place without pools", guard.Program(enforce(guard.Args{Place: true})),
			"guard: topology: Required value: place needs to know the pools of the cluster",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := mocktest.Run(tt.program)
			diffError(t, err, tt.want)
		})
	}
}
