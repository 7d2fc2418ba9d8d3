package preflight_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// planned returns the options of a cluster with the topology of others as its plan.
func planned(today, plan preflight.Options) preflight.Options {
	today.To = plan.Topology
	return today
}

// strandedTexts returns what rules about plans find in objects, by the index of the object.
func strandedTexts(t *testing.T, options preflight.Options, text string) []string {
	t.Helper()
	objects := fromYAML(t, text)
	checker := preflight.New(options)
	across := checker.Across(objects)
	var got []string
	for i := range objects {
		for _, f := range preflight.Join(checker.Check(objects[i]), across[i]) {
			if f.Rule == "MK319" || f.Rule == "MK418" {
				line := fmt.Sprintf("%d %s %s", i, f.Severity, f)
				if f.Suppressed {
					line += ", ignored"
				}
				got = append(got, line)
			}
		}
	}
	return got
}

type strandedCase struct {
	name, objects string
	options       preflight.Options
}

// runStrandedCases compares all findings with a golden file. Without a plan, and with a plan in which nothing changes,
// there must be none.
func runStrandedCases(t *testing.T, file string, tests []strandedCase) {
	t.Helper()
	var text strings.Builder
	for _, tt := range tests {
		text.WriteString(tt.name + ":\n")
		for _, line := range strandedTexts(t, tt.options, tt.objects) {
			text.WriteString("  " + line + "\n")
		}
		same, alone := tt.options, tt.options
		same.To, alone.To = same.Topology, topology.Topology{}
		for name, options := range map[string]preflight.Options{"the same plan": same, "no plan": alone} {
			if got := strandedTexts(t, options, tt.objects); got != nil {
				t.Errorf("%s, %s: %q", tt.name, name, got)
			}
		}
	}
	golden.Equal(t, "testdata/stranded/"+file, text.String())
}

// inKinds are objects of all kinds with pods, in which SPEC is the spec of the pods, with the paths of the spec.
var inKinds = map[string][2]string{
	"Pod":                   {"kind: Pod, spec: {SPEC}", "spec"},
	"PodTemplate":           {"kind: PodTemplate, template: {spec: {SPEC}}", "template.spec"},
	"Deployment":            {"kind: Deployment, spec: {template: {spec: {SPEC}}}", "spec.template.spec"},
	"ReplicaSet":            {"kind: ReplicaSet, spec: {template: {spec: {SPEC}}}", "spec.template.spec"},
	"ReplicationController": {"kind: ReplicationController, spec: {template: {spec: {SPEC}}}", "spec.template.spec"},
	"StatefulSet":           {"kind: StatefulSet, spec: {template: {spec: {SPEC}}}", "spec.template.spec"},
	"DaemonSet":             {"kind: DaemonSet, spec: {template: {spec: {SPEC}}}", "spec.template.spec"},
	"Job":                   {"kind: Job, spec: {template: {spec: {SPEC}}}", "spec.template.spec"},
	"CronJob": {
		"kind: CronJob, spec: {jobTemplate: {spec: {template: {spec: {SPEC}}}}}", "spec.jobTemplate.spec.template.spec",
	},
	"Rollout": {
		"apiVersion: argoproj.io/v1alpha1, kind: Rollout, spec: {template: {spec: {SPEC}}}", "spec.template.spec",
	},
	"Workflow": {
		"apiVersion: argoproj.io/v1alpha1, kind: Workflow, spec: {TEMPLATE, templates: [{name: a, container: " +
			"{image: a}}]}",
		"spec",
	},
}

func TestEachKindIsStranded(t *testing.T) {
	t.Parallel()
	const (
		selects    = "nodeSelector: {agentpool: win22}, tolerations: [{operator: Exists}]"
		containers = ", containers: [{name: a, image: shop.example.com/shop:1.4}]"
	)
	for name, kind := range inKinds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			object := strings.NewReplacer("SPEC", selects+containers, "TEMPLATE", selects).Replace("{" + kind[0] + "}")
			got := strandedTexts(t, planned(mixed(win22), mixed(win25)), object)
			want := []string{"0 error " + kind[1] + `.nodeSelector[agentpool]: "win22": the pods can land on win22 ` +
				"(2 nodes), but on no pool of the plan, which removes win22: not win25 (selects agentpool=win22, " +
				"but its nodes have win25), nor sys (its nodes run Linux): select agentpool=win25 (MK319)"}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			for name, options := range map[string]preflight.Options{
				"a plan that has the pool": planned(mixed(win22), mixed(win22, win25)),
				"no plan":                  mixed(win22),
			} {
				if got := strandedTexts(t, options, object); got != nil {
					t.Errorf("%s: %q", name, got)
				}
			}
		})
	}
}

