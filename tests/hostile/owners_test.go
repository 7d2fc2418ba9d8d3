package hostile

import (
	"os"
	"strings"
	"testing"
)

// A configuration above the working directory counts if the user, root or the owner of the named directory has written
// it. One of another user does not, and standard error names it.
func TestConfigurationsOfOtherUsers(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("needs root: run the tests as root")
	}
	const nobody, other = 65534, 65533
	for name, tt := range map[string]struct {
		// above and named are the owners of the directory with the configuration and of the named directory.
		above, named int
		args         []string
		read         bool
	}{
		"of the user":                        {0, 0, nil, true},
		"of the owner of the named one":      {nobody, nobody, nil, true},
		"of root, above another user":        {0, nobody, nil, true},
		"of another user":                    {nobody, 0, nil, false},
		"of another user, above a third one": {nobody, other, nil, false},
		"of another user, named":             {nobody, 0, []string{"--config", "../.mixedkube.yaml"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			must(t, os.RemoveAll(m.at(".git")))
			// It hides the finding.
			write(t, m.at("shared/.mixedkube.yaml"), "ignore: [{rules: [MK111], reason: none}]\n")
			write(t, m.at("shared/own/web.yaml"), podHead+"  hostPID: true\n"+
				"  nodeSelector: {kubernetes.io/os: windows}\n  containers: [{name: a, image: shop.example/a}]\n")
			for path, owner := range map[string]int{
				"shared": tt.above, "shared/.mixedkube.yaml": tt.above, "shared/own": tt.named,
				"shared/own/web.yaml": tt.named,
			} {
				must(t, os.Lchown(m.at(path), owner, owner))
			}
			command := run{args: append(append([]string{"check"}, tt.args...), "."), dir: m.at("shared/own")}
			got := m.run(t, command)
			want := 1
			if tt.read {
				want = 0
			}
			if named := strings.Contains(got.stderr, ".mixedkube.yaml"); got.code != want || !named {
				t.Errorf("exit %d, want %d, with the name of the file:\n%s%s", got.code, want, got.stdout, got.stderr)
			}
		})
	}
}
