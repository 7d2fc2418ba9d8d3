package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/mixedkube/mixedkube/core/rule/ruletest"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// page is the page that explains the commands.
var page = filepath.Join("..", "..", "docs", "command.md")

// start runs a command line.
func start(tb testing.TB, stdin string, args ...string) (code exitError, stdout, stderr string) {
	tb.Helper()
	var out, errOut bytes.Buffer
	got := Run(tb.Context(), args, strings.NewReader(stdin), &out, &errOut)
	return exitError(got), out.String(), errOut.String()
}

// equal compares a command line and all its output with a golden file.
func equal(t *testing.T, path, stdin string, args ...string) {
	t.Helper()
	golden.Equal(t, path, transcript(t, stdin, args...))
}

// equalFindings is equal for a command that prints findings, without the sentences of rules: each rule has a test of
// its own.
func equalFindings(t *testing.T, path, stdin string, args ...string) {
	t.Helper()
	golden.Equal(t, path, ruletest.WithoutSentences(transcript(t, stdin, args...)))
}

// transcript returns a command line and all its output.
func transcript(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	code, stdout, stderr := start(t, stdin, args...)
	return fmt.Sprintf("$ mixedkube %s\n%s-- stderr --\n%s-- exit %d --\n", strings.Join(args, " "), stdout, stderr,
		code)
}

func TestGoldenFilesOfTheCommandLine(t *testing.T) {
	t.Parallel()
	topology, err := os.ReadFile("testdata/topology.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{
		"nothing":            {},
		"help":               {"--help"},
		"help.images":        {"images", "--help"},
		"help.images.lock":   {"images", "lock", "--help"},
		"help.policy":        {"policy", "--help"},
		"help.policy.new":    {"policy", "new", "--help"},
		"version":            {"--version"},
		"command.near":       {"chek", "deploy/"},
		"command.unknown":    {"apply"},
		"flag.of-the-root":   {"--verbose"},
		"flag.near":          {"check", "--stric", "-"},
		"flag.one-hyphen":    {"check", "-format", "json", "-"},
		"flag.letter":        {"adopt", "-x"},
		"flag.without-value": {"check", "--format"},
		"flag.boolean":       {"check", "--strict=maybe"},
		"topology.and-stdin": {"check", "--topology", "-", "-"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			equal(t, "testdata/golden/"+name+".golden", string(topology), args...)
		})
	}
}

func TestVersionOfTheModule(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		info *debug.BuildInfo
		want string
	}{
		{nil, "(devel)"},
		{&debug.BuildInfo{}, "(devel)"},
		{&debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}}, "v1.2.3"},
	} {
		if got := version(tt.info); got != tt.want {
			t.Errorf("version(%+v) = %q, want %q", tt.info, got, tt.want)
		}
	}
}

// Each command has an example that is a command line of its own, and docs/command.md explains its flags, and the keys
// of the findings.
func TestThePageExplainsAllFlagsAndKeys(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	sections := strings.Split(string(text), "\n## ")
	commands := newRoot(&input{}).Commands()
	for _, cmd := range commands {
		commands = append(commands, cmd.Commands()...)
	}
	for _, cmd := range commands {
		section := ""
		first, _, _ := strings.Cut(strings.TrimPrefix(cmd.CommandPath(), "mixedkube "), " ")
		for _, s := range sections {
			if strings.HasPrefix(s, "mixedkube "+first+"\n") {
				section = s
			}
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			counts[cmd.Name()]++
			spelled := "--" + f.Name
			if f.Shorthand != "" {
				spelled = "-" + f.Shorthand + "`, `" + spelled
			}
			if !strings.Contains(section, "| `"+spelled) {
				t.Errorf("docs/command.md says nothing about %s of %s", spelled, cmd.Name())
			}
		})
		if !strings.Contains(cmd.Example, cmd.CommandPath()+" ") || cmd.Short == "" || cmd.Long == "" {
			t.Errorf("%s has no help text with an example", cmd.Name())
		}
	}
	for name, want := range map[string]int{
		"check": 24, "adopt": 23, "explain": 1, "topology": 9, "lock": 13, "map": 24, "show": 5, "join": 8,
		"new": 2, "serve": 0,
		"version": 2,
	} {
		if counts[name] != want {
			t.Errorf("%s has %d flags, want %d", name, counts[name], want)
		}
	}
	_, out, _ := start(t, pod, "check", "--format", "json", "-")
	var findings []map[string]any
	if err := json.Unmarshal([]byte(out), &findings); err != nil || len(findings) == 0 {
		t.Fatalf("%v: %s", err, out)
	}
	for key := range findings[0] {
		if word := "`" + key + "`"; !strings.Contains(string(text), word) {
			t.Errorf("docs/command.md says nothing about %s", word)
		}
	}
	if keys := len(findings[0]); keys != 18 {
		t.Errorf("a finding has %d keys, want 18", keys)
	}
}

// The page shows files and outputs unchanged.
func TestThePageShowsWhatTheCommandsDo(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	shows := map[string]string{}
	for _, file := range []string{"testdata/topology.yaml", "testdata/join/machines.yaml"} {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		shows[file] = "```yaml\n" + string(content) + "```\n"
	}
	_, difference, _ := start(t, "", "adopt", "--topology", "testdata/topology.yaml", "testdata/adopt/deploy/sub")
	shows["the difference of testdata/adopt/deploy/sub"] = "```diff\n" + difference + "```\n"
	for what, shown := range shows {
		if !strings.Contains(string(text), shown) {
			t.Errorf("docs/command.md does not show %s unchanged:\n%s", what, shown)
		}
	}
}
