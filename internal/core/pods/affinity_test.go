package pods_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

func TestClaimsOfTheAffinity(t *testing.T) {
	t.Parallel()
	in := func(label, values string) string {
		return "{key: " + label + ", operator: In, values: [" + values + "]}"
	}
	const os, beta = "kubernetes.io/os", "beta.kubernetes.io/os"
	for _, tt := range []struct {
		name string
		// terms are the expressions of each term.
		terms   []string
		os      platform.OS
		several bool
	}{
		{"no term", nil, "", false},
		{"one", []string{in(os, "linux")}, "linux", false},
		{"several", []string{in(os, "linux, windows")}, "", true},
		{"one in each of two terms", []string{in(os, "linux"), in(os, "windows")}, "", true},
		{"the same in two terms", []string{in(os, "windows"), in(beta, "windows")}, "windows", false},
		{"several in each of two terms", []string{in(os, "linux, windows"), in(beta, "windows, linux")}, "", true},
		{"several by the old label", []string{in(beta, "linux"), in(beta, "windows")}, "", true},
		{"a term without one", []string{in(os, "linux, windows"), in("disk", "ssd")}, "", false},
		{
			"all expressions of a term must match",
			[]string{in(os, "linux, windows") + ", " + in(beta, "linux")},
			"linux",
			false,
		},
		{"expressions in another order", []string{in(beta, "linux") + ", " + in(os, "linux, windows")}, "linux", false},
		{"another expression must match too", []string{in("disk", "ssd") + ", " + in(os, "windows")}, "windows", false},
		{"another operator", []string{"{key: kubernetes.io/os, operator: NotIn, values: [linux, windows]}"}, "", false},
		{"not an operating system of Kubernetes", []string{in(os, "darwin")}, "", false},
		{"a value that is not known yet", []string{in(os, "linux, $unknown")}, "", false},
		{"terms that are not known yet", []string{"$unknown"}, "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			terms := ""
			for _, term := range tt.terms {
				terms += "{matchExpressions: [" + term + "]}, "
			}
			p := deployed(
				t, "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: ["+
					terms+"]}}}",
			)
			target := cluster().Target(p, nil)
			var want []pods.Claim
			if tt.os != "" {
				want = []pods.Claim{{OS: tt.os, Source: pods.ByAffinity}}
			}
			if diff := cmp.Diff(want, target.Written()); diff != "" {
				t.Errorf("claims (-want +got):\n%s", diff)
			}
			if got := p.RequiresSeveralOS(); got != tt.several {
				t.Errorf("names several: %t", got)
			}
		})
	}
}
