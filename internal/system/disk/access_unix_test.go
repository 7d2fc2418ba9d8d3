//go:build unix

package disk

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tree creates files and links ("-> target") below a new directory: HOME is private, REPO has a repository.
func tree(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		at := filepath.Join(dir, name)
		err := os.MkdirAll(filepath.Dir(at), 0o755)
		switch target, isLink := strings.CutPrefix(text, "-> "); {
		case isLink:
			err = errors.Join(err, os.Symlink(strings.ReplaceAll(target, "DIR", dir), at))
		case strings.HasSuffix(name, "/"):
			err = errors.Join(err, os.MkdirAll(at, 0o755))
		case text == "pipe":
			err = errors.Join(err, syscall.Mkfifo(at, 0o600))
		default:
			err = errors.Join(err, os.WriteFile(at, []byte(text), 0o600))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// result returns the content of a file, or the error.
func result(r io.ReadCloser, err error, dir string) string {
	if err != nil {
		return "error: " + strings.ReplaceAll(Named("x", err).Error(), dir, "DIR")
	}
	defer func() { _ = r.Close() }()
	text, err := io.ReadAll(r)
	if err != nil {
		return "error: " + err.Error()
	}
	return string(text)
}

func TestLinksStayInside(t *testing.T) {
	t.Parallel()
	const (
		leaves  = "error: x: a link leads out of DIR/"
		advice  = ", and is not followed: name that file itself"
		missing = "error: x: no such file or directory"
	)
	files := map[string]string{
		"home/key": "secret", "home/other/.git/HEAD": "", "home/other/a.yaml": "another repository",
		"repo/.git/config": "token", "repo/common/a.yaml": "common",
		"repo/deploy/plain.yaml":    "plain",
		"repo/deploy/relative.yaml": "-> ../common/a.yaml",
		"repo/deploy/absolute.yaml": "-> DIR/repo/common/a.yaml",
		"repo/deploy/out.yaml":      "-> ../../home/key",
		"repo/deploy/absent.yaml":   "-> none",
		"repo/deploy/twice.yaml":    "-> out.yaml",
		"repo/deploy/proc.yaml":     "-> /proc/self/environ",
		"repo/deploy/git.yaml":      "-> ../.git/config",
		"repo/deploy/loop.yaml":     "-> loop.yaml",
		"repo/deploy/pipe.yaml":     "pipe",
		"repo/deploy/dir":           "-> ../common",
		"repo/deploy/repository":    "-> ../../home/other",
		"repo/module/.git":          "gitdir: ../.git/modules/module",
		"repo/module/up.yaml":       "-> ../common/a.yaml",
		"link":                      "-> repo",
		"plain/deploy/up.yaml":      "-> ../a.yaml",
		"plain/deploy/sub/in.yaml":  "-> ../b.yaml",
		"plain/deploy/b.yaml":       "b",
		"plain/a.yaml":              "a",
		"plain/named":               "-> ../home/other",
		"mount/cluster.yaml":        "-> ..data/cluster.yaml",
		"mount/..data":              "-> ..2026",
		"mount/..2026/cluster.yaml": "mounted",
		"manifests/.git":            "-> ../home/other/.git",
		"manifests/a/up.yaml":       "-> ../b.yaml",
		"manifests/b.yaml":          "of a tool for many repositories",
	}
	for _, tt := range []struct {
		path  string
		named []string
		allow string
		want  string
	}{
		{path: "repo/deploy/plain.yaml", want: "plain"},
		{path: "repo/deploy/relative.yaml", want: "common"},
		{path: "repo/deploy/absolute.yaml", want: "common"},
		{path: "repo/deploy/dir/a.yaml", want: "common"},
		{path: "link/deploy/relative.yaml", want: "common"},
		{path: "repo/deploy/out.yaml", want: leaves + "repo, to DIR/home/key" + advice},
		{path: "repo/deploy/twice.yaml", want: leaves + "repo, to DIR/home/key" + advice},
		{path: "repo/deploy/out.yaml", allow: "home", want: "secret"},
		{path: "repo/deploy/out.yaml", allow: "home/other", want: leaves + "repo, to DIR/home/key" + advice},
		{path: "repo/deploy/absent.yaml", want: missing},
		{path: "manifests/a/up.yaml", want: "of a tool for many repositories"},
		{path: "repo/deploy/loop.yaml", want: "error: x: is a link in a circle, or behind too many " +
			"links: name the file that it should lead to"},
		{path: "repo/deploy/git.yaml", want: "error: x: a link leads to DIR/repo/.git/config, and links into .git " +
			"are not followed: name that file itself"},
		{path: "repo/.git/config", want: "token"},
		// The other repository does not make its files a part of this one.
		{path: "repo/deploy/repository/a.yaml", want: leaves + "repo, to DIR/home/other/a.yaml" + advice},
		{path: "repo/module/up.yaml", want: leaves + "repo/module, to DIR/repo/common/a.yaml" + advice},
		{path: "plain/deploy/up.yaml", want: leaves + "plain/deploy, to DIR/plain/a.yaml" + advice},
		{path: "plain/deploy/up.yaml", named: []string{"plain"}, want: "a"},
		{path: "plain/deploy/sub/in.yaml", named: []string{"plain/deploy"}, want: "b"},
		{path: "plain/deploy/sub/in.yaml", want: leaves + "plain/deploy/sub, to DIR/plain/deploy/b.yaml" + advice},
		// A named directory may be a link.
		{path: "plain/named/a.yaml", named: []string{"plain/named"}, want: "another repository"},
		{path: "mount/cluster.yaml", want: "mounted"},
		{path: "repo/deploy", want: "error: x: is a directory"},
		{path: "repo/deploy/pipe.yaml", want: "error: x: a pipe that nothing writes to: name a regular file instead"},
		{path: "repo/deploy/pipe.yaml", named: []string{"repo/deploy"}, want: "error: x: is not a regular file: name " +
			"one instead"},
		{path: "/dev/null", want: "error: x: is not a regular file: name one instead"},
	} {
		t.Run(tt.path+" "+strings.Join(tt.named, " ")+tt.allow, func(t *testing.T) {
			t.Parallel()
			dir := tree(t, files)
			at := func(name string) string {
				if filepath.IsAbs(name) {
					return name
				}
				return filepath.Join(dir, name)
			}
			var a Access
			for _, name := range tt.named {
				if err := a.Name(at(name)); err != nil {
					t.Fatal(err)
				}
			}
			if tt.allow != "" {
				if err := a.AllowLinks(at(tt.allow)); err != nil {
					t.Fatal(err)
				}
			}
			r, err := a.Open(at(tt.path))
			if got := result(r, err, dir); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestAllowedDirectoriesExist(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{"file": ""})
	for name, want := range map[string]string{
		"none": "DIR/none: no such file or directory",
		"file": "DIR/file: is not a directory: name one into which links may lead",
	} {
		err := new(Access).AllowLinks(filepath.Join(dir, name))
		if err == nil || strings.ReplaceAll(err.Error(), dir, "DIR") != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// A repository of another user does not widen where links lead.
func TestTheRepositoryOfANeighborDoesNotCount(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("needs root: run the tests as root")
	}
	dir := tree(t, map[string]string{
		"shared/.git/HEAD": "", "shared/mine/a.yaml": "-> ../b.yaml", "shared/b.yaml": "b",
		"container/.git/HEAD": "", "container/deploy/a.yaml": "-> ../b.yaml", "container/b.yaml": "checkout",
	})
	for _, name := range []string{"shared/.git", "container/.git", "container"} {
		if err := os.Chown(filepath.Join(dir, name), 65534, 65534); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{
		"shared/mine/a.yaml": "error: x: a link leads out of DIR/shared/mine, to DIR/shared/b.yaml, and is not " +
			"followed: name that file itself",
		"container/deploy/a.yaml": "checkout",
	} {
		r, err := Open(filepath.Join(dir, path))
		if got := result(r, err, dir); got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
}

func TestReadFileHasALimit(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{
		"small": strings.Repeat("a", 1024), "large": strings.Repeat("a", 1025), "pipe": "pipe",
	})
	for name, want := range map[string]string{
		"small": "", "large": "is larger than 1 kB, which is all that is read of such a file",
		"pipe": "is not a regular file: name one instead",
	} {
		text, err := new(Access).ReadFile(filepath.Join(dir, name), 1024)
		switch {
		case err != nil && err.Error() != want:
			t.Errorf("%s: got %v, want %s", name, err, want)
		case err == nil && (want != "" || len(text) != 1024):
			t.Errorf("%s: %d bytes, want %q", name, len(text), want)
		}
	}
}

func TestWalkDirFollowsTheNamedLinkOnly(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{
		"real/a.yaml": "", "real/sub/b.yaml": "", "real/link": "-> sub", "real/out": "-> ..", "named": "-> real",
	})
	var got []string
	err := new(Access).WalkDir(filepath.Join(dir, "named"), func(path string, entry fs.DirEntry, err error) error {
		got = append(got, strings.TrimPrefix(path, dir)+" "+entry.Type().String())
		return err
	})
	want := []string{
		"/named d---------", "/named/a.yaml ----------", "/named/link L---------", "/named/out L---------",
		"/named/sub d---------", "/named/sub/b.yaml ----------",
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestCheckLinks(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{
		"repo/.git/HEAD": "", "repo/common/_helpers.tpl": "", "repo/chart/Chart.yaml": "",
		"repo/chart/templates/_helpers.tpl": "-> ../../common/_helpers.tpl",
		"repo/chart/values-prod.yaml":       "-> Chart.yaml",
		"repo/chart/.hidden/stolen":         "-> /etc/passwd",
		"repo/chart/charts/broken":          "-> none",
		"repo/archive.tgz":                  "",
	})
	chart := filepath.Join(dir, "repo", "chart")
	check := func(a *Access, path string) string {
		if err := a.CheckLinks(path); err != nil {
			return strings.ReplaceAll(err.Error(), dir, "DIR")
		}
		return ""
	}
	const (
		stolen = "DIR/repo/chart/.hidden/stolen: a link leads out of DIR/repo/chart, to /etc/passwd, and is not " +
			"followed: name that file itself\n"
		broken = "DIR/repo/chart/charts/broken: no such file or directory"
	)
	want := stolen + broken + "\nDIR/repo/chart/templates/_helpers.tpl: a link leads out of DIR/repo/chart, to " +
		"DIR/repo/common/_helpers.tpl, and is not followed: name that file itself"
	if got := check(new(Access), chart); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	var a Access
	if err := a.AllowLinks(filepath.Join(dir, "repo")); err != nil {
		t.Fatal(err)
	}
	if got := check(&a, chart); got != stolen+broken {
		t.Errorf("with the repository allowed: got\n%s", got)
	}
	if got := check(new(Access), filepath.Join(dir, "repo", "archive.tgz")); got != "" {
		t.Errorf("an archive: %s", got)
	}
}

// A program that follows links must not reach .git, whose links do not count.
func TestCheckLinksAndGit(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{
		"shared/.git/config": "token", "shared/a/x": "", "shared/a/all": "-> ..",
		"shared/b/x": "", "shared/b/out": "-> /etc",
		"shared/c/x": "", "shared/c/again": "-> .",
		"chart/.git/config": "-> /etc/passwd", "chart/sub/.GIT": "-> /etc", "chart/stolen": "-> .git/config",
		"chart/.git/HEAD": "", "chart/token": "-> .git/HEAD",
		"chart/a": "-> ../shared/a", "chart/b": "-> ../shared/b", "chart/c": "-> ../shared/c", "chart/d": "-> .",
	})
	var a Access
	if err := a.AllowLinks(filepath.Join(dir, "shared")); err != nil {
		t.Fatal(err)
	}
	err := a.CheckLinks(filepath.Join(dir, "chart") + "/")
	const want = "DIR/chart/a/all: a link leads to a directory that has a .git, whose files are not read: " +
		"link to the directories and files next to it instead\n" +
		"DIR/chart/a/all/b/out: a link leads out of DIR/chart, to /etc, and is not followed: name that file itself\n" +
		"DIR/chart/stolen: a link leads out of DIR/chart, to /etc/passwd, and is not followed: " +
		"name that file itself\n" +
		"DIR/chart/token: a link leads to DIR/chart/.git/HEAD, and links into .git are not followed: " +
		"name that file itself"
	if err == nil || strings.ReplaceAll(err.Error(), dir, "DIR") != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

func TestWithoutGit(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{
		"plain/a": "", "shared/x": "shared",
		"chart/.git/config": "token", "chart/sub/.GIT/config": "token", "chart/sub/deep/.git": "gitdir: x",
		"chart/sub/.gitignore": "kept", "chart/a": "text", "chart/sub/pipe": "pipe", "chart/sub/up": "-> ../a",
		"chart/absolute": "-> DIR/chart/a", "chart/around": "-> ../chart/sub", "chart/all": "-> .",
		"chart/out": "-> ../shared/x",
	})
	var a Access
	if err := a.AllowLinks(filepath.Join(dir, "shared")); err != nil {
		t.Fatal(err)
	}
	for _, same := range []string{filepath.Join(dir, "plain"), filepath.Join(dir, "chart", "a")} {
		if at, _, err := a.WithoutGit(t.Context(), same, 0); at != same || err != nil {
			t.Errorf("%s: %s, %v", same, at, err)
		}
	}
	chart := filepath.Join(dir, "chart")
	at, remove, err := a.WithoutGit(t.Context(), chart, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	err = filepath.WalkDir(at, func(name string, entry fs.DirEntry, err error) error {
		below, _ := filepath.Rel(at, name)
		switch info, _ := entry.Info(); {
		case isLink(name):
			target, err := os.Readlink(name)
			got[below] = "-> " + strings.ReplaceAll(target, dir, "DIR")
			return err
		case entry.IsDir():
			got[below] = info.Mode().String()
		default:
			text, err := os.ReadFile(name)
			got[below] = info.Mode().String() + " " + string(text)
			return err
		}
		return err
	})
	want := map[string]string{
		".": "drwx------", "sub": "drwx------", "sub/deep": "drwx------", "a": "-rw------- text",
		"sub/.gitignore": "-rw------- kept", "sub/up": "-> ../a", "absolute": "-> a", "around": "-> sub", "all": "-> .",
		"out": "-> DIR/shared/x",
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if remove(); Exists(at) {
		t.Errorf("%s exists", at)
	}
	const large = ": has a .git, and more than 0 MB besides: move what is read into a directory of its own, " +
		"and name that"
	if _, _, err := a.WithoutGit(t.Context(), chart, 5000); err == nil || err.Error() != chart+large {
		t.Errorf("a limit: %v", err)
	}
}

// The copy is not a part of itself.
func TestWithoutGitInTheDirectoryOfTemporaryFiles(t *testing.T) {
	dir := tree(t, map[string]string{".git/config": "token", "tmp/a": "text"})
	t.Setenv("TMPDIR", filepath.Join(dir, "tmp"))
	at, remove, err := new(Access).WithoutGit(t.Context(), dir, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	defer remove()
	if entries, err := os.ReadDir(filepath.Join(at, "tmp")); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
}

// The cached directories lead nowhere else, even after one has become a link out of the repository.
func TestADirectoryThatBecomesALinkLeadsNowhere(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{
		"repo/.git/HEAD": "", "repo/d/sub/a.yaml": "mine", "repo/d/sub/link.yaml": "-> a.yaml",
		"home/sub/a.yaml": "secret", "home/sub/link.yaml": "secret",
	})
	var a Access
	read := func(name string) string {
		r, err := a.Open(filepath.Join(dir, "repo/d/sub", name))
		return result(r, err, dir)
	}
	if one, other := read("a.yaml"), read("link.yaml"); one != "mine" || other != "mine" {
		t.Fatalf("before: %s, %s", one, other)
	}
	was := filepath.Join(dir, "repo/d")
	if err := errors.Join(os.Rename(was, was+"-old"), os.Symlink("../home", was)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.yaml", "link.yaml"} {
		if got := read(name); !strings.HasPrefix(got, "error: ") {
			t.Errorf("%s: read %s", name, got)
		}
	}
	_, err := a.Stat(filepath.Join(was, "sub", "a.yaml"))
	if err == nil {
		t.Error("Stat leads out")
	}
	for _, name := range []string{"", "sub"} {
		err := a.WalkDir(filepath.Join(was, name), func(path string, _ fs.DirEntry, err error) error {
			t.Errorf("met %s", path)
			return err
		})
		if err == nil {
			t.Errorf("%q: WalkDir leads out", name)
		}
	}
	want := "DIR/repo/d: a link leads out of DIR/repo, to DIR/home, and is not followed: name that file itself"
	if err := a.CheckLinks(filepath.Join(dir, "repo")); err == nil ||
		strings.ReplaceAll(err.Error(), dir, "DIR") != want {
		t.Errorf("CheckLinks: %v", err)
	}
}

func TestLinksAreFollowedAsTheSystemDoes(t *testing.T) {
	t.Parallel()
	long := map[string]string{}
	for i := range mostLinks + 1 {
		long["chain/"+strconv.Itoa(i)] = "-> " + strconv.Itoa(i+1)
	}
	long["chain/"+strconv.Itoa(mostLinks+1)] = "end"
	files := map[string]string{
		"a/b/file": "", "a/up": "-> ..", "a/to": "-> b/./file", "a/slash": "-> b/", "a/wrong": "-> b/file/",
		"a/through": "-> b/file/../file", "abs": "-> DIR/a//b/../up/a/slash", "dots": "-> ../../../../../../../../..",
		"a/absent": "-> none/x", "loop": "-> loop", "round/x": "-> ../round2", "round2": "-> round/x",
	}
	maps.Copy(files, long)
	dir := tree(t, files)
	for _, name := range []string{
		"a/b/file", "a/up/a/to", "a/to", "a/slash", "a/slash/file", "a/wrong", "a/through", "abs", "abs/file", "dots",
		"a/absent", "loop", "loop/x", "round/x", "round/x/y", "a/b/file/x", "chain/0", "chain/1", "none", "/",
		"/proc/self/cwd",
	} {
		at := name
		if !filepath.IsAbs(name) {
			at = filepath.Join(dir, name)
		}
		want, wantErr := filepath.EvalSymlinks(at)
		var known sync.Map
		for range 2 { // once from what is known
			got, err := resolve(at, &known)
			if got != want || (err == nil) != (wantErr == nil) ||
				errors.Is(err, fs.ErrNotExist) != errors.Is(wantErr, fs.ErrNotExist) {
				t.Errorf("%s: got %s, %v, want %s, %v", name, got, err, want, wantErr)
			}
		}
	}
}

func TestOpenInside(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{
		"repo/.git/HEAD": "", "repo/deploy/": "", "repo/clusters/a.yaml": "inside", "outside.yaml": "outside",
		"plain/sub/a.yaml": "below", "repo/pipe": "pipe",
	})
	for _, tt := range []struct{ from, path, want string }{
		{"repo/deploy", "repo/clusters/a.yaml", "inside"},
		{"repo/deploy", "repo/pipe", "error: x: is not a regular file: name one instead"},
		{"repo/deploy", "outside.yaml", "error: x: is outside of DIR/repo, and is not read: name that file itself"},
		{"plain", "plain/sub/a.yaml", "below"},
		{"plain/sub", "outside.yaml", "error: x: is outside of DIR/plain/sub, and is not read: name that file itself"},
	} {
		r, err := new(Access).OpenInside(filepath.Join(dir, tt.from), filepath.Join(dir, tt.path))
		if got := result(r, err, dir); got != tt.want {
			t.Errorf("%s from %s: got %s, want %s", tt.path, tt.from, got, tt.want)
		}
	}
}

// A pattern follows the links that it names, and no others.
func TestGlob(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{
		"a/one.yaml": "", "a/two.yaml": "-> one.yaml", "b": "-> a", "deep/a/x.yaml": "", "deep/b": "-> a",
	})
	for pattern, want := range map[string]string{
		"*/*.yaml": "a/one.yaml a/two.yaml", "b/*.yaml": "b/one.yaml b/two.yaml", "b*/*.yaml": "", "b*": "b",
		"deep/*/x.yaml": "deep/a/x.yaml", "*": "a b deep", "none*": "",
	} {
		found, err := Glob(filepath.Join(dir, pattern))
		got := strings.ReplaceAll(strings.Join(found, " "), dir+"/", "")
		if got != want || err != nil {
			t.Errorf("%s: %q, %v, want %q", pattern, got, err, want)
		}
	}
}
