package userfiles_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/system/disk"
	"github.com/mixedkube/mixedkube/internal/system/userfiles"
)

// patternCases are lines of a .gitignore, and which of the paths they exclude.
var patternCases = []struct {
	name  string
	lines []string
	paths []string
	want  []string
}{
	{"nothing", []string{"", "# a", "   "}, []string{"a", "# a"}, nil},
	{"a name at any depth", []string{"a"}, []string{"a", "b/a", "b/c/a", "aa", "b"}, []string{"a", "b/a", "b/c/a"}},
	{"a name in the directory itself", []string{"/a"}, []string{"a", "b/a"}, []string{"a"}},
	{"a path", []string{"b/a"}, []string{"a", "b/a", "c/b/a"}, []string{"b/a"}},
	{
		"any letters but a slash",
		[]string{"*.tmpl.yaml", "x/*"},
		[]string{"w.tmpl.yaml", "y/w.tmpl.yaml", "w.yaml", "x/z", "y/x"},
		[]string{"w.tmpl.yaml", "y/w.tmpl.yaml", "x/z"},
	},
	{
		"any directories",
		[]string{"**/a", "b/**/c", "d/**"},
		[]string{"a", "e/a", "b/c", "b/e/f/c", "d/g", "h/b/c"},
		[]string{"a", "e/a", "b/c", "b/e/f/c", "d/g"},
	},
	{
		"sets of letters",
		[]string{"[ab].yaml", "[!c-e]?"},
		[]string{"a.yaml", "c.yaml", "xx", "cx"},
		[]string{"a.yaml", "xx"},
	},
	{
		"the last one counts",
		[]string{"*.yaml", "!a.yaml", "b/a.yaml"},
		[]string{"a.yaml", "c/a.yaml", "b/a.yaml", "d.yaml"},
		[]string{"b/a.yaml", "d.yaml"},
	},
	{
		"what stands for itself",
		[]string{`\#a`, `\!b`, `c\ `, "d  "},
		[]string{"#a", "!b", "c ", "c", "d"},
		[]string{"#a", "!b", "c ", "d"},
	},
	{"line ends of Windows", []string{"a\r"}, []string{"a"}, []string{"a"}},
	{"case counts", []string{"A"}, []string{"a", "A"}, []string{"A"}},
}

func TestPatternsMatchAsInGit(t *testing.T) {
	t.Parallel()
	for _, tt := range patternCases {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			patterns, errs := userfiles.ParsePatterns(tt.lines)
			if len(errs) > 0 {
				t.Fatal(errs)
			}
			var got []string
			for _, path := range tt.paths {
				if patterns.Exclude(path, false) {
					got = append(got, path)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("left out (-want +got):\n%s", diff)
			}
		})
	}
}

