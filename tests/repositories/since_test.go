package repositories_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/cli"
	"github.com/mixedkube/mixedkube/tests/internal/sample"
)

// change removes, moves and writes files of the tree, and removes lines of kustomizations, of objects and of the
// configuration. It returns what it does.
func (t *tree) change(examples []example) (what []string) {
	for range 1 + t.random.IntN(3) {
		names := slices.DeleteFunc(slices.Sorted(maps.Keys(t.files)), func(name string) bool {
			return strings.HasPrefix(name, ".git/")
		})
		if len(names) == 0 {
			break
		}
		name := pick(t.random, names...)
		e := pick(t.random, examples...)
		switch how := t.random.IntN(5); how {
		case 0:
			delete(t.files, name)
			what = append(what, "remove "+name)
		case 1:
			moved := strings.TrimSuffix(name, filepath.Ext(name)) + "-moved" + filepath.Ext(name)
			t.files[moved] = t.files[name]
			delete(t.files, name)
			what = append(what, "move "+name)
		case 2, 3:
			name = filepath.ToSlash(filepath.Join(filepath.Dir(name), fmt.Sprintf("new-%d.yaml", t.random.IntN(9))))
			t.files[name] = strings.Join(pick(t.random, e.bad, e.good), "---\n")
			what = append(what, "write "+name)
		default:
			if name == cli.ConfigFile { // a configuration that cannot be read ends the run
				continue
			}
			lines := strings.SplitAfter(t.files[name], "\n")
			i := t.random.IntN(len(lines))
			t.files[name] = strings.Join(slices.Delete(lines, i, i+1), "")
			what = append(what, fmt.Sprintf("remove line %d of %s", i+1, name))
		}
	}
	return what
}

// clone is a directory with a git repository.
type clone struct{ dir string }

func (c clone) git(tb testing.TB, args ...string) {
	tb.Helper()
	args = append([]string{"-C", c.dir, "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)
	if out, err := exec.CommandContext(tb.Context(), "git", args...).CombinedOutput(); err != nil {
		tb.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// replace replaces the files of the working tree.
func (c clone) replace(tb testing.TB, t *tree) {
	tb.Helper()
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		tb.Fatal(err)
	}
	for _, entry := range entries {
		if entry.Name() != ".git" {
			if err := os.RemoveAll(filepath.Join(c.dir, entry.Name())); err != nil {
				tb.Fatal(err)
			}
		}
	}
	t.write(tb, c.dir)
}

// findings returns the findings of a check as lines. A tree can have files that cannot be read.
func (c clone) findings(tb testing.TB, args ...string) (lines []string) {
	tb.Helper()
	config := filepath.Join(c.dir, cli.ConfigFile)
	if _, err := os.Stat(config); err != nil {
		config = "off"
	}
	_, found := parsed(tb, append([]string{"--config", config, c.dir}, args...)...)
	for _, f := range found {
		if f.Rule == "" { // a note about a file that was left alone
			continue
		}
		name, _ := filepath.Rel(c.dir, f.File)
		lines = append(lines, filepath.ToSlash(name)+": "+f.String())
	}
	return lines
}

// A check since a commit has all findings that are new, and none that a check without a commit does not have.
func TestSinceACommit(t *testing.T) {
	t.Parallel()
	examples := readExamples(t)
	n := 60
	if sample.All() {
		n = 2000
	}
	all, shown, added := 0, 0, 0
	for i := range n {
		random := rand.New(rand.NewPCG(sample.Seed(), uint64(i)))
		l := layouts[i%len(layouts)]
		t.Run(fmt.Sprint(i, " ", l.name), func(t *testing.T) {
			c := clone{t.TempDir()}
			c.git(t, "init", "--quiet")
			repository := grow(random, l, examples)
			delete(repository.files, ".git/HEAD")
			repository.addNoise(random.IntN(8))
			commit := func() {
				c.replace(t, repository)
				c.git(t, "add", "--all")
				c.git(t, "commit", "--quiet", "--allow-empty", "--message=all")
			}
			commit()
			c.git(t, "tag", "before")
			old := c.findings(t)
			what := repository.change(examples)
			if random.IntN(2) == 0 {
				commit()
			} else {
				c.replace(t, repository)
			}
			now, since := c.findings(t), c.findings(t, "--since", "before")
			for _, f := range now {
				if !slices.Contains(old, f) {
					added++
					if !slices.Contains(since, f) {
						t.Errorf("%s: is new, and not reported\n%q\n%s", f, what, repository.outline())
					}
				}
			}
			for _, f := range since {
				if !slices.Contains(now, f) {
					t.Errorf("%s: is reported only with --since\n%q", f, what)
				}
			}
			all, shown = all+len(now), shown+len(since)
		})
	}
	t.Logf("%d findings in %d repositories: %d are new, %d are reported", all, n, added, shown)
	if added < n/2 || shown >= all {
		t.Errorf("of %d findings, %d are new and %d are reported", all, added, shown)
	}
}
