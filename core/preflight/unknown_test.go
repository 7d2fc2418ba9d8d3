package preflight_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/mixedkube/mixedkube/core/images"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
)

// exampleDir has a directory for each rule, with objects that break it.
const exampleDir = "../../internal/core/preflight/examples"

// A value without findings has none if it becomes unknown: it may turn out to be the same value.
func TestUnknownValuesAddNoFindings(t *testing.T) {
	t.Parallel()
	dirs, err := filepath.Glob(filepath.Join(exampleDir, "MK*"))
	if err != nil || len(dirs) == 0 {
		t.Fatalf("%d directories, %v", len(dirs), err)
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			checker := preflight.New(exampleOptions(t, dir))
			objects := exampleObjects(t, filepath.Join(dir, "good.yaml"))
			for i := range objects {
				visit(objects[i], "", func(path string) {
					found := checker.Check(objects[i])
					if len(objects) > 1 {
						for _, across := range checker.Across(objects) {
							found = append(found, across...)
						}
					}
					for _, f := range found {
						if f.Severity != preflight.Info {
							t.Errorf("object %d without %s: %s", i, path, f)
						}
					}
				})
			}
		})
	}
}

// visit calls a function with each value below a map or list replaced by an unknown one.
func visit(v any, path string, call func(path string)) {
	switch v := v.(type) {
	case map[string]any:
		for key, was := range v {
			if key == "kind" {
				continue // there is no object of unknown kind
			}
			v[key] = preflight.Unknown{}
			call(path + "." + key)
			v[key] = was
			visit(was, path+"."+key, call)
		}
	case []any:
		for i, was := range v {
			v[i] = preflight.Unknown{}
			call(path + "[]")
			v[i] = was
			visit(was, path+"[]", call)
		}
	}
}

func exampleObjects(t *testing.T, file string) []map[string]any {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return fromYAML(t, string(content))
}

func exampleOptions(t *testing.T, dir string) preflight.Options {
	t.Helper()
	options := preflight.Options{
		Topology: exampleTopology(t, dir, "topology.yaml"), To: exampleTopology(t, dir, "plan.yaml"),
		Images: exampleLock(t, dir),
	}
	if options.Topology.KubernetesVersion == "" {
		options.KubernetesVersion = "1.36"
	}
	return options
}

func exampleLock(t *testing.T, dir string) *images.Lock {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(dir, "images.yaml"))
	if err != nil {
		return nil // most examples need none
	}
	lock, err := images.Decode(bytes.NewReader(content), "images.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return lock
}

func exampleTopology(t *testing.T, dir, name string) topology.Topology {
	t.Helper()
	var cluster topology.Topology
	content, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return cluster // most examples need none
	}
	docs, err := manifests.ReadYAML(bytes.NewReader(content), "topology")
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(docs[0].Value)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &cluster); err != nil {
		t.Fatal(err)
	}
	return cluster
}
