package architecture_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPackagesImportFromTheirFloorAndFromLowerOnes(t *testing.T) {
	t.Parallel()
	for _, finding := range load(t).floorFindings(floors) {
		t.Error(finding)
	}
}

func TestRoomsAreFewAndNotInCircles(t *testing.T) {
	t.Parallel()
	for _, finding := range load(t).roomFindings(floors) {
		t.Error(finding)
	}
}

func TestNoPackageReachesABannedImport(t *testing.T) {
	t.Parallel()
	for _, finding := range load(t).banFindings(bans) {
		t.Error(finding)
	}
}

func TestModuleHasOnlyAllowedRequirements(t *testing.T) {
	t.Parallel()
	watch(t)
	var file struct {
		Require []struct {
			Path     string
			Indirect bool
		}
	}
	if err := json.Unmarshal(run(t, "go", "mod", "edit", "-json"), &file); err != nil {
		t.Fatal(err)
	}
	direct := map[string]bool{}
	for _, required := range file.Require {
		if !required.Indirect {
			direct[required.Path] = true
		}
	}
	for _, finding := range requirementFindings(direct, allowedRequirements) {
		t.Error(finding)
	}
}

func requirementFindings(direct map[string]bool, allowed map[string]string) []string {
	var findings []string
	for _, path := range slices.Sorted(maps.Keys(direct)) {
		if allowed[path] == "" {
			findings = append(findings, "go.mod requires "+path+", and everyone who imports a component gets it: "+
				"remove it, move it to a nested module, or allow it in allowedRequirements with the reason")
		}
	}
	for _, path := range slices.Sorted(maps.Keys(allowed)) {
		if !direct[path] {
			findings = append(findings, "go.mod no longer requires "+path+": remove it from allowedRequirements")
		}
	}
	return findings
}

// The tests above would also pass if nothing was listed.
func TestTheListCoversThisModule(t *testing.T) {
	t.Parallel()
	g := load(t)
	for _, path := range []string{
		"/core/platform", "/core/topology", "/components/workload",
		"/components/aks", "/stacks/stackconfig", "/stacks", "/internal/cli", "",
	} {
		if p, ok := g[module+path]; !ok || len(p.Imports) == 0 {
			t.Errorf("go list does not list %s with imports", path)
		}
	}
	if chain := g.chain(module+"/components/workload", below("google.golang.org/protobuf")); len(chain) < 3 {
		t.Errorf("the imports from workload to protobuf are %q, want a chain through the Pulumi SDK", chain)
	}
}

// brokenModule returns a module that breaks every rule.
func brokenModule() graph {
	g := graph{}
	add := func(path string, imports ...string) {
		g[module+path] = goPackage{ImportPath: module + path, Imports: imports, Module: &struct{ Main bool }{true}}
	}
	add("/core/platform", "fmt", module+"/core/topology")
	add("/core/topology", module+"/internal/components/refusal")
	add("/internal/core/topology/names", module+"/internal/core/placement")
	add("/internal/core/placement", module+"/core/platform", module+"/internal/azuresim/arm")
	add("/components/workload", module+"/core/platform", module+"/components/runtimeclass",
		module+"/examples/iis")
	add("/components/runtimeclass", "github.com/pulumi/pulumi-azure-native-sdk/network/v3",
		"github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/node/v1", module+"/components/mocktest")
	add("/components/aks", "github.com/pulumi/pulumi-azure-native-sdk/network/v3")
	add("/components/mocktest", "testing")
	add("/internal/components/refusal", "example.com/a")
	add("/internal/core/fielderrors", "k8s.io/kubernetesque")
	add("/examples/iis", module+"/stacks")
	add("/stacks", module+"/internal/lab/cluster", "github.com/pulumi/pulumi-azure-native-sdk/compute/v3",
		module+"/examples/iis")
	add("", module+"/internal/components/refusal")
	add("/internal/testkit/golden", module, cobra)
	add("/internal/cli", cobra)
	add("/internal/policy")
	add("/internal/core/pods", "net/url", "os", "path")
	add("/core/report", "path/filepath")
	add("/core/rule", "path/filepath")
	add("/internal/clustermap", module+"/internal/system/disk")
	add("/internal/system/disk", "os")
	add("/other")
	g["example.com/a"] = goPackage{ImportPath: "example.com/a", Imports: []string{"example.com/b", "example.com/c"}}
	g["example.com/b"] = goPackage{ImportPath: "example.com/b", Imports: []string{"example.com/c", cobra}}
	g["example.com/c"] = goPackage{
		ImportPath: "example.com/c",
		Imports:    []string{"github.com/pulumi/pulumi/sdk/v3/go/pulumi"},
	}
	helper := g[module+"/internal/components/refusal"]
	helper.TestImports = []string{"sigs.k8s.io/kwok/pkg/a", module + "/internal/testkit/golden"}
	helper.XTestImports = []string{"k8s.io/kubernetes"}
	g[helper.ImportPath] = helper
	tested := g[module+"/core/report"]
	tested.TestImports, tested.XTestImports = []string{"os"}, []string{module + "/internal/testkit/golden"}
	g[tested.ImportPath] = tested
	return g
}

