package pins

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
)

// stranded runs `mixedkube check --to` for the workloads with a matching, and returns the names of those that it says
// the change strands.
func stranded(t *testing.T, matching platform.Matching, from, to string) (names []string, code int) {
	t.Helper()
	args := []string{
		"check", "--topology", poolsFile(from), "--to", poolsFile(to), "--matching", string(matching),
		"--format", "json", filepath.Join("testdata", "files", string(matching)),
	}
	for _, state := range statesWith(t, matching) {
		args = append(args, listOf(t, state))
	}
	code, stdout, stderr := command(t, args...)
	var found []struct{ File, Kind, Name, Path, Rule, Fix string }
	if err := json.Unmarshal([]byte(stdout), &found); err != nil {
		t.Fatalf("check ends with %d: %v\n%s%s", code, err, stdout, stderr)
	}
	for _, f := range found {
		if f.Rule != "MK319" || f.Kind == "RuntimeClass" {
			continue
		}
		if f.File == "" || f.Path == "" || f.Fix == "" {
			t.Errorf("a finding has no file, no path or no fix: %+v", f)
		}
		names = append(names, f.Kind+" "+f.Name)
	}
	slices.Sort(names)
	return slices.Compact(names), code
}

// listOf writes the objects of a state into a file for the command, and returns its path.
func listOf(t *testing.T, state string) string {
	t.Helper()
	var items []any
	for _, o := range stateOf(t, state) {
		items = append(items, o.object)
	}
	text, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": items})
	check(t, err)
	path := filepath.Join(t.TempDir(), filepath.Base(state))
	check(t, os.WriteFile(path, text, 0o600))
	return path
}

// TestCheckToNamesWhatAChangeStrands checks the plan to give the pool another release: all workloads with strict matching
// are stranded, and none if the plan changes nothing.
func TestCheckToNamesWhatAChangeStrands(t *testing.T) {
	t.Parallel()
	var want []string
	for _, w := range read(t).with(platform.Strict) {
		want = append(want, w.kind()+" "+w.name())
	}
	slices.Sort(want)
	got, code := stranded(t, platform.Strict, "2022", "2025")
	for _, name := range want {
		if !slices.Contains(got, name) {
			t.Errorf("check --to does not name %s", name)
		}
	}
	if len(want) != 100 || len(got) != len(want) || code != 1 {
		t.Errorf("check --to names %d of %d workloads, and ends with %d: want all, and 1", len(got), len(want), code)
	}
	for _, matching := range platform.Matchings() {
		if got, code := stranded(t, matching, "2022", "2022"); len(got) > 0 || code != 0 {
			t.Errorf("without a change, check --to with the matching %s ends with %d and names %v", matching, code, got)
		}
	}
}
