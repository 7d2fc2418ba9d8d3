package preflight_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
)

func TestDuplicateKeys(t *testing.T) {
	t.Parallel()
	pod := object(t, inPod("windows", "", ""))
	twice := manifests.Duplicate{Path: "spec.nodeSelector", Line: 8, Earlier: 6}
	same := twice
	same.Same = true
	for name, tt := range map[string]struct {
		keys []manifests.Duplicate
		want []string
	}{
		"none": {nil, nil},
		"another value": {
			[]manifests.Duplicate{twice},
			[]string{"spec.nodeSelector: line 6 has this key already, and its value is lost: keep one of the two " +
				"(MK590)"},
		},
		"the same value": {[]manifests.Duplicate{same}, []string{"spec.nodeSelector: line 6 has this key already: " +
			"keep one of the two (MK590)"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, f := range preflight.New(v136).DuplicateKeys(pod, tt.keys) {
				got = append(got, f.String())
			}
			diffFindings(t, tt.want, got)
		})
	}
}
