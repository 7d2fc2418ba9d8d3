package repositories_test

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/mixedkube/mixedkube/internal/cli/kustomize"
	"github.com/mixedkube/mixedkube/internal/core/manifests/repository"
	coretree "github.com/mixedkube/mixedkube/internal/core/value/tree"
	"github.com/mixedkube/mixedkube/internal/system/disk"
)

// publicPatch is a patch of a public kustomization.
type publicPatch struct {
	// files are the kustomization, and the file of the patch.
	files []string
	// objects are what is built without it, by their kinds and names: the values by their named paths.
	objects map[string]map[string]any
}

// patchesOf returns the patches that a build has, except those without which it fails.
func patchesOf(tb testing.TB, root string, files []string) (found []publicPatch) {
	tb.Helper()
	for _, file := range files {
		if !repository.IsKustomization(file) {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			tb.Fatal(err)
		}
		for _, list := range [...]string{"patches", "patchesStrategicMerge", "patchesJson6902"} {
			var k map[string]any
			if err := yaml.Unmarshal(text, &k); err != nil {
				tb.Fatal(err)
			}
			all := coretree.List(k[list])
			for i, one := range all {
				k[list] = slices.Delete(slices.Clone(all), i, i+1)
				without, err := yaml.Marshal(k)
				if err != nil {
					tb.Fatal(err)
				}
				reader := kustomize.NewReader(new(disk.Access))
				if err := reader.Replace(file, without); err != nil {
					tb.Fatal(err)
				}
				build, err := reader.Build(root)
				if err != nil {
					continue
				}
				name, is := coretree.Text(one)
				if !is {
					name, _ = coretree.Text(coretree.Map(one)["path"])
				}
				found = append(found, publicPatch{
					[]string{file, path.Join(path.Dir(file), name)}, namedObjects(tb, build.Text),
				})
			}
		}
	}
	return found
}

func keyOf(object map[string]any) string {
	metadata := coretree.Map(object["metadata"])
	return fmt.Sprint(object["kind"], "/", metadata["namespace"], "/", metadata["name"])
}

func namedObjects(tb testing.TB, text []byte) map[string]map[string]any {
	tb.Helper()
	all := map[string]map[string]any{}
	for _, object := range objectsOf(tb, text) {
		values := map[string]any{}
		for _, v := range valuesOf(object, "", "") {
			values[v.named] = v.scalar
		}
		all[keyOf(object)] = values
	}
	return all
}

// A value of a public kustomization that only one patch changes is at the place of this patch. Values in lists without
// names are left out: a patch that adds an element moves the others.
func TestPlacesInPublicKustomizations(t *testing.T) {
	if *public == "" {
		t.Skip("only with go -C tests test ./repositories -run TestPlacesInPublicKustomizations -public DIR")
	}
	clones, err := os.ReadDir(*public)
	if err != nil {
		t.Fatal(err)
	}
	builds, values, exact, patched := 0, 0, 0, 0
	for _, clone := range clones {
		for _, root := range rootsIn(t, filepath.Join(*public, clone.Name())) {
			build, err := kustomize.NewReader(new(disk.Access)).Build(root)
			if err != nil {
				continue
			}
			builds++
			patches := patchesOf(t, root, build.Files)
			for _, object := range objectsOf(t, build.Text) {
				if object["kind"] == "CustomResourceDefinition" {
					continue // has thousands of values, and no rule is about them
				}
				trace, named := build.Trace(object), map[string]int{}
				for _, v := range valuesOf(object, "", "") {
					named[v.named]++
				}
				for _, v := range valuesOf(object, "", "") {
					values++
					if trace == nil {
						continue
					}
					place := trace.Place(v.path)
					if place.Exact {
						exact++
					}
					if writer, is := onlyWriter(patches, keyOf(object), v); is && named[v.named] == 1 {
						patched++
						if !slices.ContainsFunc(append(place.Also, place.File), func(at string) bool {
							at, _, _ = strings.Cut(at, ":")
							return slices.Contains(writer.files, at)
						}) {
							t.Errorf("%s: %s %s: is at %+v, and a patch writes it: %s", root, keyOf(object), v.named,
								place, writer.files)
						}
					}
				}
			}
		}
	}
	t.Logf("%d builds with %d values: %d are at an exact place, and a patch writes %d", builds, values, exact, patched)
	if patched == 0 {
		t.Error("no patch writes a value")
	}
}

// onlyWriter returns the patch without which a value is another one, if there is exactly one.
func onlyWriter(patches []publicPatch, key string, v value) (writer publicPatch, is bool) {
	if strings.ContainsAny(v.named, "0123456789") {
		return writer, false
	}
	for _, p := range patches {
		values, known := p.objects[key]
		if !known || cmp.Equal(values[v.named], v.scalar) {
			continue
		}
		if is {
			return writer, false
		}
		writer, is = p, true
	}
	return writer, is
}
