package e2e

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// guardWays previews a program once for each way in which the engine shows resources to
// the guard, or does not have to.
func guardWays(t *testing.T, l testLab) {
	t.Helper()
	const (
		hostPID    = " error: spec.hostPID: Forbidden: cannot be set for a windows pod: remove it (MK111)"
		privileged = " error: spec.template.spec.containers[0].securityContext.privileged: Forbidden: cannot be set for a windows pod: " +
			"remove it; what needs the node itself is a host-process container, windowsOptions.hostProcess (MK127)"
	)
	stack := l.project(t, "components/guard/testdata/ways", "dev", "")
	for way, want := range map[string][]string{
		"each-by-itself": {
			"6 objects, 2 of them in the program itself",
			"wrong-above" + hostPID, "wrong-args" + hostPID, "wrong-output" + hostPID, "wrong-transform" + hostPID,
		},
		"chart":                {"3 objects, 1 of them in the program itself", "chart:default/shop" + privileged},
		"group":                {"2 objects, 1 of them in the program itself", "group:default/wrong" + hostPID},
		"stack-transform":      {"1 objects, 0 of them in the program itself", "right" + hostPID},
		"stack-transformation": {"2 objects, 1 of them in the program itself", "wrong" + hostPID},
		"own-transformation":   {"2 objects, 1 of them in the program itself", "wrong" + hostPID},
	} {
		l.out.take()
		if err := stack.Preview(t.Context(), "--debug", "--config", "ways:way="+way); err == nil {
			t.Errorf("%s: a preview with a mistake passes", way)
		}
		if diff := cmp.Diff(want, findings(l.out.take())); diff != "" {
			t.Errorf("%s: the preview shows (-want +got):\n%s", way, diff)
		}
	}
}

var (
	shownAt = regexp.MustCompile(`^  \S+ \((.+)\):`)
	looked  = regexp.MustCompile(`the guard has looked at (.+)`)
)

// findings are the errors that the CLI shows, with the names of their resources, and how
// many objects the guard has looked at, sorted.
func findings(text string) []string {
	var found []string
	at := ""
	for line := range strings.Lines(diagnostics(text)) {
		line = strings.TrimRight(line, "\n")
		if name := shownAt.FindStringSubmatch(line); name != nil {
			at = name[1]
		}
		if count := looked.FindStringSubmatch(line); count != nil {
			found = append(found, count[1])
		}
		if text := strings.TrimSpace(line); strings.HasPrefix(text, "error: ") {
			found = append(found, at+" "+text)
		}
	}
	slices.Sort(found)
	return found
}