func TestStrandedPods(t *testing.T) {
	t.Parallel()
	onto := func(plan preflight.Options) preflight.Options { return planned(mixed(win22), plan) }
	to25 := onto(mixed(win25))
	pod := func(spec string) string { return "{kind: Pod, spec: {" + spec + "}}" }
	const (
		tolerate = "tolerations: [{operator: Exists}], "
		own      = "containers: [{name: a, image: 'shop.example.com/shop:ltsc2022'}]"
		others   = "containers: [{name: a, image: 'shop.example.com/shop:1.4'}]"
		affinity = "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: ["
	)
	labeled := func(o preflight.Options, labels map[string]string) preflight.Options {
		o.Topology.Pools = slices.Clone(o.Topology.Pools)
		last := &o.Topology.Pools[len(o.Topology.Pools)-1]
		last.Labels = labels
		return o
	}
	reporting := func(memory string, o preflight.Options) preflight.Options {
		o.Topology.Pools = slices.Clone(o.Topology.Pools)
		last := &o.Topology.Pools[len(o.Topology.Pools)-1]
		last.Reported.Capacity = corev1.ResourceList{
			corev1.ResourceCPU: resource.MustParse("8"), corev1.ResourceMemory: resource.MustParse(memory),
		}
		return o
	}
	runsOlder, many := to25, mixed(win25)
	runsOlder.To.Matching = platform.Relaxed
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		many.Topology.Pools = append(many.Topology.Pools, topology.Pool{Name: name, Platform: win25})
	}
	web := labeled(mixed(win22), map[string]string{"tier": "web"})
	renamed := mixed(win25)
	renamed.Topology.Pools[1].Name = "win22"
	tainted := mixed(win22)
	tainted.Topology.Pools[1].Taints = append(tainted.Topology.Pools[1].Taints, topology.WindowsTaint())
	tainted.Topology.Pools[1].Taints[0].Value = "iis"
	small, large := mixed(win22), mixed(win22)
	large.Topology.Pools[1].Size, small.Topology.Pools[1].Size = "Standard_D8s_v5", "Standard_D4s_v5"
	runStrandedCases(t, "pods.golden", []strandedCase{
		{
			name: "an image", options: to25,
			objects: pod(tolerate + "os: {name: windows}, nodeSelector: {kubernetes.io/os: windows}, " + own),
		},
		{
			name: "a published image", options: to25,
			objects: pod(tolerate + "os: {name: windows}, nodeSelector: {kubernetes.io/os: windows}, containers: " +
				"[{name: a, image: 'mcr.microsoft.com/windows/servercore:ltsc2022'}]"),
		},
		{
			name: "an image on a relaxed plan", options: relaxed(to25),
			objects: pod(tolerate + "os: {name: windows}, nodeSelector: {kubernetes.io/os: windows}, " + own),
		},
		{
			name: "an image on a plan with its own matching", options: runsOlder,
			objects: pod(tolerate + "os: {name: windows}, nodeSelector: {kubernetes.io/os: windows}, " + own),
		},
		{
			name: "many pools", options: onto(many),
			objects: pod(tolerate + "nodeSelector: {agentpool: win22}, " + others),
		},
		{
			name: "a build on a relaxed plan", options: relaxed(to25),
			objects: pod(tolerate + "nodeSelector: {node.kubernetes.io/windows-build: 10.0.20348}, " + own),
		},
		{
			name: "an image of 2019 on 2025", options: planned(mixed(win19), mixed(win25)),
			objects: pod(tolerate + "nodeSelector: {kubernetes.io/os: windows}, containers: [{name: a, image: " +
				"'shop.example.com/shop:ltsc2019'}]"),
		},
		{name: "a RuntimeClass of a platform", options: to25, objects: pod("runtimeClassName: windows-2022, " + own)},
		{
			name: "the osSKU", options: to25,
			objects: pod(tolerate + "nodeSelector: {kubernetes.azure.com/os-sku: Windows2022}, " + others),
		},
		{
			name: "an affinity", options: to25,
			objects: pod(tolerate + affinity + "{matchExpressions: [{key: kubernetes.io/os, operator: In, values: " +
				"[windows]}, {key: kubernetes.azure.com/agentpool, operator: In, values: [win22]}]}]}}}, " +
				others),
		},
		{
			name: "an affinity for several", options: to25,
			objects: pod(tolerate + affinity + "{matchExpressions: [{key: kubernetes.azure.com/os-sku, operator: " +
				"In, values: [Windows2019, Windows2022]}]}]}}}, " + others),
		},
		{
			name: "an affinity with an alternative that stays", options: to25,
			objects: pod(tolerate + affinity + "{matchExpressions: [{key: agentpool, operator: In, values: " +
				"[win22]}]}, {matchExpressions: [{key: kubernetes.io/os, operator: In, values: [windows]}]}]}}}, " +
				others),
		},
		{
			name: "an affinity against the new pool", options: to25,
			objects: pod(tolerate + affinity + "{matchExpressions: [{key: kubernetes.io/os, operator: In, values: " +
				"[windows]}, {key: agentpool, operator: NotIn, values: [win25]}]}]}}}, " + others),
		},
		{
			name: "a preference", options: to25,
			objects: pod(tolerate + "nodeSelector: {kubernetes.io/os: windows}, affinity: {nodeAffinity: " +
				"{preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, preference: {matchExpressions: " +
				"[{key: agentpool, operator: In, values: [win22]}]}}]}}, " + others),
		},
		{
			name: "a pool that changes its platform", options: onto(renamed),
			objects: pod(tolerate + "nodeSelector: {kubernetes.azure.com/os-sku: Windows2022}, " + others),
		},
		{
			name: "the name of a pool that changes its platform", options: onto(renamed),
			objects: pod(tolerate + "nodeSelector: {agentpool: win22}, " + others),
		},
		{
			name:    "a label that the plan does not list",
			options: planned(web, mixed(win22)),
			objects: pod(tolerate + "nodeSelector: {tier: web}, " + others),
		},
		{
			name:    "a label with another value",
			options: planned(web, labeled(mixed(win22), map[string]string{"tier": "db"})),
			objects: pod(tolerate + "nodeSelector: {tier: web}, " + others),
		},
		{
			name: "a label that no pool lists", options: to25,
			objects: pod(tolerate + "nodeSelector: {kubernetes.io/os: windows, tier: web}, " + others),
		},
		{
			name: "a taint", options: onto(tainted),
			objects: pod("nodeSelector: {kubernetes.io/os: windows}, tolerations: [{key: os, value: windows}], " +
				others),
		},
		{
			name: "a size", options: planned(large, small),
			objects: pod(tolerate + "nodeSelector: {kubernetes.io/os: windows}, containers: [{name: a, image: " +
				"'shop.example.com/shop:1.4', resources: {requests: {cpu: 6}}}]"),
		},
		{
			name: "less memory, and labels of AKS that the plan does not list",
			options: planned(
				reporting("64Gi", labeled(mixed(win22), map[string]string{"kubernetes.azure.com/storagetier": "a"})),
				reporting("32Gi", mixed(win22))),
			objects: pod(tolerate + "nodeSelector: {kubernetes.io/os: windows}, containers: [{name: a, image: " +
				"'shop.example.com/shop:1.4', resources: {requests: {memory: 40Gi}}}]"),
		},
		{
			name:    "less memory, and a label that other pods select",
			options: planned(reporting("64Gi", web), reporting("32Gi", mixed(win22))),
			objects: pod(tolerate + "nodeSelector: {kubernetes.io/os: windows}, containers: [{name: a, image: " +
				"'shop.example.com/shop:1.4', resources: {requests: {memory: 40Gi}}}]"),
		},
		{
			name: "an instance type", options: planned(large, small),
			objects: pod(tolerate + "nodeSelector: {kubernetes.io/os: windows, " +
				"node.kubernetes.io/instance-type: Standard_D8s_v5}, " + others),
		},
		{
			name:    "labels of the pool, and another size",
			options: planned(labeled(large, map[string]string{"tier": "web"}), small),
			objects: pod(tolerate + "nodeSelector: {tier: web}, " + others),
		},
		{
			name:    "a pool for certain, and one perhaps",
			options: planned(mixed(win19, win22), mixed(win25)),
			objects: pod(tolerate + affinity + "{matchExpressions: [{key: agentpool, operator: In, values: " +
				"[win19]}]}, {matchFields: [{key: metadata.name, operator: In, values: [akswin22000001]}]}]}}}, " +
				others),
		},
		{
			name: "no Windows pool", options: onto(mixed()),
			objects: pod(tolerate + "nodeSelector: {kubernetes.io/os: windows}, " + others),
		},
		{name: "Linux pods stay", options: to25, objects: pod("nodeSelector: {kubernetes.io/os: linux}, " + others)},
		{
			name: "pods that fit no pool now", options: to25,
			objects: pod("nodeSelector: {kubernetes.io/os: windows}, " + others),
		},
		{
			name: "several pools", options: planned(mixed(win19, win22), mixed(win25)),
			objects: pod(tolerate + "nodeSelector: {kubernetes.io/os: windows}, " +
				affinity + "{matchExpressions: [{key: kubernetes.azure.com/os-sku, operator: NotIn, values: " +
				"[Windows2025]}]}]}}}, " + others),
		},
		{
			name: "a partial plan", options: onto(partial(mixed(win25))),
			objects: pod(tolerate + "nodeSelector: {agentpool: win22}, " + others),
		},
		{
			name: "a partial cluster", options: partial(to25),
			objects: pod(tolerate + "nodeSelector: {agentpool: win22}, " + others),
		},
		{
			name: "the class of a platform, with a partial plan", options: onto(partial(mixed(win25))),
			objects: pod("runtimeClassName: windows-2022, " + others),
		},
		{
			name: "only a word of the tag", options: to25,
			objects: pod(tolerate + "containers: [{name: a, image: 'shop.example.com/shop:1.4-windows-ltsc2022'}]"),
		},
		{
			name: "two images", options: to25,
			objects: pod(tolerate + "nodeSelector: {kubernetes.io/os: windows}, containers: [{name: a, image: " +
				"'shop.example.com/a:ltsc2022'}, {name: b, image: 'mcr.microsoft.com/windows/nanoserver:ltsc2022'}]"),
		},
		{
			name: "host process", options: to25,
			objects: pod(tolerate + "hostNetwork: true, nodeSelector: {kubernetes.io/os: windows}, securityContext: " +
				"{windowsOptions: {hostProcess: true, runAsUserName: 'NT AUTHORITY\\SYSTEM'}}, " +
				own),
		},
		{
			name: "an ignored rule", options: to25,
			objects: "{kind: Pod, metadata: {annotations: {mixedkube.dev/ignore: MK319}}, spec: " +
				"{" + tolerate + "nodeSelector: {agentpool: win22}, " + others + "}}",
		},
		{
			name: "an unknown pin", options: to25,
			objects: pod(tolerate + "nodeSelector: {agentpool: $unknown}, " + others),
		},
		{
			name: "an unknown image", options: to25,
			objects: pod(tolerate + "nodeSelector: {kubernetes.io/os: windows}, containers: [{name: a, image: " +
				"$unknown}]"),
		},
		{
			name: "an unknown selector beside an image", options: to25,
			objects: pod(tolerate + "nodeSelector: $unknown, " + own),
		},
		{
			name: "an unknown affinity", options: to25,
			objects: pod(tolerate + "affinity: $unknown, nodeSelector: {kubernetes.io/os: windows}, " + others),
		},
		{name: "a secret pin", options: to25, objects: pod(tolerate + "nodeSelector: {agentpool: $secret-win22}, " +
			others)},
		{
			name: "a secret build", options: to25,
			objects: pod(tolerate + "nodeSelector: {node.kubernetes.io/windows-build: $secret-10.0.20348}, " + others),
		},
		{
			name: "a secret image", options: to25,
			objects: pod(tolerate + "nodeSelector: {kubernetes.io/os: windows}, containers: [{name: a, image: " +
				"'$secret-shop.example.com/a:ltsc2022'}]"),
		},
	})
}

