package hostile

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// good is a manifest whose findings are known: it is an example of a rule, in a namespace of its own.
type good struct {
	namespace, text string
	// own is the rule that the example is about, broken is true if it breaks this rule, and no other.
	own    string
	broken bool
}

// rules are where the examples of the rules are. Tests of preflight hold that each bad.yaml breaks its rule and no
// other, and that no good.yaml breaks one, except for infos.
const rules = "../../internal/core/preflight/examples"

var (
	// kindLine, metadata and namespaced find the examples that are one object, which can be in any namespace.
	kindLine   = regexp.MustCompile(`(?m)^kind: (\w+)$`)
	metadata   = regexp.MustCompile(`(?m)^metadata:\n`)
	namespaced = regexp.MustCompile(`^(Pod|Deployment|DaemonSet|Job|CronJob|StatefulSet|ReplicaSet|ConfigMap|Service|` +
		`PersistentVolumeClaim|Secret|HorizontalPodAutoscaler)$`)
)

// goods returns n manifests.
func goods(t *testing.T, n int) []good {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(rules, "*", "*.yaml"))
	must(t, err)
	var examples []good
	for _, file := range files {
		dir := filepath.Dir(file)
		own, name := filepath.Base(dir), filepath.Base(file)
		// Without a topology, the examples of MK311 break MK401, and MK211 has no finding.
		if name != "good.yaml" && name != "bad.yaml" || own == "MK311" || own == "MK211" ||
			exists(filepath.Join(dir, "topology.yaml")) || exists(filepath.Join(dir, "images.yaml")) {
			continue
		}
		content, err := os.ReadFile(file)
		must(t, err)
		text := string(content)
		kinds := kindLine.FindAllStringSubmatch(text, -1)
		if len(kinds) == 1 && namespaced.MatchString(kinds[0][1]) && len(metadata.FindAllString(text, -1)) == 1 &&
			!strings.Contains(text, "\n  namespace:") && !strings.Contains(text, "{{") {
			examples = append(examples, good{text: text, own: own, broken: name == "bad.yaml"})
		}
	}
	if len(examples) < 200 {
		t.Fatalf("%d examples, want at least 200", len(examples))
	}
	all := make([]good, n)
	for i := range all {
		all[i] = examples[i%len(examples)]
		all[i].namespace = fmt.Sprintf("good-%d", i)
		all[i].text = metadata.ReplaceAllString(all[i].text, "metadata:\n  namespace: "+all[i].namespace+"\n")
	}
	return all
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// encodings are the ways in which people write a manifest.
var encodings = []struct {
	name   string
	encode func(t *testing.T, g good) string
}{
	{"plain", func(_ *testing.T, g good) string { return g.text }},
	{"with a byte order mark", func(_ *testing.T, g good) string { return "\ufeff" + g.text }},
	{"with the line ends of Windows", func(_ *testing.T, g good) string {
		return strings.ReplaceAll(g.text, "\n", "\r\n")
	}},
	{"JSON", func(t *testing.T, g good) string {
		t.Helper()
		if g.own == "MK590" {
			return g.text // JSON from a mapping has no key twice
		}
		text, err := yaml.YAMLToJSON([]byte(g.text))
		must(t, err)
		return string(text)
	}},
	{"with other documents", func(_ *testing.T, g good) string {
		before := strings.Replace(okay, "okay", g.namespace, 1)
		return "# Ours.\n---\n" + before + "---\n" + g.text + "...\n---\n# Nothing.\n"
	}},
	{"in a list", func(_ *testing.T, g good) string {
		text := strings.ReplaceAll(strings.TrimSpace(g.text), "\n", "\n    ")
		return "apiVersion: v1\nkind: List\nitems:\n  - " + text + "\n"
	}},
	{"without a line end", func(_ *testing.T, g good) string { return strings.TrimSpace(g.text) }},
}

// encoded returns the text of a manifest in an encoding that depends on its index, and a name for a file.
func encoded(t *testing.T, i int, g good) (name, text string) {
	t.Helper()
	encoding := encodings[i%len(encodings)]
	extension := []string{".yaml", ".yml"}[i%2]
	if encoding.name == "JSON" && g.own != "MK590" {
		extension = ".json"
	}
	return g.namespace + extension, encoding.encode(t, g)
}

