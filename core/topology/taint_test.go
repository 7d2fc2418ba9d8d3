package topology_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mixedkube/mixedkube/core/topology"
)

func TestWindowsTaintIsTheOneOfTheKubernetesGuide(t *testing.T) {
	t.Parallel()
	if got, want := topology.FormatTaint(topology.WindowsTaint()), "os=windows:NoSchedule"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestParseTaint(t *testing.T) {
	t.Parallel()
	const effects = "valid effects are NoSchedule, PreferNoSchedule, NoExecute"
	tests := []struct {
		name    string
		in      string
		want    corev1.Taint
		wantErr string
	}{
		{
			name: "key, value and effect", in: "os=windows:NoSchedule",
			want: corev1.Taint{Key: "os", Value: "windows", Effect: "NoSchedule"},
		},
		{name: "no value", in: "gpu:NoExecute", want: corev1.Taint{Key: "gpu", Effect: "NoExecute"}},
		{
			name: "an empty value", in: "gpu=:PreferNoSchedule",
			want: corev1.Taint{Key: "gpu", Effect: "PreferNoSchedule"},
		},
		{
			name: "a key with a domain", in: "kubernetes.azure.com/scalesetpriority=spot:NoSchedule",
			want: corev1.Taint{Key: "kubernetes.azure.com/scalesetpriority", Value: "spot", Effect: "NoSchedule"},
		},
		{
			name: "no effect", in: "os=windows",
			wantErr: `taint "os=windows" has no effect: write key=value:Effect, for example os=windows:NoSchedule`,
		},
		{
			name: "nothing", in: "",
			wantErr: `taint "" has no effect: write key=value:Effect, for example os=windows:NoSchedule`,
		},
		{
			name: "an effect in the wrong case", in: "os=windows:noschedule",
			wantErr: `taint "os=windows:noschedule": effect "noschedule": did you mean "NoSchedule"? ` + effects,
		},
		{
			name: "an effect that is near nothing", in: "os=windows:Never",
			wantErr: `taint "os=windows:Never": effect "Never": ` + effects,
		},
		{name: "an empty effect", in: "os=windows:", wantErr: `taint "os=windows:": effect "": ` + effects},
		{
			name: "everything after the first colon is the effect", in: "os=windows:NoSchedule:x",
			wantErr: `taint "os=windows:NoSchedule:x": effect "NoSchedule:x": did you mean "NoSchedule"? ` + effects,
		},
		{name: "a bad key", in: "a b=c:NoSchedule", wantErr: `taint "a b=c:NoSchedule": key "a b": ` + keyName},
		{
			name: "no key", in: "=windows:NoSchedule",
			wantErr: `taint "=windows:NoSchedule": key "": name part must be non-empty; key "": ` + keyName,
		},
		{
			name: "everything after the first equals sign is the value", in: "a=b=c:NoSchedule",
			wantErr: `taint "a=b=c:NoSchedule": value "b=c": ` + labelValue,
		},
		{
			name: "everything wrong, in one line", in: "a b=c d:no",
			wantErr: `taint "a b=c d:no": key "a b": ` + keyName + `; value "c d": ` + labelValue +
				`; effect "no": ` + effects,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := topology.ParseTaint(tt.in)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("ParseTaint(%q) (-want +got):\n%s", tt.in, diff)
			}
			text := ""
			if err != nil {
				text = err.Error()
			}
			if diff := cmp.Diff(tt.wantErr, text); diff != "" {
				t.Errorf("ParseTaint(%q), error (-want +got):\n%s", tt.in, diff)
			}
		})
	}
}

func TestFormatTaint(t *testing.T) {
	t.Parallel()
	for want, taint := range map[string]corev1.Taint{
		"os=windows:NoSchedule": {Key: "os", Value: "windows", Effect: "NoSchedule"},
		"gpu:NoExecute":         {Key: "gpu", Effect: "NoExecute"},
	} {
		if got := topology.FormatTaint(taint); got != want {
			t.Errorf("FormatTaint(%v) = %q, want %q", taint, got, want)
		}
	}
}

// A taint that ParseTaint accepts survives FormatTaint and ParseTaint, and a taint that Validate accepts is accepted by
// ParseTaint too.
func FuzzParseTaint(f *testing.F) {
	for _, seed := range []string{
		"os=windows:NoSchedule", "gpu:NoExecute", "a=:PreferNoSchedule", "a=b=c:NoSchedule",
		"", ":", "=:", "a:b:c", "é=ü:NoSchedule", "a/b/c:NoExecute",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		taint, err := topology.ParseTaint(s)
		if err != nil {
			if diff := cmp.Diff(corev1.Taint{}, taint); diff != "" {
				t.Errorf("ParseTaint(%q) returns an error and a taint:\n%s", s, diff)
			}
			return
		}
		again, err := topology.ParseTaint(topology.FormatTaint(taint))
		if err != nil {
			t.Fatalf("ParseTaint(FormatTaint(%v)): %v", taint, err)
		}
		if diff := cmp.Diff(taint, again); diff != "" {
			t.Errorf("round trip of %q (-want +got):\n%s", s, diff)
		}
		pool := windows(func(p *topology.Pool) { p.Taints = []corev1.Taint{taint} })
		if errs := pool.WithDefaults().Validate(nil); len(errs) > 0 {
			t.Errorf("Validate refuses what ParseTaint accepts: %v", errs)
		}
	})
}

func TestRepels(t *testing.T) {
	t.Parallel()
	taint := func(effect corev1.TaintEffect) corev1.Taint { return corev1.Taint{Key: "os", Effect: effect} }
	for _, tt := range []struct {
		name   string
		taints []corev1.Taint
		want   bool
	}{
		{"no taint lets everything in", nil, false},
		{"a preference lets everything in", []corev1.Taint{taint(corev1.TaintEffectPreferNoSchedule)}, false},
		{
			"NoSchedule keeps pods off",
			[]corev1.Taint{taint(corev1.TaintEffectPreferNoSchedule), taint(corev1.TaintEffectNoSchedule)},
			true,
		},
		{"NoExecute keeps pods off", []corev1.Taint{taint(corev1.TaintEffectNoExecute)}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := (topology.Pool{Taints: tt.taints}).Repels(); got != tt.want {
				t.Errorf("got %t, want %t", got, tt.want)
			}
		})
	}
}

func TestHasTaint(t *testing.T) {
	t.Parallel()
	taints := []corev1.Taint{{Key: "gpu", Effect: corev1.TaintEffectNoExecute}, topology.WindowsTaint()}
	for _, tt := range []struct {
		name  string
		taint corev1.Taint
		want  bool
	}{
		{
			"the same is there, whenever it was added",
			corev1.Taint{Key: "os", Value: "windows", Effect: corev1.TaintEffectNoSchedule, TimeAdded: &metav1.Time{}},
			true,
		},
		{
			"another value is not",
			corev1.Taint{Key: "os", Value: "Windows", Effect: corev1.TaintEffectNoSchedule},
			false,
		},
		{
			"another effect is not",
			corev1.Taint{Key: "os", Value: "windows", Effect: corev1.TaintEffectNoExecute},
			false,
		},
		{
			"another key is not",
			corev1.Taint{Key: "node.kubernetes.io/os", Value: "windows", Effect: corev1.TaintEffectNoSchedule},
			false,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := topology.HasTaint(taints, tt.taint); got != tt.want {
				t.Errorf("got %t, want %t", got, tt.want)
			}
		})
	}
}