// A node whose name does not show its pool may be one of a pool that the plan removes.
func TestStrandedNames(t *testing.T) {
	t.Parallel()
	const (
		tolerate = "tolerations: [{operator: Exists}], nodeSelector: {kubernetes.io/os: windows}, "
		others   = "containers: [{name: a, image: 'shop.example.com/shop:1.4'}]"
		affinity = "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: ["
	)
	to25, renamed := planned(mixed(win22, win25), mixed(win25)), mixed(win25)
	renamed.Topology.Pools[1].Name = "win22"
	changed := planned(mixed(win22), renamed)
	small, large := mixed(win22), mixed(win22)
	large.Topology.Pools[1].Size, small.Topology.Pools[1].Size = "Standard_D8s_v5", "Standard_D4s_v5"
	eks := to25
	eks.Topology.Cloud, eks.To.Cloud = topology.EKS, topology.EKS
	pod := func(spec string) string { return "{kind: Pod, spec: {" + spec + others + "}}" }
	onHost := func(host string) string {
		return "tolerations: [{operator: Exists}], nodeSelector: {kubernetes.io/os: windows, kubernetes.io/hostname: " +
			host + "}, "
	}
	inTerm := func(list, key, values string) string {
		return affinity + "{" + list + ": [{key: " + key + ", operator: In, values: [" + values + "]}]}]}}}, "
	}
	runStrandedCases(t, "names.golden", []strandedCase{
		{"a node of a pool that goes", pod("nodeName: akswin22000001, "), to25},
		{"a node of a pool that stays", pod("nodeName: akswin25000001, "), to25},
		{"a node of a pool that changes its platform", pod("nodeName: akswin22000001, "), changed},
		{"a node of a pool that changes its size", pod("nodeName: akswin22000001, "), planned(large, small)},
		{"a node of a Linux pool", pod("nodeName: aks-sys-12345678-vmss000001, "), to25},
		{"a node without a known pool", pod("nodeName: node-1, "), to25},
		{"such a node, on EKS", pod("nodeName: akswin22000001, "), eks},
		{"such a node, and no pool goes", pod("nodeName: node-1, "), planned(mixed(win22), mixed(win22, win25))},
		{"an empty name", pod("nodeName: '', "), to25},
		{"an unknown name", pod("nodeName: $unknown, "), to25},
		{"a secret name that shows its pool", pod("nodeName: $secret-akswin22000001, "), to25},
		{"a secret name", pod("nodeName: $secret-node-1, "), to25},
		{"a secret name of a pool that stays", pod("nodeName: $secret-akswin25000001, "), to25},
		{"a secret name of a pool that changes its platform", pod("nodeName: $secret-akswin22000001, "), changed},
		{"the host name of a pool that goes", pod(onHost("akswin22000001")), to25},
		{"the host name of a pool that stays", pod(onHost("akswin25000001")), to25},
		{"another host name", pod(onHost("node-1")), to25},
		{"an unknown host name", pod(onHost("$unknown")), to25},
		{"a secret host name", pod(onHost("$secret-akswin22000001")), to25},
		{
			"an affinity for a host name",
			pod(tolerate + inTerm("matchExpressions", "kubernetes.io/hostname", "akswin22000001")), to25,
		},
		{"metadata.name", pod(tolerate + inTerm("matchFields", "metadata.name", "akswin22000001")), to25},
		{"metadata.name of another node", pod(tolerate + inTerm("matchFields", "metadata.name", "node-1")), to25},
		{
			"two names, one of them of a pool that stays",
			pod(tolerate + inTerm("matchExpressions", "kubernetes.io/hostname", "akswin22000001, "+
				"akswin25000001")), to25,
		},
		{"two names of other nodes", pod(tolerate + inTerm("matchExpressions", "kubernetes.io/hostname", "node-1, "+
			"node-2")), to25},
		{
			"an alternative",
			pod(tolerate + affinity + "{matchFields: [{key: metadata.name, operator: In, values: [node-1]}]}, " +
				"{matchExpressions: [{key: kubernetes.io/os, operator: In, values: [windows]}]}]}}}, "), to25,
		},
		{
			"all nodes but one",
			pod(tolerate + affinity + "{matchFields: [{key: metadata.name, operator: NotIn, values: " +
				"[akswin22000001]}]}]}}}, "),
			to25,
		},
		{
			"a named node beside a label that goes",
			pod("nodeName: node-1, tolerations: [], "),
			planned(mixed(win22), mixed()),
		},
		{
			"a node of a pool that is removed, and its label",
			pod("nodeName: akswin22000001, nodeSelector: {agentpool: win22}, "), to25,
		},
		{"a node without a known pool, and a label", pod("nodeName: node-1, nodeSelector: {agentpool: win22}, "), to25},
		{
			"a node, and a term for a build",
			pod("nodeName: node-1, " + inTerm("matchExpressions", "node.kubernetes.io/windows-build", "10.0.20348")),
			to25,
		},
		{"a node, and a class", pod("nodeName: node-1, runtimeClassName: windows-2022, "), to25},
		{"a node, and a label that stays", pod("nodeName: node-1, nodeSelector: {agentpool: win25}, "), to25},
		{"a node, and a secret label", pod("nodeName: node-1, nodeSelector: {agentpool: $secret-win22}, "), to25},
		{"a node, and an unknown label", pod("nodeName: node-1, nodeSelector: {agentpool: $unknown}, "), to25},
		{
			"an unknown name, and a label", pod("nodeName: $unknown, nodeSelector: {agentpool: win22}, "), to25,
		},
	})
}