// stream returns manifests as documents of one stream.
func stream(all []good) string {
	var b strings.Builder
	for _, g := range all {
		b.WriteString("---\n" + g.text)
	}
	return b.String()
}

// expected returns the rules that each manifest breaks, by namespace.
func expected(all []good) map[string][]string {
	found := map[string][]string{}
	for _, g := range all {
		if g.broken {
			found[g.namespace] = []string{g.own}
		}
	}
	return found
}

// reported returns the rules of the findings in an output in JSON, by namespace. An info counts only if the manifest
// is an example of its rule.
func reported(t *testing.T, stdout string, all []good) map[string][]string {
	t.Helper()
	var findings []struct{ Namespace, Rule, Severity string }
	if err := json.Unmarshal([]byte(stdout), &findings); err != nil {
		t.Fatalf("%v: %s", err, beginning(stdout))
	}
	own := map[string]string{}
	for _, g := range all {
		own[g.namespace] = g.own
	}
	found := map[string][]string{}
	for _, f := range findings {
		if f.Severity == "info" && f.Rule != own[f.Namespace] || slices.Contains(found[f.Namespace], f.Rule) {
			continue
		}
		found[f.Namespace] = append(found[f.Namespace], f.Rule)
	}
	return found
}

// readAsExpected runs a command, and compares its findings with the table of the manifests.
func (m machine) readAsExpected(t *testing.T, command run, all []good) {
	t.Helper()
	got := m.run(t, command)
	if got.ended != "" || got.code > 1 || len(got.changed) > 0 {
		t.Fatalf("%s\n%s\nexit %d, %s, changed %q:\n%s", listing(m.snapshot(t)), command.line(), got.code, got.ended,
			got.changed, beginning(got.stderr))
	}
	if diff := cmp.Diff(expected(all), reported(t, got.stdout, all)); diff != "" {
		t.Errorf("%s\n(-want +got):\n%s\n%s", command.line(), diff, beginning(got.stderr))
	}
}

// Good files are read in each place, with the findings that their table lists.
func TestGoodFilesAreReadAsBefore(t *testing.T) {
	t.Parallel()
	shares := make([][]good, len(goodPlaces))
	for i, g := range goods(t, 1_000) {
		shares[i%len(shares)] = append(shares[i%len(shares)], g)
	}
	for i, place := range goodPlaces {
		t.Run(place.name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			m.readAsExpected(t, place.lay(t, m, shares[i]), shares[i])
		})
	}
}

// A topology, a state and many nodes are read as before.
func TestGoodClustersAreReadAsBefore(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"cluster.yaml": "kubernetesVersion: \"1.35\"\npools: [{name: sys, platform: linux, mode: System}]\n",
		"state.json":   stateOf(aksBelow("")),
		"deep.json":    deepState(20_000),
		"nodes.json": `{"apiVersion":"v1","kind":"NodeList","items":[` + strings.TrimSuffix(numbered(5_000,
			`{"metadata":{"name":"n%[1]d","labels":{"agentpool":"sys","kubernetes.io/os":"linux",`+
				`"kubernetes.io/arch":"amd64","kubernetes.io/hostname":"n%[1]d"}},`+
				`"status":{"nodeInfo":{"operatingSystem":"linux",`+
				`"architecture":"amd64","kubeletVersion":"v1.35.4"},`+
				`"allocatable":{"cpu":"4","memory":"8Gi","pods":"110"}}},`), ",") + `]}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			write(t, m.at(name), text)
			got := m.run(t, run{args: []string{"topology", "--format", "json", name}})
			var read struct {
				KubernetesVersion string
				Pools             []struct{ Name, Platform string }
			}
			if err := json.Unmarshal([]byte(got.stdout), &read); err != nil || got.code != 0 {
				t.Fatalf("exit %d: %v: %s", got.code, err, beginning(got.stderr))
			}
			if !strings.HasPrefix(read.KubernetesVersion, "1.35") ||
				fmt.Sprint(read.Pools) != "[{sys linux}]" {
				t.Errorf("read %+v from %s", read, beginning(text))
			}
		})
	}
}
