package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/golden"
)

// What public manifests were once told wrongly. The files are written anew, with the
// cause.
func TestWhatPublicManifestsAreTold(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, topology string }{
		{"tags", ""},
		{"tags", "topology"},
		{"selection", "topology"},
		{"agents", ""},
		{"releases", "topology-releases"},
	} {
		name, args := tt.name, []string{"testdata/public/" + tt.name + ".yaml"}
		if tt.topology != "" {
			name += "." + tt.topology
			args = append([]string{"-topology", "testdata/" + tt.topology + ".yaml"}, args...)
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			code, stdout, stderr := start("", args...)
			got := fmt.Sprintf("$ check-manifests %s\n%s-- stderr --\n%s-- exit %d --\n", strings.Join(args, " "),
				stdout, stderr, code)
			golden.Equal(t, "testdata/golden/public."+name+".golden", got)
		})
	}
}
