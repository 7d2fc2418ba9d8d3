package doors

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
	corpus "github.com/mixedkube/mixedkube/tests/manifests"
)

// item is an object with pods, the input of each door.
type item struct {
	// name is the object's name in its batch, source where it comes from.
	name, source string
	pods         *pods.Object
	text         []byte
	// typed are its typed arguments. If there are none, untyped is the reason.
	typed   *typed
	untyped error
}

// batch is a list of workloads for one cluster.
type batch struct {
	name     string
	topology topology.Topology
	// assume treats pods without a claim as Linux pods.
	assume bool
	// classes also compares the doors that can name RuntimeClasses.
	classes bool
	// images is the path of the lock file, or "" if there is none.
	images string
	items  []*item
}

// add adds an object if it has pods, under a unique name.
func (b *batch) add(t *testing.T, source string, from map[string]any) {
	t.Helper()
	if o := pods.ReadObject(from); o.Pods == nil {
		return
	}
	i := &item{name: fmt.Sprintf("w%d", len(b.items)), source: source}
	o := runtime.DeepCopyJSON(from)
	metadata := object{"name": i.name}
	for _, key := range []string{"namespace", "labels", "annotations"} {
		if value := tree.At(o, "metadata", key); value != nil {
			metadata[key] = value
		}
	}
	o["metadata"] = metadata
	i.pods = pods.ReadObject(o)
	var err error
	if i.text, err = yaml.Marshal(o); err != nil {
		t.Fatalf("%s: %v", source, err)
	}
	if kind := i.pods.Kind; !constructors[kind].IsValid() {
		i.untyped = errors.New("there is no constructor for a " + kind)
	} else {
		i.typed, i.untyped = typedOf(kind, o)
	}
	b.items = append(b.items, i)
}

// public returns the workloads of public projects, once with AssumeLinux and once without.
func public(t *testing.T) []batch {
	t.Helper()
	var all []batch
	projects := corpus.Read(t)
	for _, assume := range []bool{false, true} {
		b := batch{topology: corpus.Cluster(!assume), assume: assume, classes: true}
		b.name = fmt.Sprintf("public manifests, assume Linux: %t", assume)
		for _, p := range projects {
			for _, f := range p.Files {
				b.read(t, f.Name, f.Text)
			}
		}
		all = append(all, b)
	}
	return all
}

func (b *batch) read(t *testing.T, name string, text []byte) {
	t.Helper()
	docs, err := manifests.ReadObjects(bytes.NewReader(text), name)
	if err != nil {
		t.Fatal(err)
	}
	for _, doc := range docs {
		if o := tree.Map(doc.Value); o != nil {
			b.add(t, fmt.Sprintf("%s:%d", name, doc.Line("")), o)
		}
	}
}

// imagesFile is the lock file of an example, or of a directory.
const imagesFile = "images.yaml"

// locked returns workloads whose only claims are the images in a lock file.
func locked(t *testing.T) []batch {
	t.Helper()
	dir := filepath.Join("testdata", "locked")
	var all []batch
	for _, assume := range []bool{false, true} {
		b := batch{
			name:   fmt.Sprintf("workloads with a lock file, assume Linux: %t", assume),
			assume: assume, classes: true, topology: corpus.Cluster(!assume), images: filepath.Join(dir, imagesFile),
		}
		path := filepath.Join(dir, "workloads.yaml")
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		b.read(t, path, text)
		all = append(all, b)
	}
	return all
}

// examples returns the workloads of the rules' examples, each with the cluster and the lock file of its rule.
func examples(t *testing.T) []batch {
	t.Helper()
	dir := filepath.Join("..", "..", "internal", "core", "preflight", "examples")
	byCluster := map[string]*batch{}
	var all []*batch
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "topology.yaml" || d.Name() == imagesFile ||
			!strings.HasSuffix(path, ".yaml") {
			return err
		}
		cluster, err := os.ReadFile(filepath.Join(filepath.Dir(path), "topology.yaml"))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		lock := filepath.Join(filepath.Dir(path), imagesFile)
		if _, err := os.Stat(lock); err != nil {
			lock = ""
		}
		key := lock + "\n" + string(cluster)
		b := byCluster[key]
		if b == nil {
			b = &batch{topology: topologyOf(t, cluster), classes: true, images: lock}
			b.name = "examples of rules, like " + filepath.Base(filepath.Dir(path))
			byCluster[key], all = b, append(all, b)
		}
		text, err := os.ReadFile(path)
		b.read(t, path, text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var batches []batch
	for _, b := range all {
		if len(b.items) > 0 {
			batches = append(batches, *b)
		}
	}
	return batches
}

func topologyOf(t *testing.T, text []byte) topology.Topology {
	t.Helper()
	if len(text) == 0 {
		return corpus.Cluster(true)
	}
	plain, err := yaml.YAMLToJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	var parsed topology.Topology
	if err := json.Unmarshal(plain, &parsed); err != nil {
		t.Fatal(err)
	}
	return parsed
}

// batchSize is so large that many workloads share the cost of a program.
const batchSize = 250

// generated returns the workloads of a seed with the indices from first to end, end excluded.
func generated(t *testing.T, seed, first, end uint64) batch {
	t.Helper()
	g := generator(seed, 1, first)
	b := batch{topology: g.topology(), assume: g.chance(50), classes: g.chance(25)}
	b.name = fmt.Sprintf("seed %d, from %d on", seed, first)
	for index := first; index < end; index++ {
		b.add(t, fmt.Sprintf("seed %d, number %d", seed, index), generator(seed, 2, index).workload())
	}
	return b
}