// git itself, if it is installed, confirms the table.
func TestGitConfirmsThePatterns(t *testing.T) {
	t.Parallel()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("needs git: install it")
	}
	for _, tt := range patternCases {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if out, err := exec.CommandContext(t.Context(), git, "init", "-q", dir).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			text := strings.Join(tt.lines, "\n")
			if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), git, "-C", dir, "check-ignore", "--no-index", "-z", "--stdin")
			cmd.Stdin = strings.NewReader(strings.Join(tt.paths, "\x00"))
			out, err := cmd.Output()
			var exit *exec.ExitError
			if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
				t.Fatal(err)
			}
			var got []string
			if text := strings.TrimSuffix(string(out), "\x00"); text != "" {
				got = strings.Split(text, "\x00")
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("left out by git (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPatternsForDirectoriesOnly(t *testing.T) {
	t.Parallel()
	patterns, errs := userfiles.ParsePatterns([]string{"a/", "/b/c/"})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	for path, want := range map[string]bool{"a": true, "x/a": true, "b/c": true, "x/b/c": false} {
		if got := patterns.Exclude(path, true); got != want {
			t.Errorf("the directory %s: %t, want %t", path, got, want)
		}
		if patterns.Exclude(path, false) {
			t.Errorf("the file %s is left out", path)
		}
	}
}

func TestWrongPatterns(t *testing.T) {
	t.Parallel()
	_, errs := userfiles.ParsePatterns([]string{"ok", "a[", "b//c", "/", `\`})
	got := errors.Join(errs...).Error()
	const want = `:2: "a[" is not a valid .gitignore pattern
:3: "b//c" is not a valid .gitignore pattern
:4: "/" is not a valid .gitignore pattern
:5: "\\" is not a valid .gitignore pattern`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestIgnoredFilesOfADirectory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.yaml": "", "b.yaml": "", "sub/c.yaml": "", "sub/d.yaml": "", "vendor/e.yaml": "",
		"chart/Chart.yaml": "", "chart/templates/f.yaml": "", "sub/.ignore": "*\n", ".ignore": "/b.yaml\nvendor/\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	exclude, _ := userfiles.ParsePatterns([]string{"d.yaml", "!b.yaml"})
	inParent, _ := userfiles.ParsePatterns([]string{"/sub/d.yaml", "c.yaml"})
	back, _ := userfiles.ParsePatterns([]string{"!c.yaml"})
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name  string
		skips userfiles.Skips
		root  string
		want  []string
	}{
		{"nothing", userfiles.Skips{}, "", []string{
			"a.yaml", "b.yaml", "chart/Chart.yaml", "chart/templates/f.yaml", "sub/c.yaml", "sub/d.yaml",
			"vendor/e.yaml",
		}},
		{
			"a file in the directory excludes it",
			userfiles.Skips{IgnoreFile: ".ignore", Chart: func(string) {}},
			"",
			[]string{"a.yaml", "sub/c.yaml", "sub/d.yaml"},
		},
		{
			"patterns come after those of the file",
			userfiles.Skips{IgnoreFile: ".ignore", Exclude: exclude},
			"",
			[]string{"a.yaml", "b.yaml", "chart/Chart.yaml", "chart/templates/f.yaml", "sub/c.yaml"},
		},
		{
			"the configuration", userfiles.Skips{ConfigFile: "c.yaml"}, "/sub", []string{"sub/d.yaml"},
		},
		{"a configuration that is named", userfiles.Skips{ConfigFile: "c.yaml"}, "/sub/c.yaml", []string{"sub/c.yaml"}},
		{"a file that is named", userfiles.Skips{Exclude: exclude}, "/sub/d.yaml", []string{"sub/d.yaml"}},
		{
			"patterns of the directory itself",
			userfiles.Skips{IgnoreFile: ".ignore", Chart: func(string) {}, ParentExclude: inParent, ParentDir: dir},
			"",
			[]string{"a.yaml"},
		},
		{
			"patterns of a parent directory, which others bring back",
			userfiles.Skips{ParentExclude: inParent, ParentDir: dir, Exclude: back},
			"/sub",
			[]string{"sub/c.yaml"},
		},
		{
			"patterns of a parent directory by another name",
			userfiles.Skips{ParentExclude: inParent, ParentDir: link, Exclude: back},
			"/sub",
			[]string{"sub/c.yaml"},
		},
		{
			"patterns of a directory elsewhere",
			userfiles.Skips{ParentExclude: inParent, ParentDir: filepath.Join(dir, "vendor")},
			"/sub",
			[]string{"sub/c.yaml", "sub/d.yaml"},
		},
		{
			"a file that is named, whatever a parent directory says",
			userfiles.Skips{ParentExclude: inParent, ParentDir: dir},
			"/sub/d.yaml",
			[]string{"sub/d.yaml"},
		},
		{
			"a chart that is named",
			userfiles.Skips{Chart: func(string) {}},
			"/chart",
			[]string{"chart/Chart.yaml", "chart/templates/f.yaml"},
		},
	} {
		files, errs := userfiles.List(new(disk.Access), dir+filepath.FromSlash(tt.root), tt.skips)
		if len(errs) > 0 {
			t.Errorf("%s: %v", tt.name, errs)
		}
		var got []string
		for _, f := range files {
			got = append(got, strings.TrimPrefix(filepath.ToSlash(f), filepath.ToSlash(dir)+"/"))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
	all, _ := userfiles.ParsePatterns([]string{"*.yaml"})
	_, errs := userfiles.List(new(disk.Access), dir, userfiles.Skips{Exclude: all, Chart: func(string) {}})
	want := "only Helm charts in the directory: name them instead: " + filepath.ToSlash(dir) + "/chart"
	if got := errors.Join(errs...); got == nil || got.Error() != filepath.ToSlash(dir)+": "+want {
		t.Errorf("a directory of a chart: %v, want %s", got, want)
	}
	if err := os.WriteFile(filepath.Join(dir, ".ignore"), []byte("a\n[\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, errs = userfiles.List(new(disk.Access), dir, userfiles.Skips{IgnoreFile: ".ignore"})
	want = filepath.ToSlash(dir) + `/.ignore:2: "[" is not a valid .gitignore pattern`
	if got := errors.Join(errs...); got == nil || got.Error() != want {
		t.Errorf("a wrong pattern in the file: %v, want %s", got, want)
	}
	_, errs = userfiles.List(new(disk.Access), filepath.Join(dir, "vendor"), userfiles.Skips{Exclude: exclude})
	if len(errs) > 0 {
		t.Errorf("%v", errs)
	}
}
