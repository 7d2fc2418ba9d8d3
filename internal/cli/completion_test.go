package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// completed returns the completions of the last word, requested as the scripts of all shells do.
func completed(t *testing.T, words ...string) (values []string, directive string) {
	t.Helper()
	code, stdout, stderr := start(t, "", append([]string{"__complete"}, words...)...)
	if code != passed {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	lines := strings.Split(strings.TrimSuffix(stdout, "\n"), "\n")
	return lines[:len(lines)-1], lines[len(lines)-1]
}

func TestCompletions(t *testing.T) {
	t.Parallel()
	const noFiles, files = ":4", ":0"
	for _, tt := range []struct {
		words     []string
		want      []string // the first ones
		directive string
	}{
		{[]string{"exp"}, []string{"explain\tExplain rules: why they exist, and how "}, noFiles},
		{[]string{"explain", "MK118"}, []string{"MK118\tfsGroup on a Windows pod"}, noFiles},
		{[]string{"explain", "mk11"}, []string{"MK110\t", "MK111\t", "MK112\t"}, noFiles},
		{[]string{"explain", "MK118", "MK118"}, nil, noFiles},
		{[]string{"explain", "--format", ""}, []string{"json", "text"}, noFiles},
		{[]string{"check", "--format", ""}, []string{"gitlab", "json", "junit", "sarif", "text"}, noFiles},
		{[]string{"check", "--matching", ""}, []string{"relaxed", "strict"}, noFiles},
		{[]string{"check", "--topology", ""}, []string{"yaml", "yml", "json"}, ":8"},
		{[]string{"check", "--config", ""}, []string{"yaml", "yml"}, ":8"},
		{[]string{"check", ""}, nil, files},
		{[]string{"adopt", "--platform", "Deployment/web=windows-2"}, []string{
			"Deployment/web=windows-2019", "Deployment/web=windows-2022", "Deployment/web=windows-2025",
		}, noFiles},
		{[]string{"topology", "--format", ""}, []string{"json", "yaml"}, noFiles},
		{[]string{"version", ""}, nil, noFiles},
	} {
		values, directive := completed(t, tt.words...)
		if directive != tt.directive || len(values) < len(tt.want) || len(tt.want) == 0 && len(values) > 0 {
			t.Errorf("%v: %q, %s; want %q, %s", tt.words, values, directive, tt.want, tt.directive)
			continue
		}
		for i, want := range tt.want {
			if !strings.HasPrefix(values[i], want) {
				t.Errorf("%v: %q is not %q", tt.words, values[i], want)
			}
		}
	}
	if values, _ := completed(t, "explain", ""); len(values) != len(Rules()) {
		t.Errorf("%d of %d rules", len(values), len(Rules()))
	}
}

// The shells themselves load the scripts and complete dynamic values. A shell that is not installed is skipped, except
// bash.
func TestShellsComplete(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(dir, "mixedkube")); err != nil {
		t.Fatal(err)
	}
	for _, shell := range []string{"bash", "zsh", "fish"} {
		code, script, stderr := start(t, "", "completion", shell)
		if code != passed {
			t.Fatalf("exit %d: %s", code, stderr)
		}
		if err := os.WriteFile(filepath.Join(dir, shell+".script"), []byte(script), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for shell, program := range map[string]string{
		// The package bash-completion has this function.
		"bash": `_get_comp_words_by_ref() { words=("${COMP_WORDS[@]}"); cword=$COMP_CWORD; cur=${words[cword]}; }
source bash.script; COMP_WORDS=(mixedkube explain MK118); COMP_CWORD=2; COMP_LINE="mixedkube explain MK118"
COMP_POINT=${#COMP_LINE}; COMP_TYPE=63; COMP_KEY=9; compopt() { :; }; __start_mixedkube mixedkube MK118 explain
echo "${COMPREPLY[@]}"`,
		// The parts that need a terminal are left out: the script is loaded, and the command called.
		"zsh": `autoload -U compinit; compinit -u -D; source zsh.script; whence -w _mixedkube
mixedkube __complete explain MK118`,
		"fish": `source fish.script; complete -C "mixedkube explain MK118"`,
	} {
		t.Run(shell, func(t *testing.T) {
			t.Parallel()
			at, err := exec.LookPath(shell)
			if err != nil && shell != "bash" {
				t.Skipf("needs %s: apt-get install %[1]s, as root", shell)
			}
			cmd := exec.CommandContext(t.Context(), at, "-c", program)
			cmd.Dir = dir
			isPath := func(v string) bool { return strings.HasPrefix(v, "PATH=") }
			cmd.Env = append(slices.DeleteFunc(os.Environ(), isPath),
				"PATH="+dir+string(filepath.ListSeparator)+os.Getenv("PATH"), "HOME="+dir)
			out, err := cmd.CombinedOutput()
			if err != nil || !strings.Contains(string(out), "MK118") ||
				!strings.Contains(string(out), "fsGroup on a Windows pod") && shell != "bash" {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}
