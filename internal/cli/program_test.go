package cli

import (
	"bytes"
	"strings"
	"testing"
)

func TestNameOfTheInvokedProgram(t *testing.T) {
	t.Parallel()
	for program, want := range map[string]string{
		"mixedkube": "mixedkube", "/usr/bin/mixedkube": "mixedkube", "": "mixedkube", "/tmp/main": "mixedkube",
		"kubectl-mixedkube": "kubectl mixedkube", "/home/a/.krew/bin/kubectl-mixedkube": "kubectl mixedkube",
		`C:\krew\bin\kubectl-mixedkube.EXE`: "kubectl mixedkube", "/kubectl-mixedkube/mixedkube": "mixedkube",
	} {
		if got := calledBy(program); got != want {
			t.Errorf("calledBy(%q) = %q, want %q", program, got, want)
		}
	}
}

// A user who copies a line of the help must get what it describes.
func TestHelpOfTheKubectlPluginHasItsName(t *testing.T) {
	t.Parallel()
	as := func(program string, args ...string) (int, string) {
		var out bytes.Buffer
		code := RunAs(t.Context(), program, args, strings.NewReader(pod), &out, &out)
		return code, out.String()
	}
	for _, args := range [][]string{
		{}, {"help"}, {"check", "--help"}, {"images", "lock", "--help"}, {"help", "images"},
	} {
		code, own := as("/usr/bin/mixedkube", args...)
		renamed := strings.NewReplacer(
			"  mixedkube ", "  kubectl mixedkube ", "| mixedkube ", "| kubectl mixedkube ",
			`Use "mixedkube `, `Use "kubectl mixedkube `, " for mixedkube\n", " for kubectl mixedkube\n",
		)
		gotCode, got := as("kubectl-mixedkube", args...)
		if want := renamed.Replace(own); got != want || gotCode != code || want == own {
			t.Errorf("%q: exit %d, want %d, and\n%s\nwant\n%s", args, gotCode, code, got, want)
		}
	}
	_, own := as("mixedkube", "check", "-")
	if code, got := as("kubectl-mixedkube", "check", "-"); code != 1 || got != own {
		t.Errorf("the plugin finds something else: exit %d, %s", code, got)
	}
}
