package conversion_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/conversion"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  template:
    spec:
      containers:
      - {name: web, image: alpine}
`

// diffErrors compares all errors of a conversion for a cluster with Windows Server 2022, unless options have another.
func diffErrors(t *testing.T, texts []string, options conversion.Options, want string) {
	t.Helper()
	if len(options.Topology.Pools) == 0 && options.Topology.KubernetesVersion == "" {
		options.Topology = cluster(true, platform.WindowsServer2022)
	}
	var files []conversion.File
	for i, text := range texts {
		files = append(files, conversion.File{Name: string(rune('a'+i)) + ".yaml", Text: []byte(text)})
	}
	result, errs := conversion.Convert(files, options)
	for i, f := range result.Files {
		if len(f.Problems) > 0 && (f.Changed() || string(f.Text) != texts[i]) {
			t.Errorf("%s is changed, and has problems", f.Name)
		}
		errs = append(errs, f.Problems...)
	}
	// If all documents are deployed, they are errors.
	if _, refused := conversion.ConvertObjects(files, options); len(refused) < len(errs) {
		t.Errorf("ConvertObjects has the errors %v, want at least %v", refused, errs)
	}
	got := ""
	if len(errs) > 0 {
		got = errors.Join(errs...).Error()
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the error (-want +got):\n%s", diff)
	}
}

func TestFilesThatCannotBeCompleted(t *testing.T) {
	t.Parallel()
	const rendered = "looks like a template: render it first"
	for _, tt := range []struct {
		name  string
		files []string
		want  string
	}{
		{
			"a tab",
			[]string{"a: b\nc:\n\td: e\n"},
			"a.yaml:3: a tab in the indentation: YAML takes spaces only, write spaces in its place",
		},
		{
			"a tab after a list",
			[]string{"a:\n  - b\n\t- c\n"},
			"a.yaml:3: a tab in the indentation: YAML takes spaces only, write spaces in its place",
		},
		{
			"a template",
			[]string{"a: b\n{{- if .Values.x }}\nc: d\n"},
			"a.yaml:2: could not find expected ':': " + rendered,
		},
		{
			"a value of a template",
			[]string{"a: {{ .Values.x }}\n"},
			"a.yaml:1: a mapping as a key: a key must be a text: " + rendered,
		},
		{
			"a template in quotes",
			[]string{"apiVersion: v1\nkind: Pod\nmetadata: {name: \"{{ .Release.Name }}\"}\nspec:\n  containers:\n  " +
				"- image: '{{ .Values.image }}'\n"},
			"a.yaml:3: metadata.name has {{: " + rendered + "\na.yaml:6: spec.containers[0].image has {{: " + rendered,
		},
		{
			"all files at once",
			[]string{"a: [\n", deployment, "a: b\n~: c\n"},
			"a.yaml:1: did not find expected node content\nc.yaml:2: null as a key: a key must be a text",
		},
		{
			"an alias",
			[]string{"x: 1\n---\n" + `apiVersion: v1
kind: Pod
metadata: {name: a, labels: &labels {a: b}}
spec:
  nodeSelector: *labels
  containers: [{name: a, image: alpine}]
`},
			"a.yaml:7: *labels stands for a value that is written elsewhere: " +
				"write the value itself here, so that it can be completed",
		},
		{
			"an anchor",
			[]string{`apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Pod
  metadata: {name: a}
  spec: &spec
    containers: [{name: a, image: alpine}]
- apiVersion: v1
  kind: Pod
  metadata: {name: b}
  spec: *spec
`},
			"a.yaml:7: *spec repeats this value elsewhere: write the value itself there, so that each can be " +
				"completed\na.yaml:12: *spec stands for a value that is written elsewhere: write the value itself " +
				"here, so that it can be completed",
		},
		{
			"a list that is an alias",
			[]string{`apiVersion: v1
kind: Pod
metadata: {name: a}
x: &all
- operator: Exists
  key: gpu
spec:
  tolerations: *all
  containers: [{name: a, image: "mcr.microsoft.com/windows/nanoserver:ltsc2022"}]
`},
			"a.yaml:8: *all stands for a list that is written elsewhere: " +
				"write the list itself here, so that it can be completed",
		},
		{"a merge key", []string{`apiVersion: v1
kind: Pod
metadata: {name: a}
x: &common {nodeSelector: {disk: ssd}}
spec:
  <<: *common
  os: {name: linux}
  containers: [{name: a, image: alpine}]
`}, ""},
		{
			"a merge key that has the fields to complete",
			[]string{`apiVersion: v1
kind: Pod
metadata: {name: a}
x: &common {nodeSelector: {size: large}}
spec:
  <<: *common
  containers: [{name: a, image: alpine}]
`},
			"a.yaml:6: a merge key (<<) brings nodeSelector: " +
				"write nodeSelector itself here, so that it can be completed",
		},
		{
			"a line separator, which ends lines only in YAML",
			[]string{`apiVersion: v1
kind: Pod
metadata: {name: a}
# one` + "\u2028" + `# two
spec:
  os:
  # three
  containers: [{name: a, image: "mcr.microsoft.com/windows/nanoserver:ltsc2022"}]
