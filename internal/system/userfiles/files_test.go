package userfiles_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/system/disk"
	"github.com/mixedkube/mixedkube/internal/system/userfiles"
)

func dir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{
		"a.yaml", "b.yml", "sub/c.json", "sub/d.txt", ".git/e.yaml", "[f].yaml",
		"empty/x.txt",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const noAddress = "is not an address: write https://host/path, with %XX for what is special in it"

func TestRead(t *testing.T) {
	t.Parallel()
	dir := dir(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/ok.yaml":
			fmt.Fprint(w, "ok")
		case "/large.yaml":
			fmt.Fprint(w, strings.Repeat("x", manifests.MaxFileSize+10))
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	for _, tt := range []struct {
		name            string
		names           []string
		files, problems []string
	}{
		{
			"a directory, and a file of it again",
			[]string{dir, dir + "/a.yaml"},
			[]string{"[f].yaml", "a.yaml", "b.yml", "sub/c.json"},
			nil,
		},
		{"a pattern", []string{dir + "/*.y*ml"}, []string{"[f].yaml", "a.yaml", "b.yml"}, nil},
		{"a pattern of directories", []string{dir + "/su*"}, []string{"sub/c.json"}, nil},
		{"a file whose name looks like a pattern", []string{dir + "/[f].yaml"}, []string{"[f].yaml"}, nil},
		{"any file that is named", []string{dir + "/sub/d.txt"}, []string{"sub/d.txt"}, nil},
		{"an address", []string{server.URL + "/ok.yaml"}, []string{"/ok.yaml"}, nil},
		{"nothing", []string{
			dir + "/none", dir + "/*.none", dir + "/[", dir + "/empty", server.URL + "/none",
			"http://",
		}, nil, []string{
			"DIR/none: no such file or directory", "DIR/*.none: no file matches the pattern",
			"DIR/[: is not a valid pattern: syntax error in pattern",
			"DIR/empty: no *.yaml, *.yml or *.json in the directory", "SERVER/none: the server answers 404 Not Found",
			"http://: " + noAddress,
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			shorten := strings.NewReplacer(filepath.ToSlash(dir), "DIR", server.URL, "SERVER").Replace
			found, errs := userfiles.Read(t.Context(), new(disk.Access), tt.names, userfiles.Skips{})
			var files, problems []string
			for _, f := range found {
				name := strings.TrimPrefix(strings.TrimPrefix(shorten(f.Name), "DIR/"), "SERVER")
				files = append(files, name)
				if want := strings.TrimPrefix(strings.TrimSuffix(name, ".yaml"), "/"); f.Path == "" &&
					string(f.Text) != want || f.Path != "" && string(f.Text) != name {
					t.Errorf("%s is %q", f.Name, f.Text)
				}
			}
			for _, err := range errs {
				problems = append(problems, shorten(err.Error()))
			}
			if diff := cmp.Diff([][]string{tt.files, tt.problems}, [][]string{files, problems}); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	secret := strings.NewReplacer("http://", "http://user:hidden@").Replace
	files, errs := userfiles.Read(t.Context(), new(disk.Access), []string{
		secret(server.URL) + "/ok.yaml?token=hidden", server.URL + "/ok.yaml?token=hidden2",
		secret(server.URL) + "/none?token=hidden", secret(closed.URL) + "/?hidden",
		"http://user:hidden%zz@host.invalid/", "https://user:hid/den@host.invalid/",
	}, userfiles.Skips{})
	if len(files) != 2 || files[0].Name != server.URL+"/ok.yaml" || files[1].Name != server.URL+"/ok.yaml" {
		t.Errorf("files %+v, want %s/ok.yaml twice", files, server.URL)
	}
	want := []string{server.URL + "/none: the server answers 404 Not Found", closed.URL + "/: dial tcp ", "http://…: " + noAddress, "https://…: " + noAddress}
	if len(errs) != len(want) {
		t.Fatalf("the errors are %v, want %q", errs, want)
	}
	for i, err := range errs {
		if !strings.HasPrefix(err.Error(), want[i]) || strings.Contains(err.Error(), "hid") ||
			strings.Contains(err.Error(), "%zz") {
			t.Errorf("the error is %v, want %s and no secret", err, want[i])
		}
	}
	files, errs = userfiles.Read(t.Context(), new(disk.Access), []string{server.URL + "/large.yaml"}, userfiles.Skips{})
	if len(errs) > 0 ||
		len(files[0].Text) != manifests.MaxFileSize+1 {
		t.Errorf("of what is too large %d bytes are read, %v", len(files[0].Text), errs)
	}
	_, errs = userfiles.Read(t.Context(), new(disk.Access), []string{closed.URL}, userfiles.Skips{})
	if len(errs) != 1 ||
		!strings.HasPrefix(errs[0].Error(), closed.URL+": dial tcp ") {
		t.Errorf("a closed server: %v", errs)
	}
}

func TestADirectoryMayBeALink(t *testing.T) {
	t.Parallel()
	dir := dir(t)
	link := filepath.Join(t.TempDir(), "link.yaml")
	if err := os.Symlink(dir, link); err != nil {
		t.Skipf("needs symbolic links: run it on Linux or macOS: %v", err)
	}
	// Following such a link below the directory would never end.
	if err := os.Symlink(dir, filepath.Join(dir, "sub", "again")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a.yaml", filepath.Join(dir, "g.yaml")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		root string
		want []string
	}{
		{link, []string{"[f].yaml", "a.yaml", "b.yml", "g.yaml", "sub/c.json"}},
		{filepath.Join(link, "g.yaml"), []string{"g.yaml"}},
	} {
		files, problems := userfiles.List(new(disk.Access), tt.root, userfiles.Skips{})
		var names []string
		for _, file := range files {
			names = append(names, strings.TrimPrefix(filepath.ToSlash(file), filepath.ToSlash(link)+"/"))
		}
		if diff := cmp.Diff(tt.want, names); diff != "" || len(problems) > 0 {
			t.Errorf("%v (-want +got):\n%s", problems, diff)
		}
	}
}
