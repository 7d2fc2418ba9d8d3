//go:build unix

package disk

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFindAbove(t *testing.T) {
	dir := tree(t, map[string]string{
		"a.conf": "", "repo/.git/HEAD": "", "repo/sub/deep/": "", "repo/a.conf": "", "other/sub/deep/": "",
		"none/.git/HEAD": "",
	})
	for at, want := range map[string]string{
		"repo": "a.conf", "repo/sub/deep": "../../a.conf", "other/sub/deep": "../../../a.conf", "none": "",
	} {
		t.Run(at, func(t *testing.T) {
			t.Chdir(filepath.Join(dir, at))
			got, ignored, err := new(Access).FindAbove("a.conf")
			if filepath.ToSlash(got) != want || len(ignored) > 0 || err != nil {
				t.Errorf("%q, %v, %v, want %q", got, ignored, err, want)
			}
		})
	}
}

// Somebody who may write to a directory above, such as /tmp, does not decide.
func TestFilesOfOtherUsersAreIgnored(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs root: run the tests as root")
	}
	const neighbor, runner = 65534, 1001
	for name, tt := range map[string]struct {
		owners  map[string]int
		named   []string
		want    string
		ignored []Ignored
	}{
		"the file": {
			map[string]int{"tmp/a.conf": neighbor},
			nil, "",
			[]Ignored{{"../../a.conf", "belongs to the user 65534"}},
		},
		"the directory": {
			map[string]int{"tmp": neighbor},
			nil, "",
			[]Ignored{{"../../a.conf", "is in a directory of the user 65534"}},
		},
		"the checkout of another user": {
			map[string]int{"tmp/a.conf": runner, "tmp": runner, "tmp/own/repo": runner}, nil, "../../a.conf", nil,
		},
		"the checkout of another user, from a named directory": {
			map[string]int{"tmp/a.conf": runner, "tmp": runner, "tmp/named": runner},
			[]string{"tmp/named"},
			"../../a.conf", nil,
		},
		"the file that a link leads to": {
			map[string]int{"tmp/target": neighbor}, nil, "", []Ignored{{"../../a.conf", "belongs to the user 65534"}},
		},
		"the link": {
			map[string]int{"tmp/a.conf": neighbor}, nil, "", []Ignored{{"../../a.conf", "belongs to the user 65534"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := tree(t, map[string]string{"tmp/own/repo/": "", "tmp/named/": "", "tmp/target": ""})
			config := filepath.Join(dir, "tmp", "a.conf")
			if _, link := tt.owners["tmp/target"]; link || name == "the link" {
				if err := os.Symlink("target", config); err != nil {
					t.Fatal(err)
				}
			} else if err := os.WriteFile(config, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			for path, uid := range tt.owners {
				if err := os.Lchown(filepath.Join(dir, path), uid, uid); err != nil {
					t.Fatal(err)
				}
			}
			t.Chdir(filepath.Join(dir, "tmp", "own", "repo"))
			var a Access
			for _, path := range tt.named {
				if err := a.Name(filepath.Join(dir, path)); err != nil {
					t.Fatal(err)
				}
			}
			got, ignored, err := a.FindAbove("a.conf")
			if filepath.ToSlash(got) != tt.want || err != nil {
				t.Errorf("%q, %v, want %q", got, err, tt.want)
			}
			if diff := cmp.Diff(tt.ignored, ignored); diff != "" {
				t.Errorf("ignored (-want +got):\n%s", diff)
			}
		})
	}
}
