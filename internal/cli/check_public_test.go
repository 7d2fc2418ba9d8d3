package cli

import "testing"

// These public manifests once got wrong findings. The files are written again, with the cause.
func TestFindingsInPublicManifestsAreCorrect(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, topology string }{
		{"tags", ""},
		{"tags", "topology"},
		{"selection", "topology"},
		{"agents", ""},
		{"releases", "topology-untainted"},
	} {
		name, args := tt.name, []string{"testdata/check/public/" + tt.name + ".yaml"}
		if tt.topology != "" {
			name += "." + tt.topology
			args = append([]string{"--topology", "testdata/" + tt.topology + ".yaml"}, args...)
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			equalFindings(t, "testdata/check/golden/public."+name+".golden", "", append([]string{"check"}, args...)...)
		})
	}
}
