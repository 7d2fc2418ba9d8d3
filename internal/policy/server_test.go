package policy

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/mixedkube/mixedkube/core/images"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

const (
	fsGroup = "{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {os: {name: windows}, " +
		"nodeSelector: {kubernetes.io/os: windows}, securityContext: {fsGroup: 1}, " +
		"tolerations: [{key: os, value: windows, effect: NoSchedule}], containers: [{name: a, image: shop.example/a}]}}"
	ignoring     = "{name: a, annotations: {mixedkube.dev/ignore: MK118}}, spec"
	fsGroupFound = "spec.securityContext.fsGroup: … (MK118)"
	webOfImage   = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {selector: {matchLabels: " +
		"{app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, " +
		"image: 'mcr.microsoft.com/windows/servercore:ltsc2022', resources: {limits: {memory: 1Gi}}}]}}}}"
)

func TestEveryRuleIsAPolicy(t *testing.T) {
	t.Parallel()
	e := serve(t, t.TempDir(), true)
	info, err := e.client.GetAnalyzerInfo(t.Context(), &emptypb.Empty{})
	if err != nil {
		t.Fatal(err)
	}
	if info.GetName() != "mixedkube" || info.GetVersion() != "1.2.3" || !info.GetSupportsConfig() {
		t.Errorf("the pack is %s %s, configurable: %t", info.GetName(), info.GetVersion(), info.GetSupportsConfig())
	}
	byName := map[string]*pulumirpc.PolicyInfo{}
	for _, p := range info.GetPolicies() {
		byName[p.GetName()] = p
	}
	if len(rules) < 150 || len(byName) != len(rules)+3 {
		t.Errorf("there are %d policies for %d rules", len(byName), len(rules))
	}
	for _, r := range rules {
		p := byName[r.ID]
		level, severity := pulumirpc.EnforcementLevel_ADVISORY, pulumirpc.PolicySeverity_POLICY_SEVERITY_MEDIUM
		switch r.Severity {
		case rule.Error:
			level, severity = pulumirpc.EnforcementLevel_MANDATORY, pulumirpc.PolicySeverity_POLICY_SEVERITY_HIGH
		case rule.Info:
			severity = pulumirpc.PolicySeverity_POLICY_SEVERITY_LOW
		case rule.Warning:
		}
		if p.GetDescription() != r.Title || p.GetMessage() != r.Reason || p.GetEnforcementLevel() != level ||
			p.GetSeverity() != severity || p.GetConfigSchema().GetProperties().GetFields()["ignore"] == nil {
			t.Errorf("the policy of the rule %+v is %v", r, p)
		}
	}
	plugin, err := e.client.GetPluginInfo(t.Context(), &emptypb.Empty{})
	if err != nil || plugin.GetVersion() != "1.2.3" {
		t.Errorf("the plugin has version %q: %v", plugin.GetVersion(), err)
	}
}

func TestEnforcementLevels(t *testing.T) {
	t.Parallel()
	guess := strings.NewReplacer("securityContext: {fsGroup: 1}, ", "", "shop.example/a", "shop.example/a:1.14-alpine").
		Replace(fsGroup)
	const guessed = "spec.containers[0].image: … (MK202)"
	for name, tt := range map[string]struct{ config, object, want string }{
		"the default":                   {"{}", fsGroup, "mandatory a: " + fsGroupFound},
		"advisory":                      {`{"MK118": "advisory"}`, fsGroup, "advisory a: " + fsGroupFound},
		"remediate":                     {`{"MK118": "remediate"}`, fsGroup, "remediate a: " + fsGroupFound},
		"disabled":                      {`{"MK118": "disabled"}`, fsGroup, ""},
		"another one":                   {`{"MK119": "disabled"}`, fsGroup, "mandatory a: " + fsGroupFound},
		"a guess":                       {"{}", guess, "advisory a: " + guessed},
		"a guess of a rule that is off": {`{"MK202": "disabled"}`, guess, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := strings.Join(start(t, true, tt.config).register("a", tt.object), "\n")
			if diff := cmp.Diff(tt.want, got, golden.AnySentence); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestIgnoredFindings(t *testing.T) {
	t.Parallel()
	suppressed := strings.Replace(fsGroup, "{name: a}, spec", ignoring, 1)
	const urn = "kubernetes:core/v1:Pod::a"
	for name, tt := range map[string]struct {
		config, object string
		found          []string
		messages       []string
	}{
		"by the object": {"{}", suppressed, nil, []string{"info " + urn + ": ignored: " + fsGroupFound}},
		"by the rule": {
			`{"MK118": {"ignore": [{"resources": ["a"], "reason": "moved soon"}]}}`, fsGroup, nil,
			[]string{"info : accepted findings:\n  ignored: MK118 of a: 1 finding (moved soon)"},
		},
		"by the cluster": {
			`{"cluster": {"ignore": [{"rules": ["MK118"], "namespaces": ["default"]}]}}`, fsGroup, nil,
			[]string{"info : accepted findings:\n  ignored: MK118 in the namespace default: 1 finding"},
		},
		"another object": {
			`{"MK118": {"ignore": [{"resources": ["b"]}]}}`, fsGroup,
			[]string{"mandatory a: " + fsGroupFound},
			[]string{"warning : MK118.ignore[0]: MK118 of b: there is no such finding: remove it"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := start(t, true, tt.config)
			found := append(e.register("a", tt.object), e.end()...)
			if diff := cmp.Diff(tt.found, found, golden.AnySentence); diff != "" {
				t.Errorf("violations (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.messages, e.shown.take(), golden.AnySentence); diff != "" {
				t.Errorf("the messages (-want +got):\n%s", diff)
			}
		})
	}
}

func TestErrorsOfAConfiguration(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	wrong := "pools:\n- name: win22\n  platform: windows-2023\n"
	if err := os.WriteFile(filepath.Join(dir, "wrong.yaml"), []byte(wrong), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct{ config, want string }{
		"everything": {
			`{"MK999": "disabled", "MK181": "disabled", "plase": "disabled",
			"MK118": {"ignore": [{"resources": ["a"]}, {}], "level": 1},
			"place": {"enforcementLevel": "remediate"},
			"cluster": {"ignore": [{"rules": ["MK9"]}], "matching": "loose", "kubernetesVersion": "new"}}`,
			`mixedkube:
  MK118.ignore[1]: Required value: set namespaces or resources
  MK118.level: Invalid value: "level": unknown key (use ignore)
  MK181: Invalid value: "MK181": there is no such policy: did you mean "MK101"?
  MK999: Invalid value: "MK999": there is no such policy: each rule is one, by its ID, and so are ` +
				`cluster, place and preview
  plase: Invalid value: "plase": there is no such policy: did you mean "place"?
  cluster.ignore[0].rules[0]: Invalid value: "MK9": is not a rule: remove it
  cluster.kubernetesVersion: Invalid value: "new": not a Kubernetes version: write 1.36 or 1.36.3
  cluster.matching: Invalid value: "loose": unknown matching (use strict or relaxed)
  cluster.topology: Required value: place needs to know the pools of the cluster`,
		},
		"a file that does not exist": {
			`{"cluster": {"topology": "none.yaml"}}`, "mixedkube: cluster.topology: DIR/none.yaml: ",
		},
		"a lock that does not exist": {
			`{"cluster": {"images": "none.yaml"}}`, "mixedkube: cluster.images: DIR/none.yaml: ",
		},
		"a wrong file": {
			`{"cluster": {"topology": "wrong.yaml"}}`,
			`mixedkube: cluster.topology: DIR/wrong.yaml:3: pools[0].platform: Invalid value: unknown platform`,
		},
		"a wrong topology": {
			`{"cluster": {"topology": {"pools": [{"name": "a", "platform": "linux"},
				{"name": "a", "platform": "linux"}]}}}`,
			`mixedkube: cluster.topology.pools[1].name: Duplicate value: "a"`,
		},
		"clusters": {
			`{"cluster": {"clusters": [{"provider": "prod"}]}}`,
			`mixedkube: cluster.clusters[0].topology: Required value: list the pools of the cluster`,
		},
		"a horizon": {
			`{"cluster": {"horizon": -1, "clusters": [
				{"provider": "prod", "topology": {"pools": [{"name": "a", "platform": "linux"}]}}]}}`,
			`mixedkube: cluster.horizon: Invalid value: -1: must not be negative: give a number of days, or 0 for ` +
				`two years`,
		},
		"no pools to place pods": {
			`{"place": "remediate"}`,
			`mixedkube: cluster.topology: Required value: place needs to know the pools of the cluster`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := serve(t, dir, true).configure(tt.config)
			got := strings.ReplaceAll(status.Convert(err).Message(), filepath.ToSlash(dir), "DIR")
			for line := range strings.SplitSeq(tt.want, "\n") {
				if !strings.Contains(got, line) {
					t.Errorf("%q is not in:\n%s", line, got)
				}
			}
		})
	}
}

// The engine starts the pack in its directory, and passes the directory in the form of --policy-pack: relative to
// another directory.
func TestFilesAreReadFromTheDirectory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const text = "kubernetesVersion: \"1.36\"\n" +
		"pools:\n- {name: linux, platform: linux}\n- {name: win25, platform: windows-2025}\n"
	const lock = "version: 1\nimages: {}\n"
	for name, text := range map[string]string{TopologyFile: text, "other.yaml": text, images.DefaultFile: lock} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	other := t.TempDir()
	for name, tt := range map[string]struct{ in, passed, config string }{
		"relative":                        {dir, "policy", "{}"},
		"relative with a dot":             {dir, "./policy", "{}"},
		"relative from another directory": {dir, "../a/policy", "{}"},
		"not passed":                      {dir, "", "{}"},
		"absolute":                        {other, dir, "{}"},
		"relative with a topology":        {dir, "policy", `{"cluster": {"topology": "other.yaml"}}`},
		"relative with a lock":            {dir, "policy", `{"cluster": {"images": "mixedkube.images.yaml"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := serveIn(t, tt.in, tt.passed, true)
			if err := e.configure(tt.config); err != nil {
				t.Fatal(err)
			}
			e.register("web", webOfImage)
			e.end()
			want := []string{"info : where the pods can land:\n  web → nowhere"}
			if diff := cmp.Diff(want, e.shown.take()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// The lock file next to the topology is read, and an error in it is an error of the configuration. The same is true of
// a file of the pack whose existence cannot be checked.
func TestErrorsInTheFilesOfTheDirectory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	lock := filepath.Join(dir, images.DefaultFile)
	if err := os.WriteFile(lock, []byte("version: 9\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(TopologyFile, filepath.Join(dir, TopologyFile)); err != nil { // to itself
		t.Fatal(err)
	}
	err := serveIn(t, dir, "policy", true).configure("{}")
	got := strings.ReplaceAll(status.Convert(err).Message(), filepath.ToSlash(dir), "DIR")
	const want = "mixedkube:\n  cluster.images: DIR/mixedkube.images.yaml:1: version: Invalid value: this version of " +
		"mixedkube reads version 1\n" + `  cluster.topology: Invalid value: "topology.yaml": is a link in a circle, ` +
		`or behind too many links: name ` + "the file that it should lead to"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A finding between objects is reported once, for the stack; in an update, an error is also reported for the later one
// of the objects.
func TestFindingsBetweenObjects(t *testing.T) {
	t.Parallel()
	const class = "{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: iis}, handler: a, scheduling: " +
		"{nodeSelector: {kubernetes.io/os: windows, kubernetes.io/arch: amd64}}}"
	const pod = "{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {os: {name: windows}, runtimeClassName: iis, " +
		"nodeSelector: {kubernetes.io/os: windows, kubernetes.io/arch: other}, " +
		"containers: [{name: a, image: shop.example/a}]}}"
	between := func(found []string) []string {
		return slices.DeleteFunc(found, func(v string) bool { return !strings.Contains(v, "(MK402)") })
	}
	const want = "mandatory a: spec.nodeSelector[kubernetes.io/arch]: … (MK402)"
	for name, tt := range map[string]struct {
		preview    bool
		classFirst bool
		atPod, end int
	}{
		"in a preview":                           {true, true, 0, 1},
		"in an update":                           {false, true, 1, 0},
		"in an update, when the pod comes first": {false, false, 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := start(t, tt.preview, "{}")
			if tt.classFirst {
				e.register("iis", class)
			}
			at := between(e.register("a", pod))
			if !tt.classFirst {
				e.register("iis", class)
			}
			end := between(e.end())
			if len(at) != tt.atPod || len(end) != tt.end ||
				!cmp.Equal(append(at, end...), []string{want}, golden.AnySentence) {
				t.Errorf("at the pod %q, at the end %q", at, end)
			}
		})
	}
}