func TestStrandedObjects(t *testing.T) {
	t.Parallel()
	const (
		uses = "{kind: Deployment, spec: {template: {spec: {runtimeClassName: iis, containers: [{name: a, image: " +
			"shop.example.com/shop:1.4}]}}}}"
		build = "node.kubernetes.io/windows-build: 10.0.20348"
	)
	to25 := planned(mixed(win22), mixed(win25))
	class := func(selector string) string {
		return "{kind: RuntimeClass, metadata: {name: iis}, handler: runhcs-wcow-process, scheduling: {nodeSelector: " +
			selector + ", tolerations: [{operator: Exists}]}}\n---\n"
	}
	volume := func(expressions string) string {
		return "{kind: PersistentVolume, metadata: {name: disk}, spec: {claimRef: {namespace: shop, name: data}, " +
			"nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [" + expressions + "]}]}}}}\n---\n"
	}
	storage := func(terms string) string {
		return "{kind: StorageClass, metadata: {name: local}, provisioner: example.com/disk, allowedTopologies: " +
			terms +
			"}\n---\n"
	}
	const mountsDisk = "{kind: Pod, metadata: {name: shop, namespace: shop}, spec: {tolerations: [{operator: " +
		"Exists}], containers: [{name: a, image: shop.example.com/shop:1.4}], volumes: [{name: data, " +
		"persistentVolumeClaim: {claimName: data}}]}}"
	zoned := func(zone string, options preflight.Options) preflight.Options {
		for i := range options.Topology.Pools {
			options.Topology.Pools[i].Labels = map[string]string{"topology.kubernetes.io/zone": zone}
		}
		return options
	}
	lists := func(options preflight.Options, classes ...topology.RuntimeClass) preflight.Options {
		options.To.RuntimeClasses = append([]topology.RuntimeClass{}, classes...)
		return options
	}
	iis := topology.RuntimeClass{Name: "iis", Handler: "runhcs-wcow-process"}
	on := func(selector map[string]string) topology.RuntimeClass {
		class := iis
		class.NodeSelector = selector
		class.Tolerations = []topology.Toleration{{Operator: "Exists"}}
		return class
	}
	only22 := on(map[string]string{"agentpool": "win22"})
	only25 := on(map[string]string{"agentpool": "win25"})
	runStrandedCases(t, "objects.golden", []strandedCase{
		{"a class for a build, and its pods", class("{kubernetes.io/os: windows, "+build+"}") + uses, to25},
		{"a class for a pool", class("{agentpool: win22}"), to25},
		{"a class for Windows", class("{kubernetes.io/os: windows}") + uses, to25},
		{"a class for Windows, and no Windows pool", class("{kubernetes.io/os: " +
			"windows}"), planned(mixed(win22), mixed())},
		{"a class without a selector", class("{}"), to25},
		{"a class for no pool now", class("{agentpool: win19}"), to25},
		{"a class in a partial plan", class("{agentpool: win22}"), planned(mixed(win22), partial(mixed(win25)))},
		{"a class with an unknown label", class("{agentpool: $unknown}"), to25},
		{"a class with an unknown selector", class("$unknown"), to25},
		{"a class with a secret label", class("{agentpool: $secret-win22}"), to25},
		{"a secret class and its pods", class("{"+strings.Replace(build, ": ", ": $secret-", 1)+"}") + uses, to25},
		{
			"an ignored class", strings.Replace(class("{agentpool: win22}"), "name: iis", "name: iis, annotations: "+
				"{mixedkube.dev/ignore: MK418}", 1), to25,
		},

		{"a class that the plan does not list", uses, lists(having(to25, iis))},
		{"a class that neither lists", uses, lists(having(to25))},
		{"a class that only the plan lists", uses, lists(to25, iis)},
		{"a class that is not known now and not in the plan", uses, lists(to25)},
		{"a class that the objects have", class("{kubernetes.io/os: windows}") + uses, lists(having(to25))},
		{"a class that the plan changes to the new pool", uses, lists(having(to25, only22), only25)},
		{"a class that the plan does not change", uses, having(to25, only22)},
		{
			"a class that the plan changes to a pool that goes",
			uses,
			lists(having(planned(mixed(win22, win25), mixed(win25)), only25), only22),
		},
		{"an unknown class", strings.Replace(uses, "iis", "$unknown", 1), lists(having(to25))},
		{"a secret class", strings.Replace(uses, "iis", "$secret-iis", 1), lists(having(to25, iis))},

		{
			"a volume of a build, and its pods",
			volume("{key: node.kubernetes.io/windows-build, operator: In, values: ['10.0.20348']}") + mountsDisk,
			to25,
		},
		{"a volume of a pool", volume("{key: agentpool, operator: In, values: [win22]}"), to25},
		{"a volume of two pools", volume("{key: agentpool, operator: In, values: [win22, win25]}"), to25},
		{
			"a volume of a zone",
			volume("{key: topology.kubernetes.io/zone, operator: In, values: [a]}"),
			planned(zoned("a", mixed(win22)), zoned("b", mixed(win22))),
		},
		{
			"a volume of a zone that is not known",
			volume("{key: topology.kubernetes.io/zone, operator: In, values: [a]}"),
			to25,
		},
		{"a volume of a node", volume("{key: kubernetes.io/hostname, operator: In, values: [akswin22000001]}"), to25},
		{
			"a volume of a node that stays",
			volume("{key: kubernetes.io/hostname, operator: In, values: [aks-sys-12345678-vmss000001]}"),
			to25,
		},
		{"a volume of another node", volume("{key: kubernetes.io/hostname, operator: In, values: [node-1]}"), to25},
		{
			"a volume of a secret node",
			volume("{key: kubernetes.io/hostname, operator: In, values: [$secret-akswin22000001]}"),
			to25,
		},
		{"a volume of an unknown node", volume("{key: kubernetes.io/hostname, operator: In, values: " +
			"[$unknown]}"), to25},
		{"a volume without an affinity", "{kind: PersistentVolume, metadata: {name: disk}, spec: {}}", to25},
		{"an unknown affinity", "{kind: PersistentVolume, metadata: {name: disk}, spec: {nodeAffinity: " +
			"$unknown}}", to25},

		{"allowed topologies", storage("[{matchLabelExpressions: [{key: agentpool, values: [win22]}]}]"), to25},
		{
			"allowed topologies with an alternative",
			storage("[{matchLabelExpressions: [{key: agentpool, values: [win22]}]}, {matchLabelExpressions: [{key: " +
				"kubernetes.io/os, values: [windows]}]}]"),
			to25,
		},
		{
			"allowed zones",
			storage("[{matchLabelExpressions: [{key: topology.kubernetes.io/zone, values: [a]}]}]"),
			planned(zoned("a", mixed(win22)), zoned("b", mixed(win22))),
		},
		{"unknown topologies", storage("$unknown"), to25},
		{"an unknown topology", storage("[$unknown]"), to25},
		{"unknown expressions", storage("[{matchLabelExpressions: $unknown}]"), to25},
		{"an unknown key", storage("[{matchLabelExpressions: [{key: $unknown, values: [win22]}]}]"), to25},
		{"a secret value", storage("[{matchLabelExpressions: [{key: agentpool, values: [$secret-win22]}]}]"), to25},
		{"no topologies", storage("[]"), to25},
	})
}

