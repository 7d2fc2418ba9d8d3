package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/mixedkube/mixedkube/machines/bootstrap"
)

// exits has command lines for each command by exit code: 0, 1 if the command can exit with it, and 2. OUT is a
// directory with the files of [prepared], CLOSED a registry that does not answer.
var exits = map[string]map[exitError][]string{
	"": {passed: {"--help", "--version"}, unusable: {"", "aply", "--verbose"}},
	"check": {
		passed: {"testdata/check/warnings.yaml", "--help"},
		failed: {"testdata/check/manifests", "--strict testdata/check/warnings.yaml"},
		unusable: {
			"", "none.yaml", "--format xml testdata/check/manifests", "--topology none.yaml testdata/check/manifests",
			"--baseline - --write-baseline testdata/check/manifests",
		},
	},
	"adopt": {
		passed:   {"--topology testdata/topology.yaml --assume-linux testdata/adopt/deploy/sub", "--help"},
		failed:   {"--topology testdata/topology.yaml testdata/adopt/deploy"},
		unusable: {"", "testdata/adopt/deploy", "--topology testdata/topology.yaml none.yaml"},
	},
	"explain":  {passed: {"MK118"}, unusable: {"", "MK1", "--format xml MK118"}},
	"topology": {passed: {"testdata/topology/eks.yaml", "-h"}, unusable: {"none.yaml", "--stack a b.yaml", "-"}},
	"images":   {passed: {"--help"}, unusable: {"", "lok"}},
	"images lock": {
		passed:   {"--help", "--file OUT/lock.yaml OUT/locked.yaml"},
		failed:   {"--file OUT/new.yaml OUT/unlocked.yaml"},
		unusable: {"--file none.yaml", "--timeout 0s testdata/check/manifests"},
	},
	"images show": {
		passed: {"--help", "--file OUT/lock.yaml CLOSED/locked:1"}, failed: {"CLOSED/unlocked:1"},
		unusable: {"", "--file none.yaml nginx"},
	},
	"join": {
		passed: {
			"--help", "--out OUT --token-file OUT/token --hashes OUT/hashes --encryption-key-file OUT/key " +
				"testdata/join/machines.yaml",
		},
		failed:   {"--out OUT testdata/join/wrong.yaml", "--out OUT testdata/join/machines.yaml"},
		unusable: {"", "a b", "--out OUT none.yaml", "--out OUT --token-file none testdata/join/machines.yaml"},
	},
	"map": {
		passed: {"--help", "--topology testdata/topology.yaml --out - testdata/map/deploy.yaml"},
		unusable: {
			"", "testdata/map/deploy.yaml", "--topology testdata/topology.yaml none.yaml", "--live --stack prod",
			"--topology testdata/topology.yaml --out testdata/topology.yaml/map.html testdata/map/deploy.yaml",
		},
	},
	"policy":       {passed: {"--help"}, unusable: {"", "nw"}},
	"policy new":   {passed: {"--help", "OUT/policy"}, unusable: {"", "--topology none.yaml OUT/policy"}},
	"policy serve": {passed: {"--help"}, unusable: {"a b c"}},
	"version":      {passed: {"", "--format json", "--facts"}, unusable: {"now", "--format xml"}},
	"completion":   {passed: {"bash", "zsh", "fish", "powershell", "-h"}, unusable: {"", "tcsh", "bash x"}},
	"help":         {passed: {"", "check", "images lock"}, unusable: {"chek", "images lok", "check x"}},
}

// For every command, the exit code is 0 if all is well, 1 if something is wrong with the input, and 2 if something
// could not be read or written or the command line is wrong.
func TestExitCodesOfAllCommands(t *testing.T) {
	t.Parallel()
	registry := newShelf(t)
	registry.Close()
	for command, lines := range exits {
		for want, all := range lines {
			for _, line := range all {
				t.Run(command+" "+line, func(t *testing.T) {
					t.Parallel()
					line := strings.ReplaceAll(line, "CLOSED", registry.host)
					line = strings.ReplaceAll(line, "OUT", prepared(t, registry.host))
					code, stdout, stderr := start(t, "", append(strings.Fields(command), strings.Fields(line)...)...)
					if code != want {
						t.Errorf("exit %d, want %d:\n%s%s", code, want, stdout, stderr)
					}
					// A command that cannot run reports why on stderr, and writes nothing to stdout.
					if want == unusable && stderr == "" {
						t.Error("nothing says why")
					}
				})
			}
		}
	}
}

// prepared returns a directory with the files of the command lines.
func prepared(t *testing.T, registry string) string {
	t.Helper()
	var hashes strings.Builder
	for _, download := range bootstrap.KnownReleases().All() {
		if download.SHA256 == "" {
			hashes.WriteString(strings.Repeat("5a", 32) + "  " + download.URL + "\n")
		}
	}
	digest := "sha256:" + strings.Repeat("1", 64)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"token": token, "key": encryptionKey, "hashes": hashes.String(),
		"unlocked.yaml": using(registry + "/unlocked:1"), "locked.yaml": using(registry + "/locked:1"),
		"lock.yaml": "version: 1\nimages:\n  " + registry + "/locked:1:\n    digest: " + digest +
			"\n    platforms:\n      - {os: linux, architecture: amd64, digest: '" + digest + "'}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestTheTableOfExitCodesHasAllCommands(t *testing.T) {
	t.Parallel()
	root := newRoot(&input{})
	root.InitDefaultHelpCmd()
	var names []string
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		names = append(names, strings.TrimSpace(strings.TrimPrefix(cmd.CommandPath(), "mixedkube")))
		for _, below := range cmd.Commands() {
			walk(below)
		}
	}
	walk(root)
	for _, name := range names {
		if exits[name] == nil {
			t.Errorf("%s is not in the table", name)
		}
	}
	for name := range exits {
		if !slices.Contains(names, name) {
			t.Errorf("there is no command %s", name)
		}
	}
	if len(names) < 12 {
		t.Errorf("only %d commands", len(names))
	}
}

// Each command's help lists its exit codes, and so does the page.
func TestExitCodesAreDocumented(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for name, lines := range exits {
		if name == "" || name == "images" || name == "policy" {
			continue
		}
		_, help, _ := start(t, "", append(strings.Fields(name), "--help")...)
		at := strings.Index(help, "The exit code is 0")
		if at < 0 {
			t.Errorf("the help of %s does not say its exit codes", name)
			continue
		}
		codes, _, _ := strings.Cut(help[at:], "\n\n")
		for code, digit := range map[exitError]string{failed: "1", unusable: "2"} {
			if strings.Contains(codes, digit) != (lines[code] != nil) {
				t.Errorf("%s ends with %s: %t, but the help says\n%s", name, digit, lines[code] != nil, codes)
			}
		}
	}
	for _, row := range []string{"| 0 |", "| 1 |", "| 2 |"} {
		_, section, _ := strings.Cut(string(text), "\n## Exit codes\n")
		if section, _, _ = strings.Cut(section, "\n## "); !strings.Contains(section, row) {
			t.Errorf("%s has no row %s in its section about exit codes", filepath.Base(page), row)
		}
	}
}
