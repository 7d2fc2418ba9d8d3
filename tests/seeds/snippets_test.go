package seeds

import (
	"encoding/json"
	"net/netip"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
	"github.com/mixedkube/mixedkube/internal/lab/cluster"
	"github.com/mixedkube/mixedkube/internal/lab/nodebinaries"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// snippetChecks compares the snippets of configuration in the seeds with the current
// configuration of the project.
var snippetChecks = map[string]func(*testing.T){
	"node-selector-and-toleration.yaml": selectorAndToleration,
	"node-labels.yaml":                  labelsOfNodes,
	"register-with-taints.yaml":         registeredTaints,
	"windows-builds.yaml":               windowsBuilds,
	"forbidden-fields.yaml":             forbiddenFields,
	"kubelet-options.yaml":              kubeletOptions,
	"pause-images.yaml":                 pauseImages,
	"mount-paths.yaml":                  mountPaths,
	"cni-wincni.yaml":                   windowsCNI,
	"cni-ovn.yaml":                      openVSwitch,
	"open-vswitch.yaml":                 openVSwitch,
	"kubeadm-join.yaml":                 kubeadmJoin,
	"node-binaries.yaml":                nodeBinaries,
}

func snippet[T any](t *testing.T, name string) T {
	t.Helper()
	return load[T](t, "snippets/"+name)
}

func selectorAndToleration(t *testing.T) {
	t.Helper()
	got := snippet[struct {
		NodeSelector map[string]string `json:"nodeSelector"`
		Tolerations  []struct {
			Key, Operator, Value, Effect string
		} `json:"tolerations"`
	}](t, "node-selector-and-toleration.yaml")
	current := topology.NodeSelector(platform.WindowsServer2019)
	for label, value := range got.NodeSelector {
		if current[label] != value {
			t.Errorf("pods for Windows Server 2019 select %s=%q, but in the seeds %q", label, current[label], value)
		}
	}
	toleration := topology.Tolerate(topology.WindowsTaint())
	if len(got.Tolerations) != 1 || got.Tolerations[0].Key != toleration.Key ||
		got.Tolerations[0].Value != toleration.Value ||
		got.Tolerations[0].Effect != string(toleration.Effect) ||
		got.Tolerations[0].Operator != string(toleration.Operator) {
		t.Errorf("pods in the seeds tolerate %v, but pods here %v", got.Tolerations, toleration)
	}
}

func labelsOfNodes(t *testing.T) {
	t.Helper()
	labels := snippet[map[string][]string](t, "node-labels.yaml")
	for _, node := range cluster.Nodes(mixed(true).WithDefaults(), "v1.36.3") {
		for label, values := range labels {
			if !slices.Contains(values, node.Labels[label]) {
				t.Errorf("%s has %s=%q, want one of %q", node.Name, label, node.Labels[label], values)
			}
		}
	}
}

func registeredTaints(t *testing.T) {
	t.Helper()
	flags := snippet[struct{ Kubelet []string }](t, "register-with-taints.yaml").Kubelet
	if len(flags) != 1 {
		t.Fatalf("the flags are %q", flags)
	}
	value := strings.Trim(strings.TrimPrefix(flags[0], "--register-with-taints="), "'")
	taint, err := topology.ParseTaint(value)
	if err != nil || taint != topology.WindowsTaint() {
		t.Errorf("the taint is %v, %v; Windows pools have %v", taint, err, topology.WindowsTaint())
	}
}

func windowsBuilds(t *testing.T) {
	t.Helper()
	for seed, releases := range snippet[map[string]map[string]string](t, "windows-builds.yaml") {
		for name, build := range releases {
			p, ok := platform.ByBuild(build)
			year := regexp.MustCompile(`20\d\d$|\d\d\d\d$|20H2$`).FindString(name)
			// Version 1809 is the same build as Windows Server 2019.
			if year == "1809" {
				year = "2019"
			}
			release, known := p.Release()
			if !ok || !known || !strings.HasSuffix(release.Name, year) {
				t.Errorf("%s: %s is the build of %q, not of %s", seed, build, release.Name, name)
			}
		}
	}
}

func forbiddenFields(t *testing.T) {
	t.Helper()
	fields := snippet[[]struct{ Field, Rule string }](t, "forbidden-fields.yaml")
	if len(fields) != 20 {
		t.Errorf("there are %d fields, want 20", len(fields))
	}
	for _, f := range fields {
		// Some rules depend on the value of the field.
		value := any(true)
		switch name := f.Field[strings.LastIndex(f.Field, ".")+1:]; name {
		case "runAsUser", "runAsGroup", "fsGroup":
			value = 1000
		case "sysctls", "supplementalGroups":
			value = []any{map[string]any{"name": "net.core.somaxconn", "value": "1"}}
		case "fsGroupChangePolicy", "procMount":
			value = "Always"
		case "seLinuxOptions", "seccompProfile", "capabilities":
			value = map[string]any{}
		}
		pod := map[string]any{
			"apiVersion": "v1", "kind": "Pod",
			"spec": map[string]any{"os": map[string]any{"name": "windows"}, "containers": []any{map[string]any{}}},
		}
		at := pod
		path := strings.Split(strings.Replace(f.Field, "[*]", "", 1), ".")
		for _, key := range path[:len(path)-1] {
			next, ok := at[key].(map[string]any)
			if list, isList := at[key].([]any); isList {
				next, ok = list[0].(map[string]any), true
			}
			if !ok {
				next = map[string]any{}
				at[key] = next
			}
			at = next
		}
		at[path[len(path)-1]] = value
		want := strings.Replace(f.Field, "[*]", "[0]", 1)
		if !slices.ContainsFunc(preflight.Check(pod, preflight.Options{KubernetesVersion: "1.36"}),
			func(found preflight.Finding) bool {
				return found.Rule == f.Rule && found.Path == want && found.Severity == preflight.Error
			}) {
			t.Errorf("%s does not refuse %s", f.Rule, want)
		}
	}
}

// kubeletOptions checks that each option has a field, or is set for all Windows nodes.
func kubeletOptions(t *testing.T) {
	t.Helper()
	fields := map[string]string{
		"--windows-priorityclass": "PriorityClass", "--kube-reserved": "KubeReserved",
		"--system-reserved": "SystemReserved",
		"--eviction-hard":   "EvictionHard", "--eviction-soft": "EvictionSoft",
	}
	others := map[string]string{
		// The seed misspells this option. The project sets it to an empty list.
		"--enforce-node-allocable":                "docs/resources.md",
		"--feature-gates=WindowsHostNetwork=true": "docs/differences.md",
	}
	options := reflect.TypeFor[bootstrap.KubeletOptions]()
	for _, o := range snippet[[]struct{ Option, Effect string }](t, "kubelet-options.yaml") {
		if name, ok := fields[o.Option]; ok {
			if _, ok := options.FieldByName(name); !ok {
				t.Errorf("%s has no field %s", o.Option, name)
			}
			continue
		}
		page, ok := others[o.Option]
		if !ok {
			t.Errorf("%s has neither a field nor a page", o.Option)
			continue
		}
		word := strings.NewReplacer("--feature-gates=", "", "=true", "", "--enforce-node-allocable",
			"enforce-node-allocatable").Replace(o.Option)
		if !strings.Contains(plain(read(t, root, page)), plain(word)) {
			t.Errorf("%s does not contain %s", page, word)
		}
	}
}

func pauseImages(t *testing.T) {
	t.Helper()
	images := snippet[struct{ Kubernetes, Microsoft string }](t, "pause-images.yaml")
	repository := func(image string) string { return image[:strings.LastIndex(image, ":")] }
	pool := topology.Pool{Platform: platform.WindowsServer2022, KubernetesVersion: "1.36"}
	if got := (bootstrap.Releases{}).PauseImageOf(pool); repository(got) != repository(images.Kubernetes) {
		t.Errorf("the pause image is %s, want the repository of %s as in the seeds", got, images.Kubernetes)
	}
	if got := (bootstrap.Releases{PauseImage: images.Microsoft}).PauseImageOf(pool); got != images.Microsoft {
		t.Errorf("the pause image is %s, want the configured one, %s", got, images.Microsoft)
	}
	if page := read(t, root, "docs", "runtimes.md"); !strings.Contains(page, repository(images.Microsoft)) {
		t.Errorf("runtimes.md does not name %s", repository(images.Microsoft))
	}
}

// mountPaths checks that the paths of the seed have no findings, and one finding with single backslashes.
func mountPaths(t *testing.T) {
	t.Helper()
	findings := func(text string) []preflight.Finding {
		docs, err := manifests.ReadYAML(strings.NewReader(
			"apiVersion: v1\nkind: Pod\nspec:\n  nodeSelector: {kubernetes.io/os: windows}\n  containers:\n  - "+
				"volumeMounts:\n    - "+text+"\n"), "pod")
		if err != nil {
			t.Fatal(err)
		}
		return slices.DeleteFunc(preflight.Check(tree.Map(docs[0].Value), preflight.Options{}),
			func(f preflight.Finding) bool { return f.Rule != "MK521" })
	}
	lines := regexp.MustCompile(`(?m)^- (mountPath: .*)$`).FindAllStringSubmatch(read(t, "testdata", "snippets",
		"mount-paths.yaml"), -1)
	if len(lines) != 2 {
		t.Fatalf("there are %d paths, want 2", len(lines))
	}
	for _, line := range lines {
		if found := findings(line[1]); len(found) > 0 {
			t.Errorf("%s: %v", line[1], found)
		}
		if wrong := strings.ReplaceAll(line[1], `\\`, `\`); wrong != line[1] && len(findings(wrong)) != 1 {
			t.Errorf("%s: %v, want MK521", wrong, findings(wrong))
		}
	}
}

// windowsCNI checks that the plugin, which has another name today, has the same policies.
func windowsCNI(t *testing.T) {
	t.Helper()
	var seed struct {
		IPAM           struct{ Subnet string }
		AdditionalArgs []struct{ Value struct{ Type string } }
	}
	if err := yaml.Unmarshal([]byte(read(t, "testdata", "snippets", "cni-wincni.yaml")), &seed); err != nil {
		t.Fatal(err)
	}
	n := network.Network{Kind: network.HostGateway, NodeCIDR: netip.MustParsePrefix("10.127.132.128/25")}.WithDefaults()
	plan, err := n.Plan([]network.Node{{
		Name: "win-1", Address: netip.MustParseAddr("10.127.132.213"),
		Platform: platform.WindowsServer2022,
	}})
	if err != nil {
		t.Fatal(err)
	}
	_, content, ok := n.CNIConfig(plan.Nodes[0])
	var current struct {
		Plugins []struct {
			Type     string
			Policies []struct{ Value struct{ Type string } }
		}
	}
	if err := json.Unmarshal([]byte(content), &current); err != nil || !ok || len(current.Plugins) != 1 ||
		current.Plugins[0].Type != "win-bridge" {
		t.Fatalf("the configuration is %s, %v", content, err)
	}
	today := map[string]string{"OutBoundNAT": "OutBoundNAT", "ROUTE": "SDNRoute"}
	var want, got []string
	for _, policy := range seed.AdditionalArgs {
		want = append(want, today[policy.Value.Type])
	}
	for _, policy := range current.Plugins[0].Policies {
		got = append(got, policy.Value.Type)
	}
	if !slices.Equal(want, got) {
		t.Errorf("the policies are %q, want %q", got, want)
	}
}

// openVSwitch checks that a table on the page names each step, with its replacement.
func openVSwitch(t *testing.T) {
	t.Helper()
	page := plain(read(t, root, "machines", "bootstrap", "network", "OPEN_VSWITCH.md"))
	for _, step := range []string{
		"openvswitch.msi", "OpenvSwitchCLI,OpenvSwitchDriver,OVNHost",
		"docker network create -d transparent", "HNSTransparent", "br-ex", "ovn_cni",
	} {
		if !strings.Contains(page, plain(step)) {
			t.Errorf("OPEN_VSWITCH.md does not name %s", step)
		}
	}
}

// kubeadmJoin checks that the configuration of a machine has the arguments of the command.
func kubeadmJoin(t *testing.T) {
	t.Helper()
	command := snippet[struct{ Command []string }](t, "kubeadm-join.yaml").Command
	kubernetes := bootstrap.KnownReleases()
	hashes := map[string]string{}
	for _, d := range kubernetes.All() {
		hashes[d.URL] = strings.Repeat("0", 64)
	}
	releases, wrong := kubernetes.WithHashes(hashes, nil)
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	files, err := bootstrap.NodeFiles(bootstrap.Cluster{
		Topology: topology.Topology{KubernetesVersion: "1.36", Pools: mixed(true).Pools[:3]},
		Network:  network.Network{NodeCIDR: netip.MustParsePrefix("10.0.0.0/24")},
		Nodes:    []bootstrap.Node{{Name: "win-1", Pool: "win22", Address: netip.MustParseAddr("10.0.0.20")}},
		Endpoint: "api.example.com:6443", Releases: releases,
	}, "win-1", bootstrap.Join{
		Token:        "tests0.notarealtoken000",
		CACertHashes: []string{"sha256:" + strings.Repeat("5a", 32)},
	})
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, f := range files {
		all.WriteString(f.Content)
	}
	for word, want := range map[string]string{
		"kubeadm.exe": "kubeadm.exe", "join": "JoinConfiguration", "--token": "tests0.notarealtoken000",
		"<master-ip>:<master-port>": "api.example.com:6443", "--discovery-token-ca-cert-hash": "caCertHashes",
		"sha256:<hash>": "sha256:5a5a",
	} {
		if !slices.Contains(command, word) {
			t.Errorf("the command of the seed has no %s", word)
		}
		if !strings.Contains(all.String(), want) {
			t.Errorf("no file of the machine has %s, for %s", want, word)
		}
	}
}

func nodeBinaries(t *testing.T) {
	t.Helper()
	for _, program := range snippet[struct {
		Environment map[string]string
		Targets     []string
		Output      string
		OnTheNode   []string
	}](t, "node-binaries.yaml").OnTheNode {
		if !slices.Contains(nodebinaries.Programs, strings.TrimSuffix(program, ".exe")) {
			t.Errorf("make node-binaries does not build %s", program)
		}
	}
}