`},
			"a.yaml:1: cannot be completed in place: " +
				"write the object without anchors, merge keys and lines that continue on the next one",
		},
		{
			"a mapping in the line of its key",
			[]string{"apiVersion: v1\nkind: Pod\n? spec\n: containers: [{name: a, image: alpine}]\n"},
			"a.yaml: cannot be completed in place: write the object without anchors, merge keys and lines that " +
				"continue on the next one",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			diffErrors(t, tt.files, conversion.Options{}, tt.want)
		})
	}
}

func TestOptionsThatCannotBeFollowed(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		files   []string
		options conversion.Options
		want    string
	}{
		{
			"an answer that may be for what cannot be read",
			[]string{"a: [\n"},
			conversion.Options{Platforms: map[string]platform.Platform{"Pod/a": platform.Linux}},
			"a.yaml:1: did not find expected node content",
		},
		{
			"no topology",
			[]string{deployment},
			conversion.Options{Topology: topology.Topology{KubernetesVersion: "1.36"}},
			"topology: Required value: manifests are completed for the pools of a cluster",
		},
		{
			"answers",
			[]string{deployment, "apiVersion: v1\nkind: Service\nmetadata: {name: web}\n"},
			conversion.Options{Platforms: map[string]platform.Platform{
				"Deployment/wbe": platform.Linux, "shop/Deployment/web": platform.Linux, "Service/web": platform.Linux,
				"DaemonSet/agent": platform.Linux,
			}},
			`platforms[DaemonSet/agent]: Invalid value: "DaemonSet/agent": no object with pods has this name: remove ` +
				`the answer, or correct it` + "\n" + `platforms[Deployment/wbe]: Invalid value: "Deployment/wbe": no ` +
				`object with pods has this name: did you mean Deployment/web?` + "\n" + `platforms[Service/web]: ` +
				`Invalid value: "Service/web": no object with pods has this name: remove the answer, or correct it`,
		},
		{
			"invalid answers", nil,
			conversion.Options{Platforms: map[string]platform.Platform{
				"web":            platform.WindowsServer2022,
				"Deployment/web": platform.WindowsServer2019, "Deployment/b": "windows-2202",
			}},
			`platforms[Deployment/b]: Invalid value: "windows-2202": unknown platform: did you mean "windows-2022"? ` +
				`a pool runs linux, windows-2019, windows-2022 or windows-2025` + "\n" +
				`platforms[Deployment/web]: Invalid value: "windows-2019": no pool of the topology runs it, only ` +
				`linux, windows-2022: add a pool, or use one of these` + "\n" +
				`platforms[web]: Invalid value: "web": names no object: write Kind/name or namespace/Kind/name`,
		},
		{
			"an answer that contradicts",
			[]string{"apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {os: {name: linux}, containers: []}\n"},
			conversion.Options{Platforms: map[string]platform.Platform{"Pod/a": platform.WindowsServer2022}},
			`platforms[Pod/a]: Invalid value: "windows-2022": contradicts os.name linux in a.yaml:4: remove the ` +
				`answer, or change the manifest`,
		},
		{
			"answers that cannot be followed",
			[]string{
				"apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {nodeName: b, containers: []}\n",
				"apiVersion: v1\nkind: Pod\nmetadata: {name: b, annotations: {mixedkube.dev/platform: linus}}\nspec: " +
					"{containers: []}\n",
				"apiVersion: v1\nkind: Pod\nmetadata: {name: c}\nspec: {nodeSelector: x, containers: []}\n",
			},
			conversion.Options{Platforms: map[string]platform.Platform{
				"Pod/a": platform.Linux, "Pod/b": platform.Linux,
				"Pod/c": platform.Linux,
			}},
			`platforms[Pod/a]: Invalid value: "linux": cannot be followed, because of nodeName in a.yaml:4: remove ` +
				`the answer, or correct the manifest` + "\n" + `platforms[Pod/b]: Invalid value: "linux": cannot be ` +
				`followed, because of a wrong annotation in b.yaml:3: remove the answer, or correct the manifest` +
				"\n" + `platforms[Pod/c]: Invalid value: "linux": cannot be followed, because of nodeSelector of a ` +
				`wrong type in c.yaml:4: remove the answer, or correct the manifest`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			diffErrors(t, tt.files, tt.options, tt.want)
		})
	}
}

// Names come from the manifests, and messages go to terminals and logs.
func TestNamesControlNoTerminal(t *testing.T) {
	t.Parallel()
	const text = `apiVersion: v1
kind: Pod
metadata: {name: "a\e[2K", namespace: "b\nc"}
spec:
  containers: [{name: a, image: shop.example/a}]
`
	files := []conversion.File{
		{Name: "x\x1b[2K.yaml", Text: []byte(text)}, {Name: "y\n.yaml", Text: []byte("a: *b\x7f\n")},
	}
	result, errs := conversion.Convert(files, conversion.Options{Topology: cluster(true, platform.WindowsServer2022)})
	if len(errs) > 0 || len(result.Findings) != 3 {
		t.Fatalf("%v, %v", errs, result.Findings)
	}
	for i, want := range []string{
		`x\x1b[2K.yaml:4: Pod/b\nc/a\x1b[2K: spec: nothing indicates`,
		`x\x1b[2K.yaml:3: Pod/b\nc/a\x1b[2K: metadata.name: Invalid value: "a\x1b[2K": `,
		`x\x1b[2K.yaml:3: Pod/b\nc/a\x1b[2K: metadata.namespace: Invalid value: "b\nc": `,
	} {
		if got := result.Findings[i].String(); !strings.HasPrefix(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	problems := result.Files[1].Problems
	if len(problems) != 1 || !strings.HasPrefix(problems[0].Error(), `y\n.yaml:1: `) ||
		strings.ContainsRune(problems[0].Error(), '\x7f') {
		t.Errorf("got %q", problems)
	}
}
