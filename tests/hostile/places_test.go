package hostile

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// place lays out a content in the checkout, and returns what its user runs.
type place struct {
	name string
	fits func(c content) bool
	lay  func(t *testing.T, m machine, c content, r *rand.Rand) run
}

// form makes a well-formed document from a text.
type form func(text string) string

// places are where a content can be.
var places = []place{
	{"file", ordinary, layFile},
	{"directory", ordinary, layDirectory},
	{"ignored files", func(c content) bool { return ordinary(c) || c.patterns != "" }, layIgnored},
	{"archive", func(c content) bool { return writing(c) || c.template != "" || c.entries != nil }, layArchive},
	{"standard input", writing, layInput},
	{"chart", func(c content) bool { return ordinary(c) || c.template != "" }, layChart},
	{"state", ordinary, layState},
	{"registry", func(c content) bool { return writing(c) || c.answers != nil }, layRegistry},
	{"configuration", func(c content) bool { return ordinary(c) || c.patterns+c.topology != "" }, layConfiguration},
}

// writing reports whether a content is a text or a document.
func writing(c content) bool { return c.text != "" || c.document != nil }

// ordinary reports whether a content can be in each place with files.
func ordinary(c content) bool { return writing(c) || c.special != nil }

// put puts a content at a path of the checkout.
func (m machine) put(t *testing.T, c content, path string, wrap form) {
	t.Helper()
	switch {
	case c.special != nil:
		c.special(t, m, m.at(path))
	case c.document != nil:
		write(t, m.at(path), c.document())
	default:
		write(t, m.at(path), wrap(c.text))
	}
}

// manifest has a text in most places of a pod, with a finding about it, and in the names of other objects.
func manifest(text string) string {
	q := quoted(text)
	return fmt.Sprintf(`apiVersion: v1
kind: Pod
metadata:
  name: %[1]s
  labels: {%[1]s: %[1]s}
  annotations: {mixedkube.dev/platform: %[1]s, mixedkube.dev/ignore: %[1]s}
spec:
  os: {name: windows}
  hostPID: true
  nodeSelector: {kubernetes.io/os: %[1]s, %[1]s: a}
  tolerations: [{key: %[1]s, operator: %[1]s}]
  securityContext: {%[1]s: %[1]s, windowsOptions: {runAsUserName: %[1]s}}
  containers: [{name: %[1]s, image: shop.example/a, args: [%[1]s], command: [%[1]s], env: [{name: %[1]s}]}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: %[1]s, namespace: %[1]s}
spec:
  replicas: %[1]s
  template: {spec: {containers: [{name: a, image: shop.example/a}]}}
---
{apiVersion: v1, kind: %[1]s, metadata: {name: a}}
---
{apiVersion: %[1]s, kind: Pod, metadata: {name: a}, spec: {hostPID: true, os: {name: windows}}}
`, q)
}

// fileName returns a name for a file that has a text in it.
func fileName(text, extension string) string {
	name := strings.Map(func(r rune) rune {
		if r == '/' || r == 0 {
			return '_'
		}
		return r
	}, text)
	if len(name) > 150 {
		name = strings.ToValidUTF8(name[:150], "")
	}
	return name + extension
}

// okay is a manifest without a finding.
const okay = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: okay}\n"

// reading returns one of the commands that read a path with manifests, which is the last argument.
func reading(r *rand.Rand, path string) run {
	formats := []string{"text", "json", "sarif", "junit", "gitlab"}
	format := formats[r.IntN(len(formats))]
	all := run{args: []string{"check"}, writes: []string{"checkout/out"}}
	if r.IntN(2) == 0 { // many rules need it
		all.args = append(all.args, "--topology", "cluster.yaml")
	}
	for _, f := range formats {
		all.args = append(all.args, "--report", f+"=out/report."+f)
	}
	adopting := []string{"adopt", "--topology", "cluster.yaml"}
	picture := []string{"out/map.svg", "out/map.html"}[r.IntN(2)]
	choices := []run{
		{args: []string{"check", "--format", format}},
		{args: []string{"check", "--topology", "cluster.yaml", "--strict", "--format", format}},
		{
			args:   []string{"check", "--baseline", "out/baseline.yaml", "--write-baseline"},
			writes: []string{"checkout/out"},
		},
		{args: adopting},
		{args: slices.Concat(adopting, []string{"-o", "out"}), writes: []string{"checkout/out"}},
		{
			args:   []string{"map", "--topology", "cluster.yaml", "-o", picture},
			writes: []string{"checkout/out"},
		},
	}
	chosen := all
	if r.IntN(3) == 0 {
		chosen = choices[r.IntN(len(choices))]
	}
	chosen.args = append(chosen.args, "--", path)
	return chosen
}

