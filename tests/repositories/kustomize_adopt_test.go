package repositories_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/cli"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/tests/internal/sample"
)

// adopt runs the command, and returns its exit code and what it writes.
func adopt(tb testing.TB, args ...string) (code int, output string) {
	tb.Helper()
	var stdout, stderr bytes.Buffer
	args = append(
		[]string{"adopt", "--config", "off", "--topology", "testdata/topology.yaml", "--assume-linux"},
		args...)
	code = cli.Run(tb.Context(), args, strings.NewReader(""), &stdout, &stderr)
	return code, stdout.String() + stderr.String()
}

// completed returns the objects that a kustomization builds, completed by adopt as one stream.
func (t *kustomizeTree) completed(tb testing.TB, root string) []any {
	tb.Helper()
	output, err := t.built(root)
	if err != nil {
		return nil
	}
	text, err := output.AsYaml()
	if err != nil {
		tb.Fatal(err)
	}
	return adopted(tb, text)
}

func valuesIn(tb testing.TB, text []byte) (values []any) {
	tb.Helper()
	docs, err := manifests.ReadObjects(bytes.NewReader(text), "stream")
	if err != nil {
		tb.Fatal(err)
	}
	for _, doc := range docs {
		values = append(values, doc.Value)
	}
	return values
}

// renamesClasses reports whether kustomizations give RuntimeClasses other names.
func (t *kustomizeTree) renamesClasses() bool {
	classes, renames := false, false
	for _, text := range t.files {
		classes = classes || strings.Contains(text, "kind: RuntimeClass")
	}
	for _, d := range t.dirs {
		for _, u := range d.units {
			renames = renames || u.field == "namePrefix" || u.field == "nameSuffix"
		}
	}
	return classes && renames
}

// filesIn returns the texts of the files in a directory, by their paths in it.
func filesIn(tb testing.TB, dir string) map[string]string {
	tb.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return files
}

// After adopt, each kustomization builds what adopt makes of its objects, and a second run changes nothing.
func TestAdoptCompletesWhatKustomizationsBuild(t *testing.T) {
	examples := readExamples(t)
	n := 50
	if sample.All() {
		n = 2000
	}
	builds, changed, patches, open := 0, 0, 0, 0
	for i := range n {
		random := rand.New(rand.NewPCG(sample.Seed(), uint64(i)))
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			tree := growKustomize(random, examples)
			dir := tree.on(t)
			if tree.renamesClasses() {
				return // adopt knows the RuntimeClasses of all clusters, and the stream that of one
			}
			want := map[string][]any{}
			for _, d := range tree.dirs {
				if d.root {
					want[d.name] = tree.completed(t, d.name)
				}
			}
			_, output := adopt(t, "-w", "--write-patches", dir)
			if strings.Contains(output, "nor a patch completes it") {
				open++
				return
			}
			after := &kustomizeTree{files: filesIn(t, dir)}
			for _, d := range tree.dirs {
				if !d.root || want[d.name] == nil {
					continue
				}
				built, err := after.built(d.name)
				if err != nil {
					t.Errorf("%s: %v", d.name, err)
					continue
				}
				text, err := built.AsYaml()
				if err != nil {
					t.Fatal(err)
				}
				builds++
				if diff := cmp.Diff(want[d.name], valuesIn(t, text)); diff != "" {
					t.Errorf("%s (-stream +repository):\n%s\n%s\n%s", d.name, diff, d.text(), output)
				}
			}
			for name, text := range after.files {
				if strings.Contains(name, "/adopt-") {
					patches++
				} else if before := tree.write()[name]; before != text {
					changed++
				}
			}
			_, again := adopt(t, "-w", "--write-patches", dir)
			if diff := cmp.Diff(after.files, filesIn(t, dir)); diff != "" {
				t.Errorf("a second run changes (-first +second):\n%s\n%s", diff, again)
			}
		})
	}
	t.Logf(
		"%d builds, %d changed files, %d patches, %d trees with an object that is open",
		builds,
		changed,
		patches,
		open,
	)
	if builds < n || changed < n || patches < n/5 || open > n/10 {
		t.Errorf("%d builds, %d changed files, %d patches, %d open", builds, changed, patches, open)
	}
}
