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
)

// inClone is a command of the README that runs the command of a clone.
var inClone = regexp.MustCompile(`^\$ (?:(.*) \| )?go run (\.|\.\./\.\.) ([^#]*)`)

// readmeCommand is such a command, and what the README shows of its output.
type readmeCommand struct {
	// folder is where it runs, in the checkout, and input what is piped into it.
	folder, input string
	args          []string
	shows         string
}

// readmeCommands are all of them.
func readmeCommands(t *testing.T) []readmeCommand {
	t.Helper()
	var commands []readmeCommand
	folder, open := ".", false
	for line := range strings.Lines(string(readFile(t, "README.md"))) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "```") {
			folder, open = ".", false
			continue
		}
		if dir, ok := strings.CutPrefix(line, "$ cd "); ok {
			folder = path.Join(folder, dir)
		}
		if found := inClone.FindStringSubmatch(line); found != nil {
			open = true
			commands = append(commands, readmeCommand{folder: folder, input: found[1], args: strings.Fields(found[3])})
		} else if open && !strings.HasPrefix(line, "$ ") {
			commands[len(commands)-1].shows += line + "\n"
		} else {
			open = false
		}
	}
	return commands
}

// The commands that are tested below are those of the README.
func TestTheCommandsOfTheReadmeAreFound(t *testing.T) {
	t.Parallel()
	var got []string
	for _, c := range readmeCommands(t) {
		got = append(got, c.args[0])
	}
	if want := "topology join check adopt"; strings.Join(got, " ") != want {
		t.Errorf("the README runs %q in a clone, want %s: test what is new", got, want)
	}
}

// TestSnapshotRunsWhatTheReadmeRuns runs the commands of the README with the program for this machine, in an
// empty folder to which their files were copied, without Go.
func TestSnapshotRunsWhatTheReadmeRuns(t *testing.T) {
	t.Parallel()
	r := readRelease(t)
	program := r.unpacked(t, archiveName(t, r.version, hostSystem(t), runtime.GOARCH))["mixedkube"]
	place := t.TempDir()
	bin := filepath.Join(place, "bin")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(bin, "mixedkube"), program, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range readmeCommands(t) {
		t.Run(c.args[0], func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			work := filepath.Join(folder, filepath.FromSlash(c.folder))
			copyNamed(t, filepath.FromSlash(c.folder), work, c.args)
			if c.args[0] == "join" {
				writeToken(t, work)
			}
			cmd := exec.CommandContext(t.Context(), filepath.Join(bin, "mixedkube"), c.args...)
			cmd.Dir, cmd.Env = work, []string{"PATH=" + bin, "HOME=" + folder}
			if c.input != "" {
				cmd.Stdin = bytes.NewReader(readFile(t, "internal/cli/testdata/topology/eks.yaml"))
			}
			var out, errs bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &errs
			err := cmd.Run()
			said := out.String() + errs.String()
			if err != nil {
				said += fmt.Sprintln(err)
			}
			shown := c.shows
			if shown == "" {
				shown = shownElsewhere[c.args[0]]
			}
			begin, _, partly := strings.Cut(shown, "…\n")
			if shown == "" || said != shown && (!partly || !strings.HasPrefix(said, begin)) {
				t.Errorf("$ mixedkube %s\n%s\nwant\n%s", strings.Join(c.args, " "), said, shown)
			}
		})
	}
}

// shownElsewhere begins what commands say of which the README shows nothing.
var shownElsewhere = map[string]string{
	"topology": "cloud: eks\n…\n",
	"adopt":    "--- testdata/adopt/deploy/…\n",
}

// copyNamed copies the files and folders of the checkout that arguments name.
func copyNamed(t *testing.T, from, to string, args []string) {
	t.Helper()
	if err := os.MkdirAll(to, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, arg := range args {
		source := filepath.Join(root, from, filepath.FromSlash(arg))
		info, err := os.Stat(source)
		if err != nil || arg == args[0] {
			continue // no file
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

// writeToken writes what the README has openssl write before.
func writeToken(t *testing.T, folder string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(folder, "token"), []byte("abcdef.0123456789abcdef\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}