func layFile(t *testing.T, m machine, c content, r *rand.Rand) run {
	t.Helper()
	name := "web.yaml"
	if c.text != "" && r.IntN(3) > 0 {
		name = fileName(c.text, ".yaml")
	}
	m.put(t, c, name, manifest)
	return reading(r, name)
}

func layDirectory(t *testing.T, m machine, c content, r *rand.Rand) run {
	t.Helper()
	write(t, m.at("deploy/okay.yaml"), okay)
	name := []string{"web.yaml", "sub/web.json"}[r.IntN(2)]
	if c.text != "" {
		name = fileName(c.text, "/"+fileName(c.text, ".yaml"))
	}
	m.put(t, c, "deploy/"+name, manifest)
	return reading(r, "deploy")
}

// layIgnored has the content in the file that excludes files of a directory.
func layIgnored(t *testing.T, m machine, c content, r *rand.Rand) run {
	t.Helper()
	write(t, m.at("deploy/okay.yaml"), okay)
	const path = "deploy/.mixedkubeignore"
	if c.patterns != "" {
		write(t, m.at(path), c.patterns+"\n")
		write(t, m.at("deploy/"+deep+"okay.yaml"), okay)
		return reading(r, "deploy")
	}
	m.put(t, c, path, func(text string) string { return text + "\n[" + text + "\n" })
	return reading(r, "deploy")
}

func layInput(t *testing.T, _ machine, c content, r *rand.Rand) run {
	t.Helper()
	text := manifest(c.text)
	if c.document != nil {
		text = c.document()
	}
	command := reading(r, "-")
	command.stdin = strings.NewReader(text)
	return command
}

// layChart makes a chart with the content in one of its files.
func layChart(t *testing.T, m machine, c content, r *rand.Rand) run {
	t.Helper()
	m.chart(t, c, r)
	command := reading(r, "shop")
	command.heavy = c.heavy
	return command
}

func (m machine) chart(t *testing.T, c content, r *rand.Rand) {
	t.Helper()
	files := map[string]string{
		"Chart.yaml":  "apiVersion: v2\nname: shop\nversion: 1.0.0\n",
		"values.yaml": "a: b\n",
		// It shows the content of a file and of a value.
		"templates/shown.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n" +
			"spec: {os: {name: windows}, hostPID: true, nodeSelector: {" +
			"a: {{ .Files.Get \"file\" | b64enc | quote }}, b: {{ .Files.Get \"file\" | quote }}, " +
			"c: {{ .Values | toString | quote }}}}\n",
	}
	if c.template != "" {
		files["templates/web.yaml"] = c.template
	}
	for path, text := range files {
		write(t, m.at("shop/"+path), text)
	}
	if c.template != "" || c.entries != nil {
		return
	}
	path, wrap := "file", form(func(text string) string { return text })
	variants := 4
	if c.special != nil {
		variants = 2 // a schema or a template is not always read
	}
	switch r.IntN(variants) {
	case 1:
		path, wrap = "crds/web.yaml", manifest
	case 2:
		path, wrap = "values.schema.json", func(text string) string {
			return `{"required": [` + quoted(text) + `]}`
		}
	case 3:
		path, wrap = "templates/"+fileName(c.text, "web.yaml"), func(text string) string {
			return strings.ReplaceAll(manifest(text), "{{", "{ {")
		}
	}
	m.put(t, c, "shop/"+path, wrap)
}

