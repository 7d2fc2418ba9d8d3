package release

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/system/executable"
)

// inClone matches a line of a page that runs mixedkube from a clone.
var inClone = regexp.MustCompile(`^\$ (?:(.*) \| )?go run (\.|\.\./\.\.) ([^#]*)`)

// shownCommand is such a command, with its output on the page.
type shownCommand struct {
	page string
	// dir is the working directory in the checkout, and input the source of its standard input.
	dir, input string
	args       []string
	shows      string
}

// shownCommands returns the commands of the README and of the pages in docs.
func shownCommands(t *testing.T) []shownCommand {
	t.Helper()
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	commands := commandsOf(t, "README.md")
	for _, page := range pages {
		commands = append(commands, commandsOf(t, "docs/"+filepath.Base(page))...)
	}
	return commands
}

// commandsOf returns the commands of a page, including those in code blocks of lists.
func commandsOf(t *testing.T, page string) []shownCommand {
	t.Helper()
	var commands []shownCommand
	dir, indent, open := ".", "", false
	for line := range strings.Lines(string(readFile(t, page))) {
		line = strings.TrimRight(line, "\n")
		if fence := strings.TrimLeft(line, " "); strings.HasPrefix(fence, "```") {
			dir, open, indent = ".", false, line[:len(line)-len(fence)]
			continue
		}
		line = strings.TrimPrefix(line, indent)
		if below, ok := strings.CutPrefix(line, "$ cd "); ok {
			dir = path.Join(dir, below)
		}
		if found := inClone.FindStringSubmatch(line); found != nil {
			open = true
			commands = append(commands, shownCommand{
				page: page, dir: dir, input: found[1], args: strings.Fields(found[3]),
			})
		} else if open && !strings.HasPrefix(line, "$ ") {
			commands[len(commands)-1].shows += line + "\n"
		} else {
			open = false
		}
	}
	return commands
}

// The tests below cover all commands of the pages.
func TestTheCommandsOfThePagesAreFound(t *testing.T) {
	t.Parallel()
	var got []string
	for _, c := range shownCommands(t) {
		got = append(got, c.page+" "+c.args[0])
	}
	want := []string{
		"README.md check", "docs/existing-clusters.md topology", "docs/machines.md join",
		"docs/manifests.md check", "docs/manifests.md adopt",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the pages run other commands in a clone: test the new ones (-want +got):\n%s", diff)
	}
}

// TestSnapshotRunsWhatThePagesRun runs the commands of the pages without Go: it uses the program for this
// machine, in a directory that has only the files of the command.
func TestSnapshotRunsWhatThePagesRun(t *testing.T) {
	t.Parallel()
	r := readRelease(t)
	program := r.unpacked(t, archiveName(t, r.version, hostSystem(t), runtime.GOARCH))["mixedkube"]
	place := t.TempDir()
	bin := filepath.Join(place, "bin")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := executable.Write(filepath.Join(bin, "mixedkube"), program, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range shownCommands(t) {
		t.Run(c.page+" "+c.args[0], func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			work := filepath.Join(dir, filepath.FromSlash(c.dir))
			copyNamed(t, filepath.FromSlash(c.dir), work, c.args)
			if c.args[0] == "join" {
				writeToken(t, work)
			}
			cmd := exec.CommandContext(t.Context(), filepath.Join(bin, "mixedkube"), c.args...)
			cmd.Dir, cmd.Env = work, []string{"PATH=" + bin, "HOME=" + dir}
			if c.input != "" {
				cmd.Stdin = bytes.NewReader(readFile(t, "internal/cli/testdata/topology/eks.yaml"))
			}
			var out, errs bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &errs
			err := cmd.Run()
			output := out.String() + errs.String()
			if err != nil {
				output += fmt.Sprintln(err)
			}
			shown := c.shows
			if shown == "" {
				shown = unshown[c.args[0]]
			}
			begin, _, partly := strings.Cut(shown, "…\n")
			if shown == "" || output != shown && (!partly || !strings.HasPrefix(output, begin)) {
				t.Errorf("$ mixedkube %s\n%s\nwant\n%s", strings.Join(c.args, " "), output, shown)
			}
		})
	}
}

// unshown has the beginning of the output of commands whose output the pages do not show.
var unshown = map[string]string{
	"topology": "cloud: eks\n…\n",
	"adopt":    "--- testdata/adopt/deploy/…\n",
}

// copyNamed copies the files and directories of the checkout that arguments name.
func copyNamed(t *testing.T, from, to string, args []string) {
	t.Helper()
	if err := os.MkdirAll(to, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, arg := range args {
		source := filepath.Join(root, from, filepath.FromSlash(arg))
		info, err := os.Stat(source)
		if err != nil || arg == args[0] {
			continue // not a file
		}
		target := filepath.Join(to, filepath.FromSlash(arg))
		if info.IsDir() {
			err = os.CopyFS(target, os.DirFS(source))
		} else if err = os.MkdirAll(filepath.Dir(target), 0o755); err == nil {
			var content []byte
			if content, err = os.ReadFile(source); err == nil {
				err = os.WriteFile(target, content, 0o600)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// writeToken writes the file that the page creates with openssl.
func writeToken(t *testing.T, dir string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "token"), []byte("abcdef.0123456789abcdef\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}