func TestFloorFindings(t *testing.T) {
	t.Parallel()
	const rule = ": a package imports from its own floor and from lower ones"
	want := []string{
		"components/workload (floor components) imports examples/iis (floor examples)" + rule,
		"core/topology (floor core) imports internal/components/refusal (floor components)" + rule,
		"internal/core/placement (floor core) imports internal/azuresim/arm (floor programs)" + rule,
		"internal/testkit/golden (floor testkit) imports . (floor main)" + rule,
		"other is on no floor: move it below the directory of one",
		"stacks (floor stacks) imports examples/iis (floor examples)" + rule,
	}
	if diff := cmp.Diff(want, brokenModule().floorFindings(floors)); diff != "" {
		t.Errorf("floorFindings (-want +got):\n%s", diff)
	}
}

func TestRoomFindings(t *testing.T) {
	t.Parallel()
	small := []floor{
		{name: "core", packages: []string{"core/...", "internal/core/..."}, rooms: 3},
		{name: "components", packages: []string{"components/...", "internal/components/..."}, rooms: 4},
	}
	want := []string{
		"the floor core has 7 rooms, more than 3: fielderrors, placement, platform, pods, report, rule, topology",
		"the rooms of the floor core are in a circle: placement imports platform imports topology imports placement",
		"the rooms of the floor core are in a circle: platform imports topology imports placement imports platform",
		"the rooms of the floor core are in a circle: topology imports placement imports platform imports topology",
		"the floor components has 5 rooms, more than 4: aks, mocktest, refusal, runtimeclass, workload",
	}
	if diff := cmp.Diff(want, brokenModule().roomFindings(small)); diff != "" {
		t.Errorf("roomFindings (-want +got):\n%s", diff)
	}
}

func TestBanFindings(t *testing.T) {
	t.Parallel()
	const (
		way = "internal/components/refusal imports example.com/a imports example.com/c imports " +
			"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
		pure    = ": pure packages do not depend on Pulumi"
		command = ": the command has the policy pack, which speaks Pulumi's protocol, and no other part of Pulumi: " +
			"its SDK adds 384 packages to the 495 of the command"
		heavy = ": heavy dependencies stay in the nested modules, so that importers of a component do not pay for them"
		azure = ": azure-native costs minutes and gigabytes to compile: only packages that register Azure resources " +
			"import it"
		net   = ": network costs 95 s and 5 GB to compile, and AKS takes networks by their IDs"
		stack = ": it is the program of the default `make up`; what needs networks and virtual machines goes into " +
			"stacks/kubeadm"
		program = ": the command is a program, and no library of others"
		node    = ": a workload names RuntimeClasses, as topology does, and registers none: its importers do not " +
			"compile the SDK's node"
	)
	const (
		io = ": what decides takes bytes, a reader or an fs.FS: internal/system/userfiles finds, reads and writes " +
			"the files of users"
		slashes = ": what decides does not know which slashes the system has: use path, and " +
			"internal/system/userfiles"
		only = ": what decides imports only what decides, so that no other package reads or writes for it"
	)
	want := []string{
		"internal/core/pods imports os" + io,
		"core/rule imports path/filepath" + slashes,
		"internal/clustermap imports internal/system/disk" + only,
		"core/platform imports core/topology imports " + way + pure,
		"core/topology imports " + way + pure,
		"internal/core/placement imports core/platform imports core/topology imports " + way + pure,
		"internal/core/topology/names imports internal/core/placement imports core/platform imports core/topology " +
			"imports " + way + pure,
		"internal/testkit/golden imports . imports " + way + pure,
		". imports " + way + command,
		"components/workload imports examples/iis imports stacks imports internal/lab/cluster" + heavy,
		"examples/iis imports stacks imports internal/lab/cluster" + heavy,
		"a test of internal/components/refusal imports sigs.k8s.io/kwok/pkg/a" + heavy,
		"a test of internal/components/refusal imports k8s.io/kubernetes" + heavy,
		"internal/core/placement imports internal/azuresim/arm" + heavy,
		"internal/core/topology/names imports internal/core/placement imports internal/azuresim/arm" + heavy,
		"stacks imports internal/lab/cluster" + heavy,
		"internal/testkit/golden imports github.com/spf13/cobra: the root go.mod requires it for the command only",
		"components/runtimeclass imports github.com/pulumi/pulumi-azure-native-sdk/network/v3" + azure,
		"components/workload imports components/runtimeclass imports " +
			"github.com/pulumi/pulumi-azure-native-sdk/network/v3" + azure,
		"components/aks imports github.com/pulumi/pulumi-azure-native-sdk/network/v3" + net,
		"stacks imports github.com/pulumi/pulumi-azure-native-sdk/compute/v3" + stack,
		"components/workload imports components/runtimeclass imports " +
			"github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/node/v1" + node,
		"components/runtimeclass imports components/mocktest: packages for tests are for tests: programs do not " +
			"compile them",
		"examples/iis imports stacks imports internal/lab/cluster" + program,
		"stacks imports internal/lab/cluster" + program,
	}
	if diff := cmp.Diff(want, brokenModule().banFindings(bans)); diff != "" {
		t.Errorf("banFindings (-want +got):\n%s", diff)
	}
}

func TestRequirementFindings(t *testing.T) {
	t.Parallel()
	want := []string{
		"go.mod requires example.com/heavy, and everyone who imports a component gets it: " +
			"remove it, move it to a nested module, or allow it in allowedRequirements with the reason",
		"go.mod no longer requires example.com/gone: remove it from allowedRequirements",
	}
	got := requirementFindings(
		map[string]bool{"example.com/good": true, "example.com/heavy": true},
		map[string]string{"example.com/good": "a reason", "example.com/gone": "a reason"},
	)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("requirementFindings (-want +got):\n%s", diff)
	}
}
