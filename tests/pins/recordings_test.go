package pins

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// recording is an object that an earlier version has completed.
type recording struct {
	matching platform.Matching
	// source is the file or the state that has the object.
	source string
	object map[string]any
	// manager is the field manager that has applied it.
	manager string
}

// kind returns the kind of the object.
func (r recording) kind() string { return pods.KindOf(r.object) }

// name returns the name of the object.
func (r recording) name() string {
	name, _ := tree.Text(tree.Map(r.object["metadata"])["name"])
	return name
}

// app returns the label app of the pods. Each workload has another one.
func (r recording) app() string {
	read := pods.ReadObject(r.object)
	app, _ := tree.Text(tree.Map(read.Pods.Metadata["labels"])["app"])
	return app
}

// namesClass reports whether the pods name a RuntimeClass.
func (r recording) namesClass() bool {
	return pods.ReadObject(r.object).Pods.Spec["runtimeClassName"] != nil
}

// recordings are all recorded objects.
type recordings struct {
	// workloads are the objects with pods.
	workloads []recording
	// classes are the RuntimeClasses.
	classes []recording
}

// with returns the workloads with a matching.
func (r recordings) with(matching platform.Matching) []recording {
	return slices.DeleteFunc(slices.Clone(r.workloads), func(w recording) bool { return w.matching != matching })
}

// classesWith returns the RuntimeClasses with a matching.
func (r recordings) classesWith(matching platform.Matching) []recording {
	return slices.DeleteFunc(slices.Clone(r.classes), func(c recording) bool { return c.matching != matching })
}

// read returns what was recorded: 100 workloads with each matching.
func read(t *testing.T) recordings {
	t.Helper()
	var all recordings
	for _, matching := range platform.Matchings() {
		for _, path := range filesWith(t, matching) {
			all.add(t, objectsOf(t, path), recording{matching: matching, source: path, manager: "kubectl"})
		}
		for _, path := range statesWith(t, matching) {
			for _, o := range stateOf(t, path) {
				all.add(t, []map[string]any{o.object}, recording{
					matching: matching, source: path, manager: o.manager,
				})
			}
		}
		if n := len(all.with(matching)); n != 100 {
			t.Fatalf("%d workloads with the matching %s are recorded, want 100", n, matching)
		}
	}
	apps := map[string]bool{}
	for _, w := range all.workloads {
		if app := w.app(); app == "" || apps[app] {
			t.Fatalf("%s: %s %s has no label app of its own: %q", w.source, w.kind(), w.name(), app)
		}
		apps[w.app()] = true
	}
	return all
}

func (r *recordings) add(t *testing.T, objects []map[string]any, of recording) {
	t.Helper()
	for _, object := range objects {
		of.object = object
		switch {
		case pods.ReadObject(object).Pods != nil:
			r.workloads = append(r.workloads, of)
		case of.kind() == "RuntimeClass":
			r.classes = append(r.classes, of)
		}
	}
}

// filesWith returns the paths of the files with a matching.
func filesWith(t *testing.T, matching platform.Matching) []string {
	t.Helper()
	return glob(t, filepath.Join("testdata", "files", string(matching), "*"), 60)
}

// statesWith returns the paths of the states with a matching.
func statesWith(t *testing.T, matching platform.Matching) []string {
	t.Helper()
	return glob(t, filepath.Join("testdata", "states", string(matching)+"-*.json"), 3)
}

func glob(t *testing.T, pattern string, want int) []string {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	check(t, err)
	if len(paths) != want {
		t.Fatalf("%d files match %s, want %d", len(paths), pattern, want)
	}
	return paths
}

// objectsOf returns the objects in a file with manifests.
func objectsOf(t *testing.T, path string) []map[string]any {
	t.Helper()
	text, err := os.ReadFile(path)
	check(t, err)
	documents, err := manifests.ReadYAML(strings.NewReader(string(text)), path)
	check(t, err)
	var objects []map[string]any
	for _, document := range documents {
		objects = append(objects, tree.Map(document.Value))
	}
	return objects
}

// stateObject is an object of Kubernetes in a state, as Pulumi's provider has applied it.
type stateObject struct {
	object  map[string]any
	manager string
}

// stateOf returns the objects in a state.
func stateOf(t *testing.T, path string) []stateObject {
	t.Helper()
	text, err := os.ReadFile(path)
	check(t, err)
	var state struct {
		Deployment struct {
			Resources []struct {
				Type            string
				Inputs, Outputs map[string]any
			}
		}
	}
	check(t, json.Unmarshal(text, &state))
	var objects []stateObject
	for _, r := range state.Deployment.Resources {
		if !strings.HasPrefix(r.Type, "kubernetes:") {
			continue
		}
		manager, _ := r.Outputs["__fieldManager"].(string)
		if manager == "" {
			t.Fatalf("%s: a %s has no field manager", path, r.Type)
		}
		objects = append(objects, stateObject{r.Inputs, manager})
	}
	return objects
}

// pools returns the topology with one pool of Windows nodes of a release: 2022 or 2025.
func pools(t *testing.T, release string) topology.Topology {
	t.Helper()
	content, err := os.ReadFile(poolsFile(release))
	check(t, err)
	var pools topology.Topology
	check(t, yaml.UnmarshalStrict(content, &pools))
	return pools
}

// poolsFile returns the path of the topology.
func poolsFile(release string) string { return filepath.Join("testdata", release+".yaml") }

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
