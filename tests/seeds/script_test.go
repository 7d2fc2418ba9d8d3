package seeds

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/tests/internal/labtest"
)

// step is a command of the script, and what it must print.
type step struct {
	command string
	// lines are in the output, in this order. "…" stands for any text.
	lines []string
}

// scriptRow is what the script shows of a row.
type scriptRow struct {
	title string
	steps []step
	// notRun are the parts that need what is not here.
	notRun []string
}

// script parses a script. A row begins with "# NN what", a command with "$ ", what is not run with "not run: ", and the
// other lines are those of the output.
func script(text string) ([]scriptRow, error) {
	var rows []scriptRow
	for i, line := range strings.Split(text, "\n") {
		if title, ok := strings.CutPrefix(line, "# "); ok {
			rows = append(rows, scriptRow{title: title})
			continue
		}
		if line == "" {
			continue
		}
		if len(rows) == 0 {
			return nil, fmt.Errorf("line %d is before the first row: %s", i+1, line)
		}
		row := &rows[len(rows)-1]
		command, isCommand := strings.CutPrefix(line, "$ ")
		reason, isNotRun := strings.CutPrefix(line, "not run: ")
		switch {
		case isCommand:
			row.steps = append(row.steps, step{command: command})
		case isNotRun:
			row.notRun = append(row.notRun, reason)
		case len(row.steps) == 0:
			return nil, fmt.Errorf("line %d is before the first command of its row: %s", i+1, line)
		default:
			last := &row.steps[len(row.steps)-1]
			last.lines = append(last.lines, line)
		}
	}
	return rows, nil
}

// missing returns the first lines that an output does not have in their order.
func missing(output string, want []string) []string {
	for line := range strings.Lines(output) {
		if len(want) > 0 && matches(strings.TrimRight(line, "\n"), want[0]) {
			want = want[1:]
		}
	}
	return want
}

// matches reports whether a line of an output is an expected one.
func matches(line, want string) bool {
	parts := strings.Split(strings.TrimSpace(want), "…")
	line, found := strings.CutPrefix(strings.TrimSpace(line), parts[0])
	for _, part := range parts[1:] {
		if !found {
			return false
		}
		_, line, found = strings.Cut(line, part)
	}
	last := parts[len(parts)-1]
	return found && (line == "" || len(parts) > 1 && (last == "" || strings.HasSuffix(line, last)))
}

// TestScript runs testdata/script.txt: for each row of the inventory the commands that show it, and the lines that they
// must print. The commands start in a directory with the files of testdata/script and the manifests of the seeds. The
// variable CHECKOUT is the root of the checkout.
func TestScript(t *testing.T) {
	t.Parallel()
	rows, err := script(read(t, "testdata", "script.txt"))
	if err != nil {
		t.Fatal(err)
	}
	inventory := load[[]row](t, "rows.yaml")
	if len(rows) != len(inventory) {
		t.Fatalf("the script has %d rows, want %d", len(rows), len(inventory))
	}
	env := append(os.Environ(), "CHECKOUT="+labtest.Checkout(t),
		"PATH="+labtest.Commands(t, "helm")+string(os.PathListSeparator)+os.Getenv("PATH"))
	for i, r := range rows {
		if want := fmt.Sprintf("%02d %s", inventory[i].Row, inventory[i].What); r.title != want {
			t.Errorf("the row is %q, want %q", r.title, want)
			continue
		}
		t.Run(r.title, func(t *testing.T) {
			t.Parallel()
			if len(r.steps) == 0 {
				t.Error("the row has no command")
			}
			dir := t.TempDir()
			for _, files := range []string{"script", "manifests"} {
				if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", files))); err != nil {
					t.Fatal(err)
				}
			}
			for _, s := range r.steps {
				s.run(t, dir, env)
			}
			for _, reason := range r.notRun {
				t.Log("not run: " + reason)
			}
		})
	}
}

// run runs the command. Its exit status, if it is not 0, is a line of its output, which the script must have.
func (s step) run(t *testing.T, dir string, env []string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", "-c", s.command)
	cmd.Dir, cmd.Env = dir, env
	out, err := cmd.CombinedOutput()
	output := strings.ReplaceAll(string(out), dir, "DIR")
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		status := exit.String()
		output += status + "\n"
		if !slices.Contains(s.lines, status) {
			t.Errorf("$ %s\n%s\nends with %s, which the script does not expect", s.command, output, status)
		}
	} else if err != nil {
		t.Fatal(err)
	}
	if len(s.lines) == 0 {
		t.Errorf("$ %s: the script expects no line", s.command)
	}
	if lines := missing(output, s.lines); len(lines) > 0 {
		t.Errorf("$ %s\n%s\nwithout this line in its place:\n%s", s.command, output, lines[0])
	}
}

func TestScriptsAreParsed(t *testing.T) {
	t.Parallel()
	rows, err := script("# 01 one\n$ a\nx\ny\nnot run: z\n\n# 02 two\n$ b\n")
	if err != nil {
		t.Fatal(err)
	}
	const want = `[{01 one [{a [x y]}] [z]} {02 two [{b []}] []}]`
	if got := fmt.Sprint(rows); got != want {
		t.Errorf("the script is %s, want %s", got, want)
	}
	for text, want := range map[string]string{
		"x\n":         "line 1 is before the first row: x",
		"# 01 a\nx\n": "line 2 is before the first command of its row: x",
	} {
		if _, err := script(text); err == nil || err.Error() != want {
			t.Errorf("%q is parsed with %v, want %s", text, err, want)
		}
	}
}

func TestMissing(t *testing.T) {
	t.Parallel()
	const output = "one two\n  three\nfour\n"
	for lines, want := range map[string]string{
		"one two": "", "three|four": "", "one…|…our": "", "…ne tw…": "", "o…e t…o": "", "…o": "", "one": "one",
		"four|three": "three", "four|four": "four", "two…": "two…", "…one": "…one", "o…two…o": "o…two…o",
	} {
		if got := strings.Join(missing(output, strings.Split(lines, "|")), "|"); got != want {
			t.Errorf("%q of %q are missing, want %q", got, lines, want)
		}
	}
}
