package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	_ "github.com/mixedkube/mixedkube/internal/system/clock/clocktest"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// ofAKS returns the text of a topology of AKS with a Windows pool, which is on line 5.
func ofAKS(version, platform string) string {
	return "kubernetesVersion: \"" + version + "\"\ncloud: aks\npools:\n- {name: sys, platform: linux}\n" +
		"- {name: win, platform: " + platform + "}\n"
}

const (
	linuxPod = `apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  os: {name: linux}
  nodeSelector: {kubernetes.io/os: linux}
  containers: [{name: a, image: registry.example.com/a, resources: {limits: {memory: 1Gi}}}]
`
	tooNew         = `pools[1].platform: "windows-2022": … (MK712)`
	tooOld         = `pools[1].platform: "windows-2019": … (MK712)`
	ending         = `pools[1].platform: "windows-2022": … (MK853)`
	unknownVersion = `kubernetesVersion: "1.38": … (MK711)`
)

// check, adopt and map show what AKS does not support of the topology itself. A map is drawn in any case.
func TestTheTopologyItselfHasFindings(t *testing.T) {
	t.Parallel()
	const severity, short, long = "severities: {MK712: warning}\n", "--horizon=30", "--horizon=1000"
	for name, tt := range map[string]struct {
		topology, config string
		args             []string
		want             string // a line of check and adopt
		code             exitError
	}{
		"2022 on a version without it": {
			topology: ofAKS("1.37", "windows-2022"), want: "5: Topology: error: " + tooNew, code: failed,
		},
		"2019 on a version without it": {
			topology: ofAKS("1.35", "windows-2019"), want: "5: Topology: error: " + tooOld, code: failed,
		},
		"a version that is not known": {
			topology: ofAKS("1.38", "windows-2025"), want: "1: Topology: warning: " + unknownVersion,
		},
		"the default horizon": {topology: ofAKS("1.36", "windows-2022"), want: "5: Topology: info: " + ending},
		"a short horizon":     {topology: ofAKS("1.36", "windows-2022"), args: []string{short}},
		"a long horizon": {
			topology: ofAKS("1.36", "windows-2022"), args: []string{long}, want: "5: Topology: info: " + ending,
		},
		"another severity": {
			topology: ofAKS("1.37", "windows-2022"), config: severity, want: "5: Topology: warning: " + tooNew,
		},
		"a release without end": {topology: ofAKS("1.37", "windows-2025")},
		"no cloud":              {topology: strings.Replace(ofAKS("1.37", "windows-2022"), "cloud: aks\n", "", 1)},
		"another cloud": {
			topology: strings.Replace(ofAKS("1.37", "windows-2022"), "cloud: aks", "cloud: eks", 1),
		},
		"ignored, which is told": {
			topology: ofAKS("1.37", "windows-2022"), config: "ignore: [{resources: [Topology]}]\n",
			want: "5: Topology: error (suppressed): " + tooNew,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := dirWith(t, map[string]string{
				"cluster.yaml": tt.topology, "pod.yaml": linuxPod, "config.yaml": "exclude: []\n" + tt.config,
			})
			at := func(name string) string { return filepath.ToSlash(filepath.Join(dir, name)) }
			args := append([]string{"--topology", at("cluster.yaml"), "--config", at("config.yaml")}, tt.args...)
			args = append(args, at("pod.yaml"))
			want := ""
			if tt.want != "" {
				want = at("cluster.yaml") + ":" + tt.want + "\n"
			}
			code, stdout, stderr := runCheck(t, "", args...)
			if diff := cmp.Diff(want, stdout, golden.AnySentence); diff != "" || code != tt.code {
				t.Errorf("check: exit %d, want %d; %s(-want +got):\n%s", code, tt.code, stderr, diff)
			}
			code, _, stderr = runAdopt(t, args...)
			got, _, _ := strings.Cut(stderr, "adopted: ")
			if diff := cmp.Diff(want, got, golden.AnySentence); diff != "" || code != tt.code {
				t.Errorf("adopt: exit %d, want %d (-want +got):\n%s", code, tt.code, diff)
			}
			page, stderr := mapped(t, "", "map.html", args...)
			_, text, _ := strings.Cut(tt.want, "Topology: ")
			got, _, _ = strings.Cut(stderr, "drawn: ")
			severity, problem, _ := strings.Cut(text, ": ")
			if problem != "" {
				text = severity + ": Topology: " + problem + "\n"
			}
			if diff := cmp.Diff(text, got, golden.AnySentence); diff != "" {
				t.Errorf("map (-want +got):\n%s", diff)
			}
			onMap := problem != "" && !strings.Contains(severity, "suppressed")
			if _, rule, _ := strings.Cut(problem, "(MK"); strings.Contains(page, "(MK"+rule) != onMap {
				t.Errorf("the map has %q: %t, want %t", "(MK"+rule, !onMap, onMap)
			}
		})
	}
}

