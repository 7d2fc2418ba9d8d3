package sources_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/cli/sources"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// TestMain puts a kubectl and a pulumi on PATH that are this binary: see [fake].
func TestMain(m *testing.M) {
	if name := filepath.Base(os.Args[0]); name == "kubectl" || name == "pulumi" {
		os.Exit(fake(os.Args[1:]))
	}
	os.Exit(withFakes(m))
}

func withFakes(m *testing.M) int {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	dir, err := os.MkdirTemp("", "mixedkube-sources-*")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	for _, name := range []string{"kubectl", "pulumi"} {
		if err := os.Symlink(self, filepath.Join(dir, name)); err != nil {
			panic(err)
		}
	}
	if err := os.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH")); err != nil {
		panic(err)
	}
	return m.Run()
}

// fake acts as kubectl or pulumi: it writes its arguments to a line of args.txt in the directory that --context or
// --stack names, and prints the file there that they request. If there is none, it prints stderr.txt and fails.
func fake(args []string) int {
	var dir, file string
	for _, arg := range args {
		switch name, value, _ := strings.Cut(arg, "="); {
		case name == "--context", name == "--stack":
			dir = value
		case arg == "nodes":
			file = "nodes.json"
		case arg == "runtimeclasses.node.k8s.io":
			file = "classes.json"
		case arg == "--raw=/version":
			file = "version.json"
		case arg == "export":
			file = "state.json"
		}
	}
	log, err := os.OpenFile(filepath.Join(dir, "args.txt"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, _ = fmt.Fprintln(log, strings.ReplaceAll(strings.Join(args, " "), dir, "DIR"))
		_ = log.Close()
	}
	text, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		messages, _ := os.ReadFile(filepath.Join(dir, "stderr.txt"))
		_, _ = os.Stderr.Write(messages)
		return 1
	}
	_, _ = os.Stdout.Write(text)
	return 0
}

// file returns a file with a text.
func file(name string, text []byte) sources.File {
	return sources.File{
		Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil },
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// messages returns the result of reading a source as text.
func messages(t *testing.T, s sources.Source) string {
	t.Helper()
	described, notes, err := s.Read(t.Context())
	if err != nil {
		if described.IsSet() || len(notes) > 0 {
			t.Errorf("in addition to the error: %+v, %v", described, notes)
		}
		return "error: " + err.Error() + "\n"
	}
	text, err := json.MarshalIndent(topology.Encode(described), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.Write(append(text, '\n'))
	for _, note := range notes {
		b.WriteString("note: " + note + "\n")
	}
	return b.String()
}

func TestGoldenFilesOfStates(t *testing.T) {
	t.Parallel()
	states, err := filepath.Glob("testdata/states/*.json")
	if err != nil || len(states) != 13 {
		t.Fatalf("%d states, %v", len(states), err)
	}
	for _, path := range states {
		name := strings.TrimSuffix(filepath.Base(path), ".json")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := messages(t, sources.Source{Files: []sources.File{file(name+".json", read(t, path))}})
			golden.Equal(t, "testdata/states/"+name+".golden", got)
		})
	}
}

func TestAResourceChoosesAmongClusters(t *testing.T) {
	t.Parallel()
	two := read(t, "testdata/states/two.json")
	for resource, want := range map[string]string{
		"shop": "win22", "old": "win19", "urn:pulumi:prod::shop::mixedkube:aks:Cluster::shop": "win22",
	} {
		source := sources.Source{Files: []sources.File{file("two", two)}, Resource: resource}
		described, _, err := source.Read(t.Context())
		if err != nil || len(described.Pools) != 2 || described.Pools[1].Name != want {
			t.Errorf("%s: %+v, %v", resource, described, err)
		}
	}
	_, _, err := sources.Source{Files: []sources.File{file("two", two)}, Resource: "shoe"}.Read(t.Context())
	const want = `two: has no cluster "shoe": the clusters are the cluster shop, the output old`
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	// Errors of another cluster do not matter.
	state, err := sources.ReadState(two, "two")
	if err != nil {
		t.Fatal(err)
	}
	for i := range state.Resources {
		if outputs := state.Resources[i].Outputs; outputs["old"] != nil {
			outputs["topology"] = "wrong"
		}
	}
	if described, _, err := state.Topology("shop"); err != nil || len(described.Pools) != 2 {
		t.Errorf("%+v, %v", described, err)
	}
}
