package breaking

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/blang/semver"
	"github.com/google/go-cmp/cmp"
)

// schemaFile is where the schema is in the repository.
const schemaFile = "internal/provider/schema.json"

// TestNothingBreaksSinceTheLastRelease compares the schema with that of the newest release. CHANGELOG.md must list
// intended changes in the section of the next release.
func TestNothingBreaksSinceTheLastRelease(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..", "..")
	changelog, err := os.ReadFile(filepath.Join(root, "CHANGELOG.md"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(string(changelog), "\n## [") == 1 {
		return // the first release is still to come
	}
	release, before, err := released(t, root)
	if err != nil {
		t.Skipf("needs the tags of releases: git fetch --tags --unshallow: %v", err)
	}
	after, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(schemaFile)))
	if err != nil {
		t.Fatal(err)
	}
	changes, err := Changes(before, after)
	if err != nil {
		t.Fatal(err)
	}
	for _, message := range unannounced(changes, string(changelog), release) {
		t.Error(message)
	}
}

// released returns the newest release before the checked-out commit, and its schema.
func released(t *testing.T, root string) (semver.Version, []byte, error) {
	t.Helper()
	git := func(args ...string) (string, error) {
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir = root
		out, err := cmd.Output()
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
			err = fmt.Errorf("git %s: %s", strings.Join(args, " "), bytes.TrimSpace(exit.Stderr))
		}
		return string(out), err
	}
	tags, err := git("tag", "--merged", "HEAD", "--list", "v*")
	if err != nil {
		return semver.Version{}, nil, err
	}
	var releases []semver.Version
	for tag := range strings.FieldsSeq(tags) {
		if v, err := semver.Parse(strings.TrimPrefix(tag, "v")); err == nil && len(v.Pre) == 0 {
			releases = append(releases, v)
		}
	}
	if len(releases) == 0 {
		return semver.Version{}, nil, errors.New("there is no tag v1.2.3 before this commit")
	}
	newest := slices.MaxFunc(releases, semver.Version.Compare)
	if _, err := git("cat-file", "-e", "v"+newest.String()+":"+schemaFile); err != nil {
		return newest, nil, fmt.Errorf("the release %s has no schema", newest)
	}
	content, err := git("show", "v"+newest.String()+":"+schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	return newest, []byte(content), nil
}

// unannounced reports the changes since a release that a changelog does not list above the release's section, under
// a version that may break users.
func unannounced(changes []string, changelog string, release semver.Version) []string {
	if len(changes) == 0 {
		return nil
	}
	next, _, _ := strings.Cut(changelog, "\n## ["+release.String()+"]")
	allowed := fmt.Sprintf("%d.0.0", release.Major+1)
	if release.Major == 0 {
		allowed = fmt.Sprintf("0.%d.0", release.Minor+1)
	}
	heading := "## [" + allowed + "]"
	var messages []string
	if !strings.Contains("\n"+next, "\n"+heading) {
		messages = append(messages, fmt.Sprintf("changes that break users of %s need the version %s: revert them, or "+
			"begin CHANGELOG.md with the heading %q", release, allowed, heading))
	}
	for _, change := range changes {
		if !strings.Contains(next, "\n- "+change+"\n") {
			messages = append(messages, fmt.Sprintf("%s: this breaks users of %s: revert it, or add it to "+
				"CHANGELOG.md below %q, as a list item", change, release, heading))
		}
	}
	return messages
}

func TestUnannounced(t *testing.T) {
	t.Parallel()
	const change = "resource mixedkube:workload:Job is removed"
	const old = "\n## [1.2.3] - 2026-01-02\n\n- " + change + "\n"
	wrong := func(next string) []string {
		return []string{fmt.Sprintf("changes that break users of 1.2.3 need the version %s: revert them, or begin "+
			"CHANGELOG.md with the heading %q", next, "## ["+next+"]")}
	}
	missing := []string{change + `: this breaks users of 1.2.3: revert it, or add it to CHANGELOG.md below ` +
		`"## [2.0.0]", as a list item`}
	for name, tt := range map[string]struct {
		changes   []string
		changelog string
		want      []string
	}{
		"no changes":                 {nil, "", nil},
		"listed":                     {[]string{change}, "# Changes\n\n## [2.0.0]\n\n- " + change + "\n" + old, nil},
		"no changelog":               {[]string{change}, "", append(wrong("2.0.0"), missing...)},
		"listed in an older release": {[]string{change}, "## [2.0.0]\n" + old, missing},
		"listed in a minor version":  {[]string{change}, "## [1.3.0]\n\n- " + change + "\n" + old, wrong("2.0.0")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, unannounced(tt.changes, tt.changelog, semver.MustParse("1.2.3"))); diff != "" {
				t.Errorf("messages (-want +got):\n%s", diff)
			}
		})
	}
	messages := unannounced([]string{change}, "## [0.5.0]\n\n- "+change+"\n", semver.MustParse("0.4.1"))
	if len(messages) > 0 {
		t.Errorf("before 1.0.0 a minor version may break users: %s", messages)
	}
}

// TestReleased looks for releases in a temporary repository.
func TestReleased(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		args = append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); errors.Is(err, exec.ErrNotFound) {
			t.Skip("needs git: install it")
		} else if err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
	}
	write := func(content string) {
		t.Helper()
		file := filepath.Join(root, filepath.FromSlash(schemaFile))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		git("add", "--all")
		git("commit", "--quiet", "--message", content)
	}
	git("init", "--quiet")
	git("commit", "--quiet", "--allow-empty", "--message", "nothing")
	const want = "there is no tag v1.2.3 before this commit"
	if _, _, err := released(t, root); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("without tags the error is %v", err)
	}
	git("tag", "v0.8.0")
	if _, _, err := released(t, root); err == nil || err.Error() != "the release 0.8.0 has no schema" {
		t.Errorf("without a schema the error is %v", err)
	}
	write("nine")
	git("tag", "v0.9.0")
	write("ten")
	git("tag", "v0.10.0")
	write("eleven")
	git("tag", "v0.11.0-rc.1")
	git("tag", "vague")
	version, schema, err := released(t, root)
	if err != nil || version.String() != "0.10.0" || string(schema) != "ten" {
		t.Errorf("the release is %s with %q, %v, want 0.10.0 with ten", version, schema, err)
	}
}
