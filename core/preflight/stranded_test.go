package preflight_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

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

// All findings are in one golden file. Without a plan, and with a plan in which nothing changes, there are none.
func TestStranded(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for _, tt := range slices.Concat(
		strandedImages(), strandedPins(), strandedPools(), strandedNames(), strandedObjects(),
	) {
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
	golden.Equal(t, "testdata/stranded.golden", text.String())
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
			diffFindings(t, []string{"0 error " + kind[1] + ".nodeSelector[agentpool]: … (MK319)"}, got)
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

// withSpec returns a Pod.
func withSpec(spec string) string { return "{kind: Pod, spec: {" + spec + "}}" }

// tolerant returns a Pod that tolerates each taint and has an image that does not name its release.
func tolerant(spec string) string {
	return withSpec(anyTaint + spec + ", " + ofShop)
}

// requiring returns an affinity for nodes that match one of the terms, each of matchExpressions or matchFields.
func requiring(terms string) string {
	return "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [" + terms +
		"]}}}"
}

// in returns a term for nodes.
func in(list, key, values string) string {
	return "{" + list + ": [{key: " + key + ", operator: In, values: [" + values + "]}]}"
}

const (
	anyTaint = "tolerations: [{operator: Exists}], "
	ofShop   = "containers: [{name: a, image: 'shop.example.com/shop:1.4'}]"
	windows  = "nodeSelector: {kubernetes.io/os: windows}"
	pinned22 = "nodeSelector: {agentpool: win22}"
	sku2022  = "nodeSelector: {kubernetes.azure.com/os-sku: Windows2022}"
)

// replacing22 returns options of a cluster with Windows Server 2022 and its plan.
func replacing22(plan preflight.Options) preflight.Options { return planned(mixed(win22), plan) }

// lastPool returns options whose last pool is changed.
func lastPool(o preflight.Options, change func(*topology.Pool)) preflight.Options {
	o.Topology.Pools = slices.Clone(o.Topology.Pools)
	change(&o.Topology.Pools[len(o.Topology.Pools)-1])
	return o
}

func withLabel(o preflight.Options, key, value string) preflight.Options {
	return lastPool(o, func(p *topology.Pool) { p.Labels = map[string]string{key: value} })
}

func sized(size string) preflight.Options {
	return lastPool(mixed(win22), func(p *topology.Pool) { p.Size = size })
}

// renamed returns a plan with the name of today's pool for another release.
func renamed() preflight.Options {
	return lastPool(mixed(win25), func(p *topology.Pool) { p.Name = "win22" })
}

func strandedImages() []strandedCase {
	runsOlder := replacing22(mixed(win25))
	runsOlder.To.Matching = platform.Relaxed
	image := func(image string) string {
		return withSpec(anyTaint + windows + ", containers: [{name: a, image: '" + image + "'}]")
	}
	const own = "shop.example.com/shop:ltsc2022"
	to25 := replacing22(mixed(win25))
	return []strandedCase{
		{"an image", image(own), to25},
		{"a published image", image("mcr.microsoft.com/windows/servercore:ltsc2022"), to25},
		{"an image on a relaxed plan", image(own), relaxed(to25)},
		{"an image on a plan with its own matching", image(own), runsOlder},
		{"an image of 2019 on 2025", image("shop.example.com/shop:ltsc2019"), planned(mixed(win19), mixed(win25))},
		{
			"a RuntimeClass of a platform",
			withSpec("runtimeClassName: windows-2022, containers: [{name: a, image: '" + own + "'}]"), to25,
		},
		{
			"only a word of the tag",
			withSpec(anyTaint + "containers: [{name: a, image: 'shop.example.com/shop:1.4-windows-ltsc2022'}]"), to25,
		},
		{
			"two images",
			withSpec(anyTaint + windows + ", containers: [{name: a, image: 'shop.example.com/a:ltsc2022'}, {name: b, " +
				"image: 'mcr.microsoft.com/windows/nanoserver:ltsc2022'}]"), to25,
		},
		{
			"host process",
			withSpec(anyTaint + windows + ", hostNetwork: true, securityContext: {windowsOptions: {hostProcess: " +
				"true, runAsUserName: 'NT AUTHORITY\\SYSTEM'}}, containers: [{name: a, image: '" + own + "'}]"), to25,
		},
		{"an unknown image", image("$unknown"), to25},
		{
			"an unknown selector beside an image",
			withSpec(anyTaint + "nodeSelector: $unknown, containers: [{name: a, image: '" + own + "'}]"), to25,
		},
		{"a secret image", image("$secret-shop.example.com/a:ltsc2022"), to25},
	}
}

func strandedPins() []strandedCase {
	const build, sku = "nodeSelector: {node.kubernetes.io/windows-build: 10.0.20348}", "kubernetes.azure.com/os-sku"
	to25, web := replacing22(mixed(win25)), withLabel(mixed(win22), "tier", "web")
	large, small := sized("Standard_D8s_v5"), sized("Standard_D4s_v5")
	expressions := func(all string) string { return requiring("{matchExpressions: [" + all + "]}") }
	const isWindows = "{key: kubernetes.io/os, operator: In, values: [windows]}"
	return []strandedCase{
		{"a build on a relaxed plan", tolerant(build), relaxed(to25)},
		{"the osSKU", tolerant(sku2022), to25},
		{
			"an affinity", tolerant(expressions(isWindows +
				", {key: kubernetes.azure.com/agentpool, operator: In, values: [win22]}")), to25,
		},
		{"an affinity for several", tolerant(requiring(in("matchExpressions", sku, "Windows2019, Windows2022"))), to25},
		{
			"an affinity with an alternative that stays",
			tolerant(requiring(in("matchExpressions", "agentpool", "win22") + ", {matchExpressions: [" + isWindows +
				"]}")), to25,
		},
		{
			"an affinity against the new pool",
			tolerant(expressions(isWindows + ", {key: agentpool, operator: NotIn, values: [win25]}")), to25,
		},
		{
			"a preference",
			tolerant(windows + ", affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{" +
				"weight: 1, preference: " + in("matchExpressions", "agentpool", "win22") + "}]}}"), to25,
		},
		{"a pool that changes its platform", tolerant(sku2022), replacing22(renamed())},
		{"the name of a pool that changes its platform", tolerant(pinned22), replacing22(renamed())},
		{"a label that the plan does not list", tolerant("nodeSelector: {tier: web}"), planned(web, mixed(win22))},
		{
			"a label with another value", tolerant("nodeSelector: {tier: web}"),
			planned(web, withLabel(mixed(win22), "tier", "db")),
		},
		{"a label that no pool lists", tolerant("nodeSelector: {kubernetes.io/os: windows, tier: web}"), to25},
		{
			"an instance type",
			tolerant("nodeSelector: {kubernetes.io/os: windows, node.kubernetes.io/instance-type: Standard_D8s_v5}"),
			planned(large, small),
		},
		{
			"labels of the pool, and another size", tolerant("nodeSelector: {tier: web}"),
			planned(withLabel(large, "tier", "web"), small),
		},
		{"an unknown pin", tolerant("nodeSelector: {agentpool: $unknown}"), to25},
		{"an unknown affinity", tolerant("affinity: $unknown, " + windows), to25},
		{"a secret pin", tolerant("nodeSelector: {agentpool: $secret-win22}"), to25},
		{"a secret build", tolerant(strings.Replace(build, "10.0", "$secret-10.0", 1)), to25},
	}
}

// strandedPools returns cases of nodes that differ in taints, sizes and numbers.
func strandedPools() []strandedCase {
	to25, many := replacing22(mixed(win25)), mixed(win25)
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		many.Topology.Pools = append(many.Topology.Pools, topology.Pool{Name: name, Platform: win25})
	}
	reporting := func(memory string, o preflight.Options) preflight.Options {
		return lastPool(o, func(p *topology.Pool) {
			p.Reported.Capacity = corev1.ResourceList{
				corev1.ResourceCPU: resource.MustParse("8"), corev1.ResourceMemory: resource.MustParse(memory),
			}
		})
	}
	tainted := lastPool(mixed(win22), func(p *topology.Pool) {
		p.Taints = append(p.Taints, topology.WindowsTaint())
		p.Taints[0].Value = "iis"
	})
	requests := func(what string) string {
		return withSpec(anyTaint + windows + ", containers: [{name: a, image: 'shop.example.com/shop:1.4', " +
			"resources: {requests: {" + what + "}}}]")
	}
	less := reporting("32Gi", mixed(win22))
	return []strandedCase{
		{"many pools", tolerant(pinned22), replacing22(many)},
		{
			"a taint", strings.Replace(tolerant(windows), "operator: Exists", "key: os, value: windows", 1),
			replacing22(tainted),
		},
		{"a size", requests("cpu: 6"), planned(sized("Standard_D8s_v5"), sized("Standard_D4s_v5"))},
		{
			"less memory, and labels of AKS that the plan does not list", requests("memory: 40Gi"),
			planned(reporting("64Gi", withLabel(mixed(win22), "kubernetes.azure.com/storagetier", "a")), less),
		},
		{
			"less memory, and a label that other pods select", requests("memory: 40Gi"),
			planned(reporting("64Gi", withLabel(mixed(win22), "tier", "web")), less),
		},
		{
			"a pool for certain, and one perhaps",
			tolerant(requiring(in("matchExpressions", "agentpool", "win19") + ", " +
				in("matchFields", "metadata.name", "akswin22000001"))), planned(mixed(win19, win22), mixed(win25)),
		},
		{"no Windows pool", tolerant(windows), replacing22(mixed())},
		{"Linux pods stay", withSpec("nodeSelector: {kubernetes.io/os: linux}, " + ofShop), to25},
		{"pods that fit no pool now", withSpec(windows + ", " + ofShop), to25},
		{
			"several pools", tolerant(windows + ", " + requiring(strings.Replace(in("matchExpressions",
				"kubernetes.azure.com/os-sku", "Windows2025"), "In", "NotIn", 1))),
			planned(mixed(win19, win22), mixed(win25)),
		},
		{"a partial plan", tolerant(pinned22), replacing22(partial(mixed(win25)))},
		{"a partial cluster", tolerant(pinned22), partial(to25)},
		{
			"the class of a platform, with a partial plan",
			withSpec("runtimeClassName: windows-2022, " + ofShop),
			replacing22(partial(mixed(win25))),
		},
		{
			"an ignored rule", strings.Replace(tolerant(pinned22), "spec:",
				"metadata: {annotations: {mixedkube.dev/ignore: MK319}}, spec:", 1), to25,
		},
	}
}

// A node whose name does not show its pool may be one of a pool that the plan removes.
func strandedNames() []strandedCase {
	to25, changed := planned(mixed(win22, win25), mixed(win25)), replacing22(renamed())
	large, small := sized("Standard_D8s_v5"), sized("Standard_D4s_v5")
	eks := to25
	eks.Topology.Cloud, eks.To.Cloud = topology.EKS, topology.EKS
	pod := func(spec string) string { return withSpec(spec + ofShop) }
	onHost := func(host string) string {
		return anyTaint + "nodeSelector: {kubernetes.io/os: windows, kubernetes.io/hostname: " + host + "}, "
	}
	const tolerate = anyTaint + windows + ", "
	inTerm := func(list, key, values string) string { return requiring(in(list, key, values)) + ", " }
	return []strandedCase{
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
			pod(tolerate + requiring(in("matchFields", "metadata.name", "node-1")+", "+
				in("matchExpressions", "kubernetes.io/os", "windows")) + ", "), to25,
		},
		{
			"all nodes but one",
			pod(tolerate + strings.Replace(inTerm("matchFields", "metadata.name", "akswin22000001"), "In", "NotIn", 1)),
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
		{"an unknown name, and a label", pod("nodeName: $unknown, nodeSelector: {agentpool: win22}, "), to25},
	}
}

// planLists returns options whose plan has these RuntimeClasses.
func planLists(options preflight.Options, classes ...topology.RuntimeClass) preflight.Options {
	options.To.RuntimeClasses = append([]topology.RuntimeClass{}, classes...)
	return options
}

func strandedObjects() []strandedCase {
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
	volume := func(key, values string) string {
		return "{kind: PersistentVolume, metadata: {name: disk}, spec: {claimRef: {namespace: shop, name: data}, " +
			"nodeAffinity: {required: {nodeSelectorTerms: [" + in("matchExpressions", key, values) + "]}}}}\n---\n"
	}
	storage := func(terms string) string {
		return "{kind: StorageClass, metadata: {name: local}, provisioner: example.com/disk, allowedTopologies: " +
			terms + "}\n---\n"
	}
	allowed := func(key, value string) string {
		return "{matchLabelExpressions: [{key: " + key + ", values: [" + value + "]}]}"
	}
	const hostname, zone = "kubernetes.io/hostname", "topology.kubernetes.io/zone"
	const mountsDisk = "{kind: Pod, metadata: {name: shop, namespace: shop}, spec: {tolerations: [{operator: " +
		"Exists}], containers: [{name: a, image: shop.example.com/shop:1.4}], volumes: [{name: data, " +
		"persistentVolumeClaim: {claimName: data}}]}}"
	zoned := func(name string, options preflight.Options) preflight.Options {
		for i := range options.Topology.Pools {
			options.Topology.Pools[i].Labels = map[string]string{zone: name}
		}
		return options
	}
	otherZone := planned(zoned("a", mixed(win22)), zoned("b", mixed(win22)))
	iis := topology.RuntimeClass{Name: "iis", Handler: "runhcs-wcow-process"}
	on := func(selector map[string]string) topology.RuntimeClass {
		class := iis
		class.NodeSelector = selector
		class.Tolerations = []topology.Toleration{{Operator: "Exists"}}
		return class
	}
	only22 := on(map[string]string{"agentpool": "win22"})
	only25 := on(map[string]string{"agentpool": "win25"})
	return []strandedCase{
		{"a class for a build, and its pods", class("{kubernetes.io/os: windows, "+build+"}") + uses, to25},
		{"a class for a pool", class("{agentpool: win22}"), to25},
		{"a class for Windows", class("{kubernetes.io/os: windows}") + uses, to25},
		{"a class for Windows, and no Windows pool", class("{kubernetes.io/os: windows}"), replacing22(mixed())},
		{"a class without a selector", class("{}"), to25},
		{"a class for no pool now", class("{agentpool: win19}"), to25},
		{"a class in a partial plan", class("{agentpool: win22}"), replacing22(partial(mixed(win25)))},
		{"a class with an unknown label", class("{agentpool: $unknown}"), to25},
		{"a class with an unknown selector", class("$unknown"), to25},
		{"a class with a secret label", class("{agentpool: $secret-win22}"), to25},
		{"a secret class and its pods", class("{"+strings.Replace(build, ": ", ": $secret-", 1)+"}") + uses, to25},
		{
			"an ignored class", strings.Replace(class("{agentpool: win22}"), "name: iis", "name: iis, annotations: "+
				"{mixedkube.dev/ignore: MK418}", 1), to25,
		},
		{"a class that the plan does not list", uses, planLists(having(to25, iis))},
		{"a class that neither lists", uses, planLists(having(to25))},
		{"a class that only the plan lists", uses, planLists(to25, iis)},
		{"a class that is not known now and not in the plan", uses, planLists(to25)},
		{"a class that the objects have", class("{kubernetes.io/os: windows}") + uses, planLists(having(to25))},
		{"a class that the plan changes to the new pool", uses, planLists(having(to25, only22), only25)},
		{"a class that the plan does not change", uses, having(to25, only22)},
		{
			"a class that the plan changes to a pool that goes",
			uses,
			planLists(having(planned(mixed(win22, win25), mixed(win25)), only25), only22),
		},
		{"an unknown class", strings.Replace(uses, "iis", "$unknown", 1), planLists(having(to25))},
		{"a secret class", strings.Replace(uses, "iis", "$secret-iis", 1), planLists(having(to25, iis))},
		{
			"a volume of a build, and its pods",
			volume("node.kubernetes.io/windows-build", "'10.0.20348'") + mountsDisk,
			to25,
		},
		{"a volume of a pool", volume("agentpool", "win22"), to25},
		{"a volume of two pools", volume("agentpool", "win22, win25"), to25},
		{"a volume of a zone", volume(zone, "a"), otherZone},
		{"a volume of a zone that is not known", volume(zone, "a"), to25},
		{"a volume of a node", volume(hostname, "akswin22000001"), to25},
		{"a volume of a node that stays", volume(hostname, "aks-sys-12345678-vmss000001"), to25},
		{"a volume of another node", volume(hostname, "node-1"), to25},
		{"a volume of a secret node", volume(hostname, "$secret-akswin22000001"), to25},
		{"a volume of an unknown node", volume(hostname, "$unknown"), to25},
		{"a volume without an affinity", "{kind: PersistentVolume, metadata: {name: disk}, spec: {}}", to25},
		{"an unknown affinity", "{kind: PersistentVolume, metadata: {name: disk}, spec: {nodeAffinity: " +
			"$unknown}}", to25},
		{"allowed topologies", storage("[" + allowed("agentpool", "win22") + "]"), to25},
		{
			"allowed topologies with an alternative",
			storage("[" + allowed("agentpool", "win22") + ", " + allowed("kubernetes.io/os", "windows") + "]"),
			to25,
		},
		{"allowed zones", storage("[" + allowed(zone, "a") + "]"), otherZone},
		{"unknown topologies", storage("$unknown"), to25},
		{"an unknown topology", storage("[$unknown]"), to25},
		{"unknown expressions", storage("[{matchLabelExpressions: $unknown}]"), to25},
		{"an unknown key", storage("[" + allowed("$unknown", "win22") + "]"), to25},
		{"a secret value", storage("[" + allowed("agentpool", "$secret-win22") + "]"), to25},
		{"no topologies", storage("[]"), to25},
	}
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
	of22, of25 := having(to25, class("kata", "sys"), class("iis", "win22")), class("iis", "win25")
	for name, tt := range map[string]struct {
		options preflight.Options
		objects string
		want    []string
	}{
		"the plan lists none": {of22, "", []string{"error runtimeClasses[1]." + on22 + fix}},
		"the plan has it unchanged": {
			planLists(of22, class("iis", "win22"), class("kata", "sys")), "",
			[]string{"error to.runtimeClasses[0]." + on22 + fix},
		},
		"the plan changes it":       {planLists(of22, class("kata", "sys"), of25), "", nil},
		"the plan does not list it": {planLists(of22, class("kata", "sys")), "", []string{dropped}},
		"no pods can use it":        {planLists(having(to25, class("iis", "win19"))), "", nil},
		"the plan changes it to a pool that goes": {
			planLists(having(planned(mixed(win22, win25), mixed(win25)), of25), class("iis", "win22")), "",
			[]string{`error to.runtimeClasses[0].nodeSelector[agentpool]: "win22": the class selects win25 (2 ` +
				`nodes), but selects no pool of the plan: not win25 (selects agentpool=win22, but its nodes have ` +
				`win25), nor sys (its nodes run Linux)` + fix},
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
		"the classes are not known":    {planLists(to25, of25), "", nil},
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
			diffFindings(t, tt.want, got)
		})
	}
}