// The line is that of the topology in the configuration, or the first one if there is none to read.
func TestTheLinesOfTopologiesInOtherPlaces(t *testing.T) {
	t.Parallel()
	lines := strings.TrimSpace(ofAKS("1.37", "windows-2022"))
	indented := "ignore: []\ntopology:\n  " + strings.ReplaceAll(lines, "\n", "\n  ") + "\n"
	node := func(name, os, more string) string {
		return "- {apiVersion: v1, kind: Node, metadata: {name: " + name + ", labels: {kubernetes.io/os: " + os +
			", kubernetes.azure.com/cluster: MC_rg_shop_westeurope" + more +
			"}}, status: {nodeInfo: {kubeletVersion: v1.37.1}}}\n"
	}
	nodes := "apiVersion: v1\nkind: List\nitems:\n" + node("a", "linux", "") +
		node("b", "windows", ", node.kubernetes.io/windows-build: 10.0.20348")
	dir := dirWith(t, map[string]string{"config.yaml": indented, "pod.yaml": linuxPod, "nodes.yaml": nodes})
	at := func(name string) string { return filepath.ToSlash(filepath.Join(dir, name)) }
	for name, tt := range map[string]struct {
		stdin, want string
		args        []string
	}{
		"the configuration": {"", at("config.yaml") + ":7", []string{"--config", at("config.yaml")}},
		"nodes":             {"", at("nodes.yaml") + ":1", []string{"--topology", at("nodes.yaml")}},
		"standard input":    {ofAKS("1.37", "windows-2022"), "stdin:1", []string{"--topology", "-"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			code, stdout, stderr := runCheck(t, tt.stdin, append(tt.args, at("pod.yaml"))...)
			want := tt.want + ": Topology: error: " + tooNew + "\n"
			if diff := cmp.Diff(want, stdout, golden.AnySentence); diff != "" || code != failed {
				t.Errorf("exit %d, %s(-want +got):\n%s", code, stderr, diff)
			}
		})
	}
}

