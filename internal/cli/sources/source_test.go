package sources_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/mixedkube/mixedkube/internal/cli/sources"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
)

const (
	linuxNode = `{"apiVersion": "v1", "kind": "Node",
"metadata": {"name": "a", "labels": {"kubernetes.io/os": "linux"}},
"status": {"nodeInfo": {"kubeletVersion": "v1.35.4"}}}`
	windowsNode = `apiVersion: v1
kind: Node
metadata: {name: b, labels: {kubernetes.io/os: windows, node.kubernetes.io/windows-build: 10.0.20348}}
status: {nodeInfo: {kubeletVersion: v1.35.4}}
`
	pod = `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}}`
)

// utf16le returns a text as Windows PowerShell writes it.
func utf16le(text string) string {
	out := []byte{0xFF, 0xFE}
	for _, unit := range utf16.Encode([]rune(text)) {
		out = append(out, byte(unit), byte(unit>>8))
	}
	return string(out)
}

func TestContentDeterminesTheKindOfSource(t *testing.T) {
	t.Parallel()
	listOf := func(items ...string) string {
		return `{"kind": "List", "apiVersion": "v1", "items": [` + strings.Join(items, ",") + "]}"
	}
	list := listOf(pod, linuxNode)
	ofNodes := strings.Replace(`{"kind": "NodeList", "apiVersion": "v1", "items": [X]}`, "X",
		strings.Replace(linuxNode, `"apiVersion": "v1", "kind": "Node", `, "", 1), 1)
	const topology = "kubernetesVersion: \"1.35\"\n" +
		"pools: [{name: a, platform: linux}, {name: b, platform: windows-2022}]\n"
	const (
		instead  = "give a topology, or what kubectl get nodes -o json or pulumi stack export prints"
		noNodes  = "FILE: no nodes: " + instead
		nothing  = "FILE: no topology, nodes or state of a stack: " + instead
		together = "only files with nodes are read together: name this one alone"
		state    = `{"version": 3, "deployment": {}}`
	)
	for name, tt := range map[string]struct {
		files []string
		want  string // the platforms, or the beginning of the error
	}{
		"an object in JSON":   {[]string{linuxNode}, "linux"},
		"objects that follow": {[]string{linuxNode + "\n" + pod + linuxNode}, "linux"},
		"a list in JSON":      {[]string{list}, "linux"},
		"a list of nodes":     {[]string{ofNodes}, "linux"},
		"a list in a list":    {[]string{listOf(list)}, "linux"},
		"YAML and JSON":       {[]string{windowsNode, linuxNode}, "linux windows-2022"},
		"UTF-16":              {[]string{utf16le(linuxNode)}, "linux"},
		"a byte order mark":   {[]string{"\xef\xbb\xbf" + linuxNode}, "linux"},
		"a topology":          {[]string{topology}, "linux windows-2022"},
		"a topology in JSON":  {[]string{`{"pools": [{"name": "a", "platform": "linux"}]}`}, "linux"},
		"a topology that is wrong": {
			[]string{"kubernetesVersion: \"1.35\"\npools: [{name: a, platform: beos}]"},
			`FILE:2: pools[0].platform: Invalid value: "beos": unknown platform: a pool runs linux, `,
		},
		"only pods":         {[]string{pod}, noNodes},
		"only pods in YAML": {[]string{"apiVersion: v1\nkind: Pod\n"}, noNodes},
		"nothing":           {[]string{""}, nothing},
		"nothing in JSON":   {[]string{"{}"}, nothing},
		"no YAML":           {[]string{"a: [\n"}, "FILE:1: did not find expected node content"},
		"JSON that ends":    {[]string{linuxNode + `{"kind": "Pod",` + "\n"}, "FILE: line 4: unexpected EOF"},
		"an invalid node": {
			[]string{`{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a"}, "spec": 3}`},
			"FILE: Node/a: not a node as the API server prints it: json: ",
		},
		"invalid items": {
			[]string{`{"apiVersion": "v1", "kind": "List", "items": 3}`},
			"FILE: not an object of Kubernetes: json: ",
		},
		"a topology beside nodes":    {[]string{linuxNode, topology}, "FILE: has a topology: " + together},
		"a state beside nodes":       {[]string{linuxNode, state}, "FILE: has the state of a stack: " + together},
		"a state without a resource": {[]string{state}, "FILE: the stack has no resources: run pulumi up first"},
		"a state that is wrong": {
			[]string{"{\"version\": 3,\n\"deployment\": []}"},
			"FILE: is not the output of pulumi stack export: line 2: json: ",
		},
		"a windows node alone": {[]string{windowsNode}, "pools: Required value: at least one Linux pool"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var s sources.Source
			for _, text := range tt.files {
				s.Files = append(s.Files, file("FILE", []byte(text)))
			}
			described, _, err := s.Read(t.Context())
			var got []string
			for _, p := range described.Pools {
				got = append(got, p.Platform.String())
			}
			if err != nil {
				got = []string{err.Error()}
			}
			if text := strings.Join(got, " "); text != tt.want && (err == nil || !strings.HasPrefix(text, tt.want)) {
				t.Errorf("got  %s\nwant %s", text, tt.want)
			}
		})
	}
}

// kubectl prints more for a large cluster than a document of a person may have.
func TestNodesOfALargeCluster(t *testing.T) {
	t.Parallel()
	var node map[string]any
	if err := json.Unmarshal([]byte(linuxNode), &node); err != nil {
		t.Fatal(err)
	}
	node["status"].(map[string]any)["images"] = []any{map[string]any{"names": []string{strings.Repeat("x", 20_000)}}}
	var items []string
	for i := range 1000 {
		node["metadata"].(map[string]any)["name"] = fmt.Sprintf("node-%d", i)
		text, err := json.Marshal(node)
		if err != nil {
			t.Fatal(err)
		}
		items = append(items, string(text))
	}
	text := `{"apiVersion": "v1", "kind": "List", "items": [` + strings.Join(items, ",") + "]}"
	if len(text) < 3*manifests.MaxSize {
		t.Fatalf("the list has %d bytes only", len(text))
	}
	described, _, err := sources.Source{Files: []sources.File{file("nodes", []byte(text))}}.Read(t.Context())
	if err != nil || len(described.Pools) != 1 || described.Pools[0].Count != 1000 {
		t.Errorf("%+v, %v", described, err)
	}
}

func TestFilesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	missing := sources.File{Name: "a", Open: func() (io.ReadCloser, error) {
		return nil, &fs.PathError{Op: "open", Path: "/x/a", Err: fs.ErrNotExist}
	}}
	broken := sources.File{Name: "b", Open: func() (io.ReadCloser, error) {
		return io.NopCloser(io.MultiReader(strings.NewReader("{"), failing{})), nil
	}}
	_, _, err := sources.Source{Files: []sources.File{missing, broken}}.Read(t.Context())
	const want = "a: file does not exist\nb: the disk has failed"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("the disk has failed") }
