package repositories_test

import (
	"fmt"
	"maps"
	"os"
	"path"
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
		var k map[string]any
		if err := yaml.Unmarshal(text, &k); err != nil {
			tb.Fatal(err)
		}
		for _, list := range [...]string{"patches", "patchesStrategicMerge", "patchesJson6902"} {
			all := coretree.List(k[list])
			for i, one := range all {
				without := maps.Clone(k)
				without[list] = slices.Delete(slices.Clone(all), i, i+1)
				name, is := coretree.Text(one)
				if !is {
					name, _ = coretree.Text(coretree.Map(one)["path"])
				}
				if objects, built := builtWith(tb, root, file, without); built {
					found = append(found, publicPatch{[]string{file, path.Join(path.Dir(file), name)}, objects})
				}
			}
		}
	}
	return found
}

// builtWith returns the objects of a build with another content of a kustomization, false if it fails.
func builtWith(
	tb testing.TB, root, file string, content map[string]any,
) (objects map[string]map[string]any, built bool) {
	tb.Helper()
	text, err := yaml.Marshal(content)
	if err != nil {
		tb.Fatal(err)
	}
	reader := kustomize.NewReader(new(disk.Access))
	if err := reader.Replace(file, text); err != nil {
		tb.Fatal(err)
	}
	build, err := reader.Build(root)
	if err != nil {
		return nil, false
	}
	objects = map[string]map[string]any{}
	for _, object := range objectsOf(tb, build.Text) {
		objects[keyOf(object)] = namedValues(object)
	}
	return objects, true
}

func keyOf(object map[string]any) string {
	metadata := coretree.Map(object["metadata"])
	return fmt.Sprint(object["kind"], "/", metadata["namespace"], "/", metadata["name"])
}

// publicPlaces counts the values of public kustomizations: all, those at an exact place, and those that one patch writes.
type publicPlaces struct{ builds, values, exact, patched int }

// compare compares the places of an object's values with the patches that write them.
func (p *publicPlaces) compare(t *testing.T, build *kustomize.Build, patches []publicPatch, object map[string]any) {
	t.Helper()
	trace, all, named := build.Trace(object), valuesOf(object, "", ""), map[string]int{}
	for _, v := range all {
		named[v.named]++
	}
	p.values += len(all)
	if trace == nil {
		return
	}
	for _, v := range all {
		place := trace.Place(v.path)
		if place.Exact {
			p.exact++
		}
		writer, is := onlyWriter(patches, keyOf(object), v)
		if !is || named[v.named] > 1 {
			continue
		}
		p.patched++
		if !slices.ContainsFunc(append(place.Also, place.File), func(at string) bool {
			at, _, _ = strings.Cut(at, ":")
			return slices.Contains(writer.files, at)
		}) {
			t.Errorf("%s %s: is at %+v, and a patch writes it: %s", keyOf(object), v.named, place, writer.files)
		}
	}
}

// A value of a public kustomization that only one patch changes is at the place of this patch. Values in lists without
// names are left out: a patch that adds an element moves the others.
func TestPlacesInPublicKustomizations(t *testing.T) {
	var sum publicPlaces
	for _, dir := range publicClones(t) {
		for _, root := range rootsIn(t, dir) {
			build, err := kustomize.NewReader(new(disk.Access)).Build(root)
			if err != nil {
				continue
			}
			sum.builds++
			patches := patchesOf(t, root, build.Files)
			for _, object := range objectsOf(t, build.Text) {
				if object["kind"] != "CustomResourceDefinition" { // has thousands of values, and no rule is about them
					sum.compare(t, build, patches, object)
				}
			}
		}
	}
	t.Logf("%+v", sum)
	if sum.patched == 0 {
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
