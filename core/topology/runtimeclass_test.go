package topology_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

func TestOnlyWindowsPlatformsHaveARuntimeClass(t *testing.T) {
	t.Parallel()
	got := map[platform.Platform]string{}
	for _, p := range append(platform.All(), "", "ltsc2022") {
		got[p] = topology.RuntimeClassName(p)
	}
	want := map[platform.Platform]string{platform.Linux: "", "": "", "ltsc2022": ""}
	for _, p := range platform.Windows() {
		want[p] = string(p)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("RuntimeClassName() (-want +got):\n%s", diff)
	}
}

func TestValidateRuntimeClasses(t *testing.T) {
	t.Parallel()
	named := func(classes ...topology.RuntimeClass) topology.Topology {
		return mixed(func(t *topology.Topology) { t.RuntimeClasses = classes })
	}
	tolerating := func(t topology.Toleration) topology.Topology {
		return named(topology.RuntimeClass{Name: "a", Tolerations: []topology.Toleration{t}})
	}
	wantErrors(t, named(topology.RuntimeClass{Name: "windows-2022"}, topology.RuntimeClass{Name: "iis.example"}).
		Validate(nil))
	wantErrors(t, named(topology.RuntimeClass{}, topology.RuntimeClass{Name: "a"}, topology.RuntimeClass{Name: "a"},
		topology.RuntimeClass{Name: "A"}).Validate(nil),
		"runtimeClasses[0].name: Required value: name the RuntimeClass, for example windows-2022",
		`runtimeClasses[2].name: Duplicate value: "a": runtimeClasses[1] has this name already: a cluster has it `+
			`once, remove one of the two`,
		`runtimeClasses[3].name: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case `+
			`alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. `+
			`'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*`+
			`[a-z0-9])?)*')`)
	const at = "runtimeClasses[0].tolerations[0]."
	for _, tt := range []struct {
		toleration topology.Toleration
		want       []string
	}{
		{topology.Toleration{Key: "os", Value: "windows", Effect: "NoSchedule"}, nil},
		{topology.Toleration{Key: "cores", Operator: "Gt", Value: "4"}, nil},
		{topology.Toleration{Operator: "Exists"}, nil},
		{topology.Toleration{Value: "windows"}, []string{at + `operator: Invalid value: "": a toleration without a ` +
			`key matches all taints: write Exists, or the key`}},
		{topology.Toleration{Key: "os", Operator: "exists"}, []string{at + `operator: Invalid value: "exists": did ` +
			`you mean "Exists"? valid operators are Equal, Exists, Lt, Gt`}},
		{topology.Toleration{Key: "os", Effect: "NoExec"}, []string{at + `effect: Invalid value: "NoExec": valid ` +
			`effects are NoSchedule, PreferNoSchedule, NoExecute`}},
	} {
		wantErrors(t, tolerating(tt.toleration).Validate(nil), tt.want...)
	}
}

// A list without RuntimeClasses is not the same as no list.
func TestRuntimeClassesAreWrittenAndRead(t *testing.T) {
	t.Parallel()
	for name, classes := range map[string][]topology.RuntimeClass{
		"not known": nil,
		"none":      {},
		"two": {
			{Name: "gvisor", Handler: "runsc"},
			{
				Name: "windows-2022", Handler: "runhcs-wcow-process",
				NodeSelector: map[string]string{"kubernetes.io/os": "windows"},
				Tolerations:  []topology.Toleration{{Key: "os", Operator: "Exists", Effect: "NoSchedule"}},
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := mixed(func(t *topology.Topology) { t.RuntimeClasses, t.Partial = classes, true })
			got, errs := topology.Decode(topology.Encode(in), nil)
			if len(errs) > 0 {
				t.Fatal(errs.ToAggregate())
			}
			if diff := cmp.Diff(in, got); diff != "" {
				t.Errorf("Decode(Encode()) (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(in.RuntimeClasses, got.WithDefaults().RuntimeClasses); diff != "" {
				t.Errorf("WithDefaults() (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadRuntimeClass(t *testing.T) {
	t.Parallel()
	seconds := int64(300)
	in := nodev1.RuntimeClass{
		ObjectMeta: metav1.ObjectMeta{Name: "windows-2022"}, Handler: "runhcs-wcow-process",
		Scheduling: &nodev1.Scheduling{
			NodeSelector: map[string]string{"kubernetes.io/os": "windows"},
			Tolerations: []corev1.Toleration{{
				Key: "os", Operator: corev1.TolerationOpEqual, Value: "windows", Effect: "NoExecute",
				TolerationSeconds: &seconds,
			}},
		},
	}
	want := topology.RuntimeClass{
		Name: "windows-2022", Handler: "runhcs-wcow-process",
		NodeSelector: map[string]string{"kubernetes.io/os": "windows"},
		Tolerations:  []topology.Toleration{{Key: "os", Operator: "Equal", Value: "windows", Effect: "NoExecute"}},
	}
	got := topology.ReadRuntimeClass(in)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ReadRuntimeClass() (-want +got):\n%s", diff)
	}
	object := map[string]any{
		"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", "metadata": map[string]any{"name": "windows-2022"},
		"handler": "runhcs-wcow-process",
		"scheduling": map[string]any{
			"nodeSelector": map[string]any{"kubernetes.io/os": "windows"},
			"tolerations": []any{map[string]any{
				"key": "os", "operator": "Equal", "value": "windows", "effect": "NoExecute",
			}},
		},
	}
	if diff := cmp.Diff(object, got.Object()); diff != "" {
		t.Errorf("Object() (-want +got):\n%s", diff)
	}
	bare := topology.ReadRuntimeClass(nodev1.RuntimeClass{ObjectMeta: metav1.ObjectMeta{Name: "gvisor"}})
	if diff := cmp.Diff(topology.RuntimeClass{Name: "gvisor"}, bare); diff != "" {
		t.Errorf("without scheduling (-want +got):\n%s", diff)
	}
}

func TestLacks(t *testing.T) {
	t.Parallel()
	complete := mixed(nil)
	partial := mixed(func(t *topology.Topology) { t.Partial = true })
	for _, tt := range []struct {
		in   topology.Topology
		p    platform.Platform
		want string
	}{
		{complete, platform.WindowsServer2022, ""},
		{complete, platform.WindowsServer2019, "no pool of the topology runs it, only linux, windows-2022"},
		{
			partial, platform.WindowsServer2019,
			"no pool of the topology runs it, only linux, windows-2022; the topology is partial, so another pool may",
		},
		{topology.Topology{}, platform.WindowsServer2019, ""},
	} {
		if got := tt.in.Lacks(tt.p); got != tt.want {
			t.Errorf("Lacks(%s) = %q, want %q", tt.p, got, tt.want)
		}
	}
}

// The pods of a platform without pools tolerate the taint that its pools have by default.
func TestLikelyTolerations(t *testing.T) {
	t.Parallel()
	in := mixed(nil).WithDefaults()
	windows := []corev1.Toleration{topology.Tolerate(topology.WindowsTaint())}
	for p, want := range map[platform.Platform][]corev1.Toleration{
		platform.Linux: nil, platform.WindowsServer2022: windows, platform.WindowsServer2019: windows,
	} {
		if diff := cmp.Diff(want, in.LikelyTolerations(p)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", p, diff)
		}
	}
	if got := in.Tolerations(platform.WindowsServer2019); len(got) > 0 {
		t.Errorf("Tolerations() of a platform without pools: %v", got)
	}
}
