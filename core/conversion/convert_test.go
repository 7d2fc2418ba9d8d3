package conversion_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/conversion"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule/ruletest"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// cluster has Linux and Windows pools, with or without taints.
func cluster(tainted bool, windows ...platform.Platform) topology.Topology {
	t := topology.Topology{
		KubernetesVersion: "1.36",
		Pools: []topology.Pool{
			{Name: "linux", Platform: platform.Linux, Labels: map[string]string{"disk": "ssd"}},
		},
	}
	for _, p := range windows {
		pool := topology.Pool{Name: strings.Replace(p.String(), "windows-20", "win", 1), Platform: p}
		if !tainted {
			pool.Untainted = true
		}
		t.Pools = append(t.Pools, pool)
	}
	return t
}

// report lists what was done with each object, and the findings.
func report(r conversion.Result) string { return reportWith(r, conversion.Finding.String) }

// brief is report without the sentences of rules.
func brief(r conversion.Result) string {
	return reportWith(r, func(f conversion.Finding) string {
		return fmt.Sprintf("%s:%d: %s: %s", f.File, f.Line, f.Subject(), ruletest.Brief(f.Finding))
	})
}

func reportWith(r conversion.Result, show func(conversion.Finding) string) string {
	var b strings.Builder
	for _, o := range r.Objects {
		fmt.Fprintf(&b, "%s:%d: %s: %s %s by %s\n", o.File, o.Line, o.Key(), o.Done, o.OS, o.Source)
	}
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "%s: %s\n", f.Severity, show(f))
	}
	return b.String()
}

func convert(t *testing.T, o conversion.Options, files ...conversion.File) conversion.Result {
	t.Helper()
	result, errs := conversion.Convert(files, o)
	if len(errs) > 0 {
		t.Fatal(errors.Join(errs...))
	}
	return result
}

func TestGoldenFiles(t *testing.T) {
	t.Parallel()
	for name, options := range map[string]conversion.Options{
		"linux":   {},
		"windows": {},
		"classes": {RuntimeClasses: true},
		"json":    {},
		"unknown": {},
		"kinds":   {Platforms: map[string]platform.Platform{"Workflow/answered": platform.Linux}},
		"tags":    {},
		"assumed": {AssumeLinux: true, Platforms: map[string]platform.Platform{"Pod/gmsa": platform.WindowsServer2022}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile("testdata/" + name + ".input.yaml")
			if err != nil {
				t.Fatal(err)
			}
			options.Topology = cluster(true, platform.WindowsServer2022)
			result := convert(t, options, conversion.File{Name: name + ".yaml", Text: text})
			golden.Equal(t, "testdata/"+name+".output.yaml", string(result.Files[0].Text))
			golden.Equal(t, "testdata/"+name+".report", brief(result))

			again := convert(t, options, result.Files...)
			if diff := cmp.Diff(string(result.Files[0].Text), string(again.Files[0].Text)); diff != "" ||
				again.Files[0].Changed() {
				t.Errorf("converted again (-first +second):\n%s", diff)
			}
		})
	}
}

// A document that is unchanged by mistake is a finding. Other documents are counted, even with a kind.
func TestPartialObjectsAreFound(t *testing.T) {
	t.Parallel()
	const pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {nodeSelector: {kubernetes.io/os: linux}, " +
		"containers: [{name: a, image: alpine}]}\n"
	first := conversion.File{
		Name: "a.yaml",
		Text: []byte("replicas: 3\n---\n" + pod +
			"---\nkind: Pod\nmetadata: {name: b}\n---\napiVersion: v1\nkind: ''\n---\n- x\n"),
	}
	second := conversion.File{
		Name: "b.yaml",
		Text: []byte(
			"kind: bug-fix\nentries: []\n---\napiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, metadata: " +
				"{name: " +
				"c}}\n- {}\n",
		),
	}
	result := convert(t, conversion.Options{Topology: cluster(true)}, first, second)
	want := `a.yaml:3: Pod/a: unchanged linux by the nodes that the pods select
warning: a.yaml:8: Pod/b: no apiVersion: it is left alone: if it is a Kubernetes object, ` +
		`write the version of the object's API, for example apps/v1
warning: b.yaml:7: no kind: it is left alone: if it is a Kubernetes object, ` +
		`write what the object is, for example Deployment
`
	if diff := cmp.Diff(want, report(result)); diff != "" || len(result.Left) != 7 {
		t.Errorf("%d others, want 7 (-want +got):\n%s", len(result.Left), diff)
	}
	for _, f := range result.Findings {
		if f.Question || f.Blocks() {
			t.Errorf("it asks or blocks: %v", f)
		}
	}
}

func TestQuestionsOmitSecretImages(t *testing.T) {
	t.Parallel()
	containers := []any{
		map[string]any{"image": tree.Secret{Value: "shop.example/hidden"}},
		map[string]any{"image": "shop.example/a"},
	}
	object := map[string]any{
		"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": "a"},
		"spec": map[string]any{"containers": containers},
	}
	one := conversion.NewOne(conversion.Options{Topology: cluster(true, platform.WindowsServer2022)})
	const advice = ": specify it with the annotation mixedkube.dev/platform: linux or, for example, windows-2022"
	for _, want := range []string{
		"pod: Pod/a: spec: nothing indicates whether the pods are for Linux or for Windows, nor do the images " +
			"(shop.example/a)" + advice,
		"pod: Pod/a: spec: nothing indicates whether the pods are for Linux or for Windows" + advice,
	} {
		done := one.Convert("pod", object)
		if len(done.Findings) != 1 || done.Findings[0].String() != want {
			t.Errorf("findings %v, want %s", done.Findings, want)
		}
		object["spec"] = map[string]any{"containers": containers[:1]}
	}
}

func TestEachGoldenFileIsRead(t *testing.T) {
	t.Parallel()
	inputs, err := filepath.Glob("testdata/*.input.yaml")
	if err != nil || len(inputs) != 8 {
		t.Errorf("%d files of input, want the 8 of TestGoldenFiles: %v", len(inputs), err)
	}
}