// A plan has findings at its own file, and lines, with paths that name it.
func TestThePlanItselfHasFindings(t *testing.T) {
	t.Parallel()
	const (
		classes = "runtimeClasses:\n- {name: iis, nodeSelector: {agentpool: win}}\n"
		plan25  = "kubernetesVersion: \"1.36\"\ncloud: aks\npools:\n- {name: sys, platform: linux}\n" +
			"- {name: win25, platform: windows-2025}\n"
		stranded = "runtimeClasses[0].nodeSelector[agentpool]: … (MK418)"
		dropped  = "to.runtimeClasses: … (MK418)"
		ofIIS    = "apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: {name: iis}\nhandler: " +
			"runhcs-wcow-process\n"
	)
	indented := "  " + strings.ReplaceAll(strings.TrimSpace(ofAKS("1.37", "windows-2022")), "\n", "\n  ") + "\n"
	for name, tt := range map[string]struct {
		cluster, plan, config, object, want string
		code                                exitError
	}{
		"a version that has no nodes of the release": {
			cluster: ofAKS("1.36", "windows-2022"), plan: ofAKS("1.37", "windows-2022"), object: linuxPod,
			want: "cluster.yaml:5: Topology: info: " + ending + "\nplan.yaml:5: Topology: error: to." + tooNew + "\n",
			code: failed,
		},
		"the plan in the configuration": {
			cluster: ofAKS("1.36", "windows-2022"), config: "to:\n" + indented, object: linuxPod,
			want: "cluster.yaml:5: Topology: info: " + ending + "\nconfig.yaml:7: Topology: error: to." + tooNew + "\n",
			code: failed,
		},
		"a class of the cluster": {
			cluster: ofAKS("1.36", "windows-2025") + classes, plan: plan25, object: linuxPod,
			want: "cluster.yaml:7: Topology: error: " + stranded + "\n", code: failed,
		},
		"a class of the plan": {
			cluster: ofAKS("1.36", "windows-2025") + classes, plan: plan25 + classes, object: linuxPod,
			want: "plan.yaml:7: Topology: error: to." + stranded + "\n", code: failed,
		},
		"a class that the plan does not list": {
			cluster: ofAKS("1.36", "windows-2025") + classes, plan: plan25 + "runtimeClasses: []\n", object: linuxPod,
			want: "plan.yaml:6: Topology: warning: " + dropped + "\n",
		},
		"a class among the objects": {cluster: ofAKS("1.36", "windows-2025") + classes, plan: plan25, object: ofIIS},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := dirWith(t, map[string]string{
				"cluster.yaml": tt.cluster, "plan.yaml": tt.plan, "object.yaml": tt.object,
				"config.yaml": "exclude: []\n" + tt.config,
			})
			at := func(name string) string { return filepath.ToSlash(filepath.Join(dir, name)) }
			args := []string{"--topology", at("cluster.yaml"), "--config", at("config.yaml"), at("object.yaml")}
			if tt.plan != "" {
				args = append(args, "--to", at("plan.yaml"))
			}
			code, stdout, stderr := runCheck(t, "", args...)
			got := strings.ReplaceAll(stdout, filepath.ToSlash(dir)+"/", "")
			if diff := cmp.Diff(tt.want, got, golden.AnySentence); diff != "" || code != tt.code {
				t.Errorf("exit %d, want %d; %s(-want +got):\n%s", code, tt.code, stderr, diff)
			}
		})
	}
}

// A baseline knows a finding about the topology, and all formats have it.
func TestReportsHaveTheFindingsAboutTheTopology(t *testing.T) {
	t.Parallel()
	dir := dirWith(t, map[string]string{"cluster.yaml": ofAKS("1.37", "windows-2022"), "pod.yaml": linuxPod})
	at := func(name string) string { return filepath.Join(dir, name) }
	args := []string{"--topology", at("cluster.yaml"), at("pod.yaml")}
	for name, want := range map[string]string{
		"json": `"kind": "Topology",`, "sarif": `"startLine": 5`, "junit": `<testcase name="Topology"`,
		"gitlab": `"begin": 5`,
	} {
		code, stdout, _ := runCheck(t, "", append(args, "--format", name)...)
		if code != failed || !strings.Contains(stdout, want) || !strings.Contains(stdout, "MK712") {
			t.Errorf("%s: exit %d, no %s in %s", name, code, want, stdout)
		}
	}
	code, _, stderr := runCheck(t, "", append(args, "--baseline", at("known.yaml"), "--write-baseline")...)
	text, err := os.ReadFile(at("known.yaml"))
	if code != passed || err != nil || !strings.Contains(string(text), `resource: "Topology"`) {
		t.Errorf("exit %d: %s%s", code, stderr, text)
	}
	code, stdout, stderr := runCheck(t, "", append(args, "--baseline", at("known.yaml"))...)
	if code != passed || stdout != "" || !strings.Contains(stderr, "1 known") {
		t.Errorf("exit %d: %s%s", code, stdout, stderr)
	}
}

func TestAHorizonIsNotNegative(t *testing.T) {
	t.Parallel()
	const want = "--horizon: Invalid value: -1: must not be negative: give a number of days, or 0 for two years\n"
	for _, command := range []string{"check", "adopt", "map"} {
		code, _, stderr := start(t, linuxPod, command, "--horizon=-1", "--topology", "testdata/topology.yaml", "-")
		if code != unusable || stderr != want {
			t.Errorf("%s: exit %d: %s", command, code, stderr)
		}
	}
}