func layState(t *testing.T, m machine, c content, r *rand.Rand) run {
	t.Helper()
	write(t, m.at("okay.yaml"), okay)
	path := []string{"state.json", "nodes.json"}[r.IntN(2)]
	m.put(t, c, path, map[string]form{"state.json": stateWith, "nodes.json": nodesWith}[path])
	switch r.IntN(3) {
	case 0:
		return run{args: []string{"topology", "--format", []string{"yaml", "json"}[r.IntN(2)], "--", path}}
	case 1:
		return run{args: []string{"check", "--topology", path, "--", "okay.yaml"}}
	default:
		return run{args: []string{"map", "-o", "out/map.html", "--", path}, writes: []string{"checkout/out"}}
	}
}

// stateWith returns a state with a text in names, and in secrets that are not encrypted.
func stateWith(text string) string {
	pool := map[string]any{"name": text, "osType": "Windows", "osSKU": text, "mode": text, "nodeTaints": []any{text}}
	aks := aksBelow("")
	aks["urn"] = "urn:pulumi:a::b::azure-native:containerservice:ManagedCluster::" + text
	aks["outputs"] = map[string]any{"name": text, "kubernetesVersion": text, "agentPoolProfiles": []any{pool}}
	return stateOf(aks, map[string]any{
		"urn": "urn:pulumi:a::b::kubernetes:core/v1:Pod::" + text, "type": "kubernetes:core/v1:Pod", "custom": true,
		"outputs": map[string]any{"kind": "Pod", "apiVersion": "v1", "metadata": map[string]any{"name": text}},
	})
}

// nodesWith are nodes with a text in names, labels and taints.
func nodesWith(text string) string {
	q := quoted(text)
	return fmt.Sprintf(`{"apiVersion": "v1", "kind": "NodeList", "items": [
{"metadata": {"name": %[1]s, "labels": {"agentpool": %[1]s, "kubernetes.io/os": "linux", %[1]s: %[1]s}},
 "spec": {"taints": [{"key": %[1]s, "value": %[1]s, "effect": %[1]s}]},
 "status": {"nodeInfo": {"operatingSystem": "linux", "kubeletVersion": %[1]s, "osImage": %[1]s}}},
{"metadata": {"name": %[1]s, "labels": {"agentpool": %[1]s, "kubernetes.io/os": %[1]s}},
 "status": {"nodeInfo": {"operatingSystem": "windows", "kernelVersion": %[1]s}}}]}`, q)
}

func layConfiguration(t *testing.T, m machine, c content, r *rand.Rand) run {
	t.Helper()
	write(t, m.at("deploy/okay.yaml"), okay)
	switch {
	case c.patterns != "":
		write(t, m.at("deploy/"+deep+"okay.yaml"), okay)
		write(t, m.at(".mixedkube.yaml"), "exclude: ["+quoted(c.patterns)+"]\n")
	case c.topology != "":
		write(t, m.at(".mixedkube.yaml"), "topology: "+quoted(c.topology)+"\n")
	case c.special != nil && r.IntN(3) == 0:
		write(t, m.at(".mixedkube.yaml"), "topology: clusters/own.yaml\n")
		c.special(t, m, m.at("clusters/own.yaml"))
	case c.special != nil && r.IntN(2) == 0:
		c.special(t, m, m.at("mixedkube.images.yaml"))
	default:
		m.put(t, c, ".mixedkube.yaml", func(text string) string {
			q := quoted(text)
			return []string{
				"topology: " + q + "\n",
				fmt.Sprintf("exclude: [%[1]s]\nignore: [{rules: [%[1]s], reason: %[1]s, %[1]s: a}]\n", q),
				fmt.Sprintf("severities: {%[1]s: %[1]s}\n%[1]s: a\n", q),
				fmt.Sprintf("topology: {pools: [{name: %[1]s, platform: %[1]s}], kubernetesVersion: %[1]s}\n", q),
				fmt.Sprintf("ignore: [{resources: [%[1]s], namespaces: [%[1]s], reason: %[1]s}]\n", q),
			}[r.IntN(5)]
		})
	}
	return run{args: []string{"check", "--format", []string{"text", "sarif"}[r.IntN(2)], "--", "deploy"}}
}

// below lists the regular files below a directory of the checkout.
func (m machine) below(t *testing.T, dir string) []string {
	t.Helper()
	var files []string
	must(t, filepath.WalkDir(m.at(dir), func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			files = append(files, path)
		}
		return err
	}))
	return files
}