// The topology lists RuntimeClasses that no object is: they are judged as objects are.
func TestStrandedClassesOfTheTopology(t *testing.T) {
	t.Parallel()
	const (
		on22 = `nodeSelector[agentpool]: "win22": the class selects win22 (2 nodes), but selects no pool of the ` +
			`plan, which removes win22: not win25 (selects agentpool=win22, but its nodes have win25), nor sys (its ` +
			`nodes run Linux)`
		fix     = `: delete the class when no pods name it, or select agentpool=win25 (MK418)`
		dropped = `warning to.runtimeClasses: "iis": is a class of the topology, and not among the runtimeClasses of ` +
			`the plan: the API server will refuse pods that name it: add it to the plan, or delete the class when no ` +
			`pods name it (MK418)`
		object = "{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: NAME}, handler: a}"
	)
	class := func(name, pool string) topology.RuntimeClass {
		return topology.RuntimeClass{Name: name, NodeSelector: map[string]string{"agentpool": pool}}
	}
	to25 := planned(mixed(win22), mixed(win25))
	lists := func(options preflight.Options, classes ...topology.RuntimeClass) preflight.Options {
		options.To.RuntimeClasses = append([]topology.RuntimeClass{}, classes...)
		return options
	}
	of22, of25 := having(to25, class("kata", "sys"), class("iis", "win22")), class("iis", "win25")
	for name, tt := range map[string]struct {
		options preflight.Options
		objects string
		want    []string
	}{
		"the plan lists none": {of22, "", []string{"error runtimeClasses[1]." + on22 + fix}},
		"the plan has it unchanged": {
			lists(of22, class("iis", "win22"), class("kata", "sys")), "",
			[]string{"error to.runtimeClasses[0]." + on22 + fix},
		},
		"the plan changes it":       {lists(of22, class("kata", "sys"), of25), "", nil},
		"the plan does not list it": {lists(of22, class("kata", "sys")), "", []string{dropped}},
		"no pods can use it": {
			lists(having(to25, class("iis", "win19"))), "", nil,
		},
		"the plan changes it to a pool that goes": {
			lists(having(planned(mixed(win22, win25), mixed(win25)), of25), class("iis", "win22")), "",
			[]string{
				`error to.runtimeClasses[0].nodeSelector[agentpool]: "win22": the class selects win25 (2 nodes), but ` +
					`selects no pool of the plan: not win25 (selects agentpool=win22, but its nodes have win25), nor ` +
					`sys (its nodes run Linux)` + fix,
			},
		},
		"the plan is partial": {
			planned(having(mixed(win22), class("iis", "win22")), partial(mixed(win25))), "",
			[]string{"warning runtimeClasses[0]." + on22 + "; the plan is partial, and may have another pool" + fix},
		},
		"the objects have it": {of22, strings.Replace(object, "NAME", "iis", 1), nil},
		"the objects have another": {
			of22, strings.Replace(object, "NAME", "gvisor", 1), []string{"error runtimeClasses[1]." + on22 + fix},
		},
		"the objects may have it":      {of22, strings.Replace(object, "NAME", "$unknown", 1), nil},
		"no plan":                      {having(mixed(win22), class("iis", "win22")), "", nil},
		"the classes are not known":    {lists(to25, of25), "", nil},
		"a class that selects no node": {having(to25, topology.RuntimeClass{Name: "iis"}), "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var objects []*pods.Object
			if tt.objects != "" {
				objects = append(objects, pods.ReadObject(fromYAML(t, tt.objects)[0]))
			}
			var got []string
			for _, f := range preflight.New(tt.options).CheckClasses(objects) {
				got = append(got, string(f.Severity)+" "+f.String())
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
