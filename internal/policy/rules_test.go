package policy

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"

	"github.com/mixedkube/mixedkube/core/images"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
	"github.com/mixedkube/mixedkube/internal/system/userfiles"
)

// examples has a directory for each rule, with objects that break it.
const examples = "../../internal/core/preflight/examples"

// planFile is the planned topology of an example.
const planFile = "plan.yaml"

// example is an object that breaks a rule, and the findings of package preflight about it.
type example struct {
	objects         []map[string]any
	alone, together []string // with the names of the objects
}

func readExample(t *testing.T, dir string) example {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "bad.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	docs, err := manifests.ReadObjects(strings.NewReader(string(text)), "bad.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var e example
	for _, doc := range docs {
		e.objects = append(e.objects, tree.Map(doc.Value))
	}
	options := preflight.Options{KubernetesVersion: "1.36"}
	for name, to := range map[string]*topology.Topology{"topology.yaml": &options.Topology, planFile: &options.To} {
		if input, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
			docs, err := manifests.ReadYAML(strings.NewReader(string(input)), name)
			if err != nil {
				t.Fatal(err)
			}
			*to, _ = topology.Decode(docs[0].Value, nil)
		}
	}
	if options.Topology.KubernetesVersion != "" {
		options.KubernetesVersion = ""
	}
	options.Images, err = userfiles.Decode(filepath.Join(dir, "images.yaml"), images.Decode)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	checker := preflight.New(options)
	across := checker.Across(e.objects)
	for i, object := range e.objects {
		for _, f := range checker.Check(object) {
			e.alone = append(e.alone, nameOf(i)+": "+f.String())
		}
		for _, f := range across[i] {
			e.together = append(e.together, nameOf(i)+": "+f.String())
		}
	}
	return e
}

func nameOf(i int) string { return "object" + string(rune('a'+i)) }

// ruleOf returns the rule of a finding.
func ruleOf(finding string) string {
	return strings.TrimSuffix(finding[strings.LastIndex(finding, "(")+1:], ")")
}

// TestThePackFindsWhatPreflightFinds registers the objects that break each rule with the pack, as the engine does.
func TestThePackFindsWhatPreflightFinds(t *testing.T) {
	t.Parallel()
	dirs, err := filepath.Glob(filepath.Join(examples, "MK*"))
	if err != nil {
		t.Fatal(err)
	}
	if len(dirs) < 150 {
		t.Fatalf("there are only %d examples", len(dirs))
	}
	alone, together := map[string]bool{}, map[string]bool{}
	for _, dir := range dirs {
		example := readExample(t, dir)
		for _, f := range example.alone {
			alone[ruleOf(f)] = true
		}
		for _, f := range example.together {
			together[ruleOf(f)] = true
		}
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			example.underPack(t, dir)
		})
	}
	for _, r := range preflight.Rules() {
		if r.Across && (alone[r.ID] || !together[r.ID]) {
			t.Errorf("%s compares objects with each other: found alone %v, together %v", r.ID, alone[r.ID],
				together[r.ID])
		}
	}
}

// TestRulesBetweenObjectsArePoliciesOfTheStack lists the rules that find nothing in one object. Others compare objects
// too, but an object alone can break them.
func TestRulesBetweenObjectsArePoliciesOfTheStack(t *testing.T) {
	t.Parallel()
	var got []string
	for _, r := range preflight.Rules() {
		if policyOf(r).GetPolicyType() == pulumirpc.PolicyType_POLICY_TYPE_STACK {
			got = append(got, r.ID)
		}
	}
	want := []string{
		"MK401", "MK402", "MK406", "MK409", "MK416", "MK417", "MK531", "MK538", "MK539", "MK553", "MK570", "MK571",
		"MK572",
		"MK591",
		"MK601", "MK602", "MK603", "MK604", "MK605", "MK606", "MK607", "MK608", "MK806", "MK872",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the rules (-want +got):\n%s", diff)
	}
}

func (e example) underPack(t *testing.T, dir string) {
	t.Helper()
	dir, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	var config []string
	if _, err := os.Stat(filepath.Join(dir, "images.yaml")); err == nil {
		config = append(config, `"images": "images.yaml"`)
	}
	if _, err := os.Stat(filepath.Join(dir, planFile)); err == nil {
		config = append(config, `"to": "`+planFile+`"`)
	}
	text, _ := os.ReadFile(filepath.Join(dir, "topology.yaml"))
	if !strings.Contains(string(text), "kubernetesVersion") {
		config = append(config, `"kubernetesVersion": "1.36"`)
	}
	pack := serve(t, dir, true)
	if err := pack.configure(`{"cluster": {` + strings.Join(config, ", ") + "}}"); err != nil {
		t.Fatal(err)
	}
	var got []string
	for i, object := range e.objects {
		for _, found := range pack.registerWith(defaultKubernetes, nameOf(i), object) {
			got = append(got, found[strings.Index(found, " ")+1:])
		}
	}
	for _, found := range pack.end() {
		got = append(got, found[strings.Index(found, " ")+1:])
	}
	want := slices.Concat(e.alone, e.together)
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(slices.Compact(want), got); diff != "" {
		t.Errorf("the findings (-of preflight +of the pack):\n%s", diff)
	}
}
