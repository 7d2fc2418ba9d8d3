package preflight_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
)

const (
	win19, win22, win25 = platform.WindowsServer2019, platform.WindowsServer2022, platform.WindowsServer2025

	tolerates  = "tolerations: [{key: os, operator: Equal, value: windows, effect: NoSchedule}]\n"
	anyImage   = "containers: [{name: shop, image: shop.example.com/shop:1.4}]\n"
	linuxImage = "containers: [{name: shop, image: 'nginx:1.27-alpine'}]\n"
	image2022  = "containers: [{name: shop, image: 'mcr.microsoft.com/windows/servercore:ltsc2022'}]\n"
	offLinux   = `: select kubernetes.io/os=windows`
	fitsNone   = "error spec: … (MK303)" // where another case has the sentence
)

func TestWindowsPodsOnLinuxNodes(t *testing.T) {
	t.Parallel()
	may := []string{`warning spec.nodeSelector: nothing keeps these Windows pods off Linux nodes` + offLinux +
		`, or name a RuntimeClass (MK302)`}
	can := []string{`error spec.nodeSelector: nothing keeps these Windows pods off the Linux pool sys` + offLinux +
		` (MK301)`}
	two := mixed(win22)
	two.Topology.Pools = append(two.Topology.Pools, topology.Pool{Name: "apps", Platform: platform.Linux},
		topology.Pool{Name: "gpu", Platform: platform.Linux})
	closed := mixed(win22)
	closed.Topology.Pools[0].Taints = []corev1.Taint{{Key: "CriticalAddonsOnly", Value: "true", Effect: "NoSchedule"}}
	runPodCases(t, []podCase{
		{name: "os.name leads nowhere", spec: "os: {name: windows}\n" + anyImage, want: may},
		{name: "nor does an image", spec: image2022, want: may},
		{
			name: "nor an architecture",
			spec: "os: {name: windows}\nnodeSelector: {kubernetes.io/arch: amd64}\n" + anyImage, want: may,
		},
		{
			name: "nor a zone", spec: "os: {name: windows}\nnodeSelector: {topology.kubernetes.io/zone: a}\n" +
				anyImage, want: may,
		},
		{
			name: "nor a label whose domain is forgotten",
			spec: "os: {name: windows}\nnodeSelector: {os: windows}\n" + anyImage,
			want: []string{`warning spec.nodeSelector: nothing keeps these Windows pods off Linux nodes: nodes have ` +
				`no label os unless it was added` + offLinux + `, or name a RuntimeClass (MK302)`},
		},
		{
			name: "nor one of several terms of an affinity",
			spec: "os: {name: windows}\n" + anyImage +
				"affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: " +
				"[{matchExpressions: [{key: pool, operator: Exists}]}, {matchExpressions: [{key: " +
				"topology.kubernetes.io/zone, operator: Exists}]}]}}}\n",
			want: may,
		},
		{
			name: "a term that is not known may",
			spec: "os: {name: windows}\n" + anyImage + "affinity: {nodeAffinity: " +
				"{requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [$unknown, {matchExpressions: " +
				"[{key: $unknown, operator: Exists}]}, {matchExpressions: $unknown}]}}}\n",
		},
		{name: "nor what the caller says", spec: anyImage, options: preflight.Options{Platform: win22}, want: may},
		{
			name: "nor a preference",
			spec: "os: {name: windows}\naffinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: " +
				"[{weight: 1, preference: {matchExpressions: [{key: kubernetes.io/os, operator: In, values: " +
				"[windows]}]}}]}}\n" + anyImage, want: may,
		},
		{name: "a node selector does", spec: onWindows + anyImage},
		{name: "another label may", spec: "os: {name: windows}\nnodeSelector: {agentpool: win22}\n" + anyImage},
		{name: "a RuntimeClass may", spec: "os: {name: windows}\nruntimeClassName: iis\n" + anyImage},
		{name: "a node name does", spec: "os: {name: windows}\nnodeName: win-1\n" + anyImage},
		{name: "a selector that is not known may", spec: "os: {name: windows}\nnodeSelector: $unknown\n" + anyImage},
		{
			name: "an affinity that is not known may",
			spec: "os: {name: windows}\naffinity: {nodeAffinity: $unknown}\n" + anyImage,
		},
		{
			name: "terms that are not known may",
			spec: "os: {name: windows}\naffinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: " +
				"{nodeSelectorTerms: $unknown}}}\n" + anyImage,
		},
		{
			name: "a required affinity may",
			spec: "os: {name: windows}\naffinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: " +
				"{nodeSelectorTerms: [{matchExpressions: [{key: pool, operator: Exists}]}]}}}\n" + anyImage,
		},
		{name: "Linux pods are not Windows pods", spec: "os: {name: linux}\n" + anyImage},
		{name: "neither are unknown pods", spec: anyImage},

		{name: "on a topology", spec: "os: {name: windows}\n" + tolerates + anyImage, options: mixed(win22), want: can},
		{name: "by its image", spec: image2022, options: mixed(win22), want: can},
		{
			name: "on several pools", spec: "os: {name: windows}\n" + anyImage, options: two,
			want: []string{`error spec.nodeSelector: nothing keeps these Windows pods off the Linux pools sys, apps ` +
				`and gpu` + offLinux + ` (MK301)`},
		},
		{
			name: "taints of all Linux pools keep them off", spec: "os: {name: windows}\n" + tolerates + anyImage,
			options: closed,
		},
		{name: "a selector keeps them off", spec: onWindows + tolerates + anyImage, options: mixed(win22)},
		{
			name: "the RuntimeClass of a platform keeps them off, and tolerates",
			spec: "runtimeClassName: windows-2022\n" + anyImage, options: mixed(win22),
		},
		{
			name: "one that is not known may", spec: "os: {name: windows}\nruntimeClassName: iis\n" + anyImage,
			options: mixed(win22),
		},
		{
			name: "one of a platform that a partial topology does not have may as well",
			spec: "runtimeClassName: windows-2019\n" + anyImage, options: partial(mixed(win22)),
		},
		{name: "unknown pods may be for Linux", spec: anyImage, options: mixed(win22)},
	})
}

func TestPodsThatMayBeForWindows(t *testing.T) {
	t.Parallel()
	const (
		named   = "containers: [{name: shop, image: shop.example.com/shop}, {name: iis, image: shop/iis-windows}]\n"
		unknown = `: mentions Windows, but nothing says what the pods are for or keeps them off Linux nodes: select ` +
			`kubernetes.io/os=windows, or kubernetes.io/os=linux if the image is for Linux (MK302)`
	)
	want := []string{`warning spec.containers[1].image: "shop/iis-windows"` + unknown}
	closed := mixed(win22)
	closed.Topology.Pools[0].Taints = []corev1.Taint{{Key: "CriticalAddonsOnly", Value: "true", Effect: "NoSchedule"}}
	runPodCases(t, []podCase{
		{name: "by the name of an image", spec: named, want: want},
		{
			name: "in a DaemonSet", kind: "DaemonSet", spec: named,
			want: []string{`warning spec.template.` + strings.TrimPrefix(want[0], "warning ")},
		},
		{name: "on a topology", spec: named, options: mixed(win22), want: want},
		{name: "that land on no Linux pool", spec: named + tolerates, options: closed},
		{
			name: "an architecture keeps them off nothing", spec: named + "nodeSelector: {kubernetes.io/arch: amd64}",
			want: want,
		},
		{name: "a node selector says it", spec: named + "nodeSelector: {kubernetes.io/os: linux}"},
		{name: "another one may", spec: named + "nodeSelector: {team: web}"},
		{name: "on a topology too", spec: named + "nodeSelector: {kubernetes.io/os: linux}", options: mixed(win22)},
		{name: "a selector that is not known may", spec: named + "nodeSelector: $unknown"},
		{name: "a node says it", spec: named + "nodeName: a"},
		{name: "a RuntimeClass may say it", spec: named + "runtimeClassName: sql"},
		{name: "os.name says it", spec: named + "os: {name: linux}"},
		{name: "os.name that is not known may", spec: named + "os: $unknown"},
		{
			name: "another image says it",
			spec: "containers: [{name: shop, image: 'nginx:1.27-alpine'}, {name: iis, image: shop/iis-windows}]",
		},
		{name: "the given platform says it", spec: named, options: preflight.Options{Platform: platform.Linux}},
	})
	annotated := inSpec(t, "Deployment", named)
	annotated["metadata"] = map[string]any{"annotations": map[string]any{preflight.PlatformAnnotation: "linux"}}
	wantFindings(t, annotated, preflight.Options{}, "MK302")
	secret := inSpec(t, "Pod", "containers: [{name: iis, image: '$secret-shop/iis-windows'}]")
	wantFindings(t, secret, preflight.Options{}, "MK302",
		`spec.containers[0].image: [secret]`+unknown)
}

func TestLinuxPodsOnWindowsNodes(t *testing.T) {
	t.Parallel()
	can := []string{`error spec.nodeSelector: nothing keeps these Linux pods off the Windows pool win22: select ` +
		`kubernetes.io/os=linux, or give the pool a taint (MK304)`}
	runPodCases(t, []podCase{
		{name: "a pool without a taint, by the image", spec: linuxImage, options: open(), want: can},
		{name: "by os.name", spec: "os: {name: linux}\n" + anyImage, options: open(), want: can},
		{
			name: "a toleration of everything", spec: "tolerations: [{operator: Exists}]\n" + linuxImage,
			options: mixed(win22), want: can,
		},
		{name: "the taint keeps them off", spec: linuxImage, options: mixed(win22)},
		{
			name: "the selector keeps them off", spec: "nodeSelector: {kubernetes.io/os: linux}\n" + linuxImage,
			options: open(),
		},
		{
			name: "unknown pods", spec: anyImage, options: open(),
			want: []string{"warning spec.nodeSelector: these pods can land on pool sys and on pool win22, and " +
				"nothing says which operating system they are for: select kubernetes.io/os=linux or " +
				"kubernetes.io/os=windows (MK314)"},
		},
		{
			name: "pods that name both systems", options: open(),
			spec: "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [" +
				"{matchExpressions: [{key: kubernetes.io/os, operator: In, values: [linux, " +
				"windows]}]}]}}}\n" + anyImage,
		},
		{
			name: "pods that name each system in a term", options: open(),
			spec: "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [" +
				"{matchExpressions: [{key: kubernetes.io/os, operator: In, values: [linux]}]}, " +
				"{matchExpressions: [{key: kubernetes.io/os, operator: In, values: [windows]}]}]}}}\n" + anyImage,
		},
		{
			name: "unknown pods with a partly known selector",
			spec: "nodeSelector: {pool: a}\n" + anyImage, options: labeled(win22),
		},
		{
			name: "pods that may be for Windows, which is reported already",
			spec: "containers: [{name: a, image: shop.example.com/windows-shop}]\n", options: open(), want: []string{
				`warning spec.containers[0].image: "shop.example.com/windows-shop": mentions Windows, but nothing ` +
					`says what the pods are for or keeps them off Linux nodes: select kubernetes.io/os=windows, or ` +
					`kubernetes.io/os=linux if the image is for Linux (MK302)`,
			},
		},
		{
			name: "what they tolerate is not known", spec: "tolerations: [$unknown]\n" + linuxImage,
			options: mixed(win22),
		},
	})
}

func TestPodsThatFitNoPool(t *testing.T) {
	t.Parallel()
	affinityFor := func(expression string) string {
		return "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: " +
			"[{matchExpressions: [" + expression + "]}]}}}\n"
	}
	sized := mixed(win22)
	sized.Topology.Pools[1].Size = "Standard_D4s_v5"
	const nearest = `error spec: fits no pool of the topology; the nearest is win22 `
	runPodCases(t, []podCase{
		{name: "a taint", spec: onWindows + anyImage, options: mixed(win22), want: []string{fitsNone}},
		{
			name: "a build", spec: on2022 + tolerates + anyImage, options: mixed(win25),
			want: []string{`error spec: fits no pool of the topology; the nearest is win25 (needs build 10.0.20348 ` +
				`(Windows Server 2022), but its nodes have 10.0.26100 (Windows Server 2025)): select ` +
				`node.kubernetes.io/windows-build=10.0.26100 (MK303)`},
		},
		{
			name: "a request", spec: onWindows + tolerates + "containers: [{name: a, image: a, resources: {limits: " +
				"{cpu: 3}}}, {name: b, image: b, resources: {requests: {cpu: 2}}}]", options: sized,
			want: []string{nearest + `(requests 5 CPUs, a node of Standard_D4s_v5 has 4): request at most 4 CPUs, or ` +
				`use larger nodes (MK303)`},
		},
		{
			name: "init containers run one after the other",
			spec: onWindows + tolerates + "initContainers: [{name: a, image: a, resources: {requests: {cpu: 3}}}, " +
				"{name: b, image: b, resources: {requests: {cpu: 3}}}]\n" + anyImage, options: sized,
		},
		{
			name: "unless they continue to run",
			spec: onWindows + tolerates +
				"initContainers: [{name: a, image: a, restartPolicy: Always, resources: {requests: {cpu: 3}}}, " +
				"{name: b, image: b, resources: {requests: {cpu: 3}}}]\n" + anyImage, options: sized,
			want: []string{nearest + `(requests 6 CPUs, a node of Standard_D4s_v5 has 4): request at most 4 CPUs, or ` +
				`use larger nodes (MK303)`},
		},
		{
			name: "what is secret is not shown",
			spec: "os: {name: windows}\nnodeSelector: {kubernetes.io/os: windows, os: $secret-fast}\n" + tolerates +
				anyImage, options: mixed(win22),
			want: []string{`error spec: fits no pool of the topology (MK303)`},
		},
		{
			name:    "an affinity, and a pool for Linux whose name is before",
			spec:    affinityFor("{key: kubernetes.io/os, operator: In, values: [windows]}") + anyImage,
			options: mixed(win22),
			want:    []string{fitsNone},
		},
		{
			name:    "an affinity that excludes Linux",
			spec:    affinityFor("{key: kubernetes.io/os, operator: NotIn, values: [linux]}") + anyImage,
			options: mixed(win22),
			want:    []string{fitsNone},
		},
		{
			name: "an affinity for a build",
			spec: affinityFor("{key: node.kubernetes.io/windows-build, operator: In, values: [10.0.20348]}") +
				anyImage,
			options: mixed(win22),
			want:    []string{fitsNone},
		},
		{
			name:    "the deprecated label, and a tag that says Linux",
			spec:    "nodeSelector: {beta.kubernetes.io/os: windows}\n" + container("e2e.example.com/httpd:2.4-alpine"),
			options: mixed(win22),
			want: []string{
				fitsNone,
				"warning spec.containers[0].image: … (MK202)",
				"warning spec.nodeSelector[beta.kubernetes.io/os]: … (MK308)",
			},
		},
		{
			name: "a label of the pool", spec: "nodeSelector: {pool: a}\n" + anyImage,
			options: tainted(labeled(win22)), want: []string{fitsNone},
		},
		{
			name: "several pools fit", spec: onWindows + tolerates + anyImage, options: mixed(win19, win22),
			want: []string{`info spec.containers[0].image: "shop.example.com/shop:1.4": does not name its Windows ` +
				`release, and the pod can land on pools win19 and win22, which run different ones: select ` +
				`node.kubernetes.io/windows-build, unless the image is published for all of them (MK315)`},
		},
		{name: "a pool fits", spec: onWindows + tolerates + anyImage, options: mixed(win22)},
		{
			name: "what is not known may fit", spec: onWindows + "tolerations: $unknown\n" + anyImage,
			options: mixed(win22),
		},
		{name: "a node is given", spec: onWindows + "nodeName: a\n" + anyImage, options: mixed(win22)},
		{
			name: "a DaemonSet for nodes that do not exist", kind: "DaemonSet", spec: on2022 + tolerates + anyImage,
			options: mixed(win25),
		},
		{
			name: "an image that runs nowhere",
			spec: "os: {name: windows}\nnodeSelector: {kubernetes.io/os: windows, kubernetes.azure.com/mode: user}\n" +
				tolerates + image2022, options: mixed(win25),
			want: []string{`error spec: fits no pool of the topology; the nearest is win25 (image ` +
				`mcr.microsoft.com/windows/servercore:ltsc2022 needs Windows Server 2022, but its nodes run Windows ` +
				`Server 2025): use an image for Windows Server 2025` + orRelaxed + ` (MK303)`},
		},
	})
}

// orRelaxed is the choice where the nodes have a later release than the image.
const orRelaxed = ", or set matching: relaxed if the nodes run images of older releases, which AKS does not support"

func TestImagesOnPools(t *testing.T) {
	t.Parallel()
	const wrong = `error spec.containers[0].image: "mcr.microsoft.com/windows/servercore:ltsc2022": needs a Windows ` +
		`Server 2022 node, but the pod can land on the pool`
	runPodCases(t, []podCase{
		{
			name: "one release among others", spec: onWindows + tolerates + image2022,
			options: mixed(win19, win22, win25),
			want:    []string{wrong + `s win19 and win25: select node.kubernetes.io/windows-build=10.0.20348 (MK305)`},
		},
		{
			name: "another release only", spec: onWindows + tolerates + image2022, options: mixed(win25),
			want: []string{wrong + ` win25: use the tag ltsc2025` + orRelaxed + ` (MK305)`},
		},
		{
			name: "several other releases", spec: onWindows + tolerates + image2022, options: mixed(win19, win25),
			want: []string{wrong + `s win19 and win25: use an image for one of Windows Server 2019, Windows Server ` +
				`2025, and select the node.kubernetes.io/windows-build of that release (MK305)`},
		},
		{
			name: "an image that is not published for the other release",
			spec: onWindows + tolerates + container("microsoft/iis:windowsservercore-ltsc2019"), options: mixed(win25),
			want: []string{
				`warning spec.containers[0].image: "microsoft/iis:windowsservercore-ltsc2019": is no longer ` +
					`published for Windows: use mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022 ` +
					`or the tag of another release (MK212)`,
				`error spec.containers[0].image: "microsoft/iis:windowsservercore-ltsc2019": needs a Windows Server ` +
					`2019 node, but the pod can land on the pool win25: use an image for Windows Server 2025 (MK305)`,
			},
		},
		{
			name:    "a pool of its release that the pods do not select",
			spec:    "os: {name: windows}\nnodeSelector: {pool: a}\n" + image2022,
			options: besides(labeled(win25), win22),
			want:    []string{wrong + ` win25: use the tag ltsc2025` + orRelaxed + ` (MK305)`},
		},
		{
			name: "a pool of its release whose taint the pods do not tolerate", spec: onWindows + image2022,
			options: besides(labeled(win25), win22),
			want: []string{wrong + ` win25: select node.kubernetes.io/windows-build=10.0.20348` + orRelaxed + ` ` +
				`(MK305)`},
		},
		{
			name: "a newer pool, if that is enabled, and an older one", spec: onWindows + tolerates + image2022,
			options: relaxed(mixed(win19, win25)),
			want:    []string{wrong + ` win19: select node.kubernetes.io/windows-build=10.0.26100 (MK305)`},
		},
		{
			name: "a newer pool runs it, if that is enabled", spec: onWindows + tolerates + image2022,
			options: relaxed(mixed(win22, win25)),
		},
		{
			name: "an older one does not", spec: onWindows + tolerates + image2022,
			options: relaxed(mixed(win19, win22, win25)),
			want:    []string{wrong + ` win19: select node.kubernetes.io/windows-build=10.0.20348 (MK305)`},
		},
		{name: "the build is selected", spec: on2022 + tolerates + image2022, options: mixed(win19, win22, win25)},
		{
			name: "the RuntimeClass selects it", spec: "runtimeClassName: windows-2022\n" + image2022,
			options: mixed(win19, win22, win25),
		},
		{
			name: "against the release that is selected it is reported once",
			spec: "os: {name: windows}\nnodeSelector: {kubernetes.io/os: windows, node.kubernetes.io/windows-build: " +
				"10.0.26100}\n" + tolerates + image2022, options: mixed(win22, win25),
			want: []string{`error spec.containers[0].image: "mcr.microsoft.com/windows/servercore:ltsc2022": needs a ` +
				`Windows Server 2022 node, but the pod targets windows-2025: use the tag ltsc2025 (MK201)`},
		},
		{
			name: "host-process containers run on all", spec: onWindows + hostProc + tolerates + image2022,
			options: mixed(win19, win22),
		},
		{
			name: "a class that is not known may isolate otherwise",
			spec: onWindows + tolerates + "runtimeClassName: hyperv\n" + image2022, options: mixed(win25),
		},
		{
			name: "where it lands is not known", spec: onWindows + "tolerations: $unknown\n" + image2022,
			options: mixed(win22, win25),
		},
	})
}

func TestTolerationsThatNearlyMatch(t *testing.T) {
	t.Parallel()
	tolerating := func(toleration string) string {
		return onWindows + "tolerations: [{" + toleration + "}]\n" + anyImage
	}
	misses := func(value string) []string {
		return []string{`error spec.tolerations[0]: ` + value +
			`: does not match the taint os=windows:NoSchedule of pool win22: tolerate os=windows:NoSchedule (MK306)`}
	}
	both := mixed(win22)
	both.Topology.Pools = append(both.Topology.Pools,
		topology.Pool{
			Name: "other", Platform: win22,
			Taints: []corev1.Taint{{Key: "node.kubernetes.io/os", Value: "windows", Effect: "NoSchedule"}},
		})
	free := mixed(win22)
	free.Topology.Pools = append(free.Topology.Pools, topology.Pool{Name: "open", Platform: win22, Untainted: true})
	twoTaints := mixed(win22)
	twoTaints.Topology.Pools[1].Taints = []corev1.Taint{
		topology.WindowsTaint(),
		{Key: "dedicated", Value: "shop", Effect: "NoSchedule"},
	}
	none := []string{fitsNone}
	runPodCases(t, []podCase{
		{
			name: "the case of the value", spec: tolerating("key: os, value: Windows, effect: NoSchedule"),
			options: mixed(win22), want: misses(`"os=Windows:NoSchedule"`),
		},
		{
			name: "the case of the key", spec: tolerating("key: OS, operator: Exists"), options: mixed(win22),
			want: misses(`"OS"`),
		},
		{
			name: "another key", spec: tolerating("key: node.kubernetes.io/os, value: windows"), options: mixed(win22),
			want: misses(`"node.kubernetes.io/os=windows"`),
		},
		{
			name: "another effect", spec: tolerating("key: os, value: windows, effect: NoExecute"),
			options: mixed(win22), want: misses(`"os=windows:NoExecute"`),
		},
		{
			name: "a secret one is not shown", spec: tolerating("key: os, value: $secret-Windows"),
			options: mixed(win22), want: misses(`[secret]`),
		},
		{name: "one for another pool", spec: tolerating("key: node.kubernetes.io/os, value: windows"), options: both},
		{
			name: "another pool is open", spec: tolerating("key: os, value: Windows"), options: free,
			want: []string{`warning spec.tolerations[0]: "os=Windows": does not match the taint ` +
				`os=windows:NoSchedule of pool win22: tolerate os=windows:NoSchedule (MK313)`},
		},
		{
			name: "two effects, of which one matches, and a taint that nothing is near to", options: twoTaints,
			spec: onWindows + "tolerations: [{key: os, value: windows, effect: NoSchedule}, {key: os, value: " +
				"windows, effect: NoExecute}]\n" + anyImage,
			want: []string{`error spec: fits no pool of the topology; the nearest is win22 (its taint ` +
				`dedicated=shop:NoSchedule is not tolerated): tolerate dedicated=shop:NoSchedule (MK303)`},
		},
		{
			name: "one that is not near", spec: tolerating("key: dedicated, value: shop"), options: mixed(win22),
			want: none,
		},
		{name: "one that is not known may match", spec: tolerating("key: os, value: $unknown"), options: mixed(win22)},
		{name: "no topology, no taint to compare with", spec: tolerating("key: os, value: Windows")},
		{name: "one that matches", spec: tolerating("key: os, operator: Exists"), options: mixed(win22)},
	})
}

func TestLabelsOfNodes(t *testing.T) {
	t.Parallel()
	affinity := func(kind string) string {
		return "os: {name: windows}\naffinity: {nodeAffinity: {" + kind + "}}\n" + anyImage
	}
	required := func(terms string) string {
		return affinity("requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [" + terms + "]}")
	}
	is := func(key, values string) string {
		return "{matchExpressions: [{key: " + key + ", operator: In, values: [" + values + "]}]}"
	}
	const wrong = `: matches no node, as case matters: write "windows" (MK307)`
	const terms = "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms"
	runPodCases(t, []podCase{
		{
			name: "in the wrong case", spec: "nodeSelector: {kubernetes.io/os: Windows}\n" + anyImage,
			want: []string{`error spec.nodeSelector[kubernetes.io/os]: "Windows"` + wrong},
		},
		{
			name: "with a topology it is reported once", spec: "nodeSelector: {kubernetes.io/os: Windows}\n" + anyImage,
			options: mixed(win22), want: []string{`error spec.nodeSelector[kubernetes.io/os]: "Windows"` + wrong},
		},
		{
			name: "in an affinity", spec: required(is("kubernetes.io/os", "Windows")),
			want: []string{`error ` + terms + `[0].matchExpressions[0].values[0]: "Windows"` + wrong},
		},
		{name: "another term can match", spec: required(is("kubernetes.io/os", "Windows") + ", " + is("pool", "a"))},
		{name: "another value can match", spec: required(is("kubernetes.io/os", "Windows, windows"))},
		{name: "another system is not an error", spec: "nodeSelector: {kubernetes.io/os: freebsd}\n" + anyImage},
		{
			name: "beta labels",
			spec: "nodeSelector: {beta.kubernetes.io/os: windows, beta.kubernetes.io/arch: amd64}\n" + anyImage,
			want: []string{
				`warning spec.nodeSelector[beta.kubernetes.io/arch]: beta.kubernetes.io/arch is deprecated since ` +
					`Kubernetes 1.14: use kubernetes.io/arch (MK308)`,
				"warning spec.nodeSelector[beta.kubernetes.io/os]: … (MK308)",
			},
		},
		{
			name: "beta labels of places and machines",
			spec: "nodeSelector: {failure-domain.beta.kubernetes.io/zone: a, beta.kubernetes.io/instance-type: b}\n" +
				anyImage,
			want: []string{
				"warning spec.nodeSelector[beta.kubernetes.io/instance-type]: beta.kubernetes.io/instance-type is " +
					"deprecated since Kubernetes 1.17: use node.kubernetes.io/instance-type (MK308)",
				"warning spec.nodeSelector[failure-domain.beta.kubernetes.io/zone]: … (MK308)",
			},
		},
		{
			name: "a beta label in an affinity", spec: required(is("beta.kubernetes.io/os", "windows")),
			want: []string{"warning " + terms + "[0].matchExpressions[0].key: … (MK308)"},
		},
		{
			name: "a beta label in a preference",
			spec: "nodeSelector: {a: b}\n" +
				affinity("preferredDuringSchedulingIgnoredDuringExecution: [{preference: "+
					is("beta.kubernetes.io/os", "windows")+"}]"),
			want: []string{"warning " +
				"spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference." +
				"matchExpressions[0].key: … (MK308)"},
		},
		{
			name: "a secret build",
			spec: "nodeSelector: {node.kubernetes.io/windows-build: $secret-10.0.20348.1}\n" + anyImage,
			want: []string{`warning spec.nodeSelector[node.kubernetes.io/windows-build]: [secret]: has a revision, ` +
				`and the label of the nodes has none: write three numbers (MK309)`},
		},
		{
			name: "a build with its revision",
			spec: "nodeSelector: {node.kubernetes.io/windows-build: 10.0.20348.1}\n" + anyImage,
			want: []string{`warning spec.nodeSelector[node.kubernetes.io/windows-build]: "10.0.20348.1": has a ` +
				`revision, and the label of the nodes has none: write 10.0.20348 (MK309)`},
		},
		{
			name: "no known build", spec: required(is("node.kubernetes.io/windows-build", "10.0.20348, 10.0.1")),
			want: []string{`warning ` + terms + `[0].matchExpressions[0].values[1]: "10.0.1": is not the build of a ` +
				`known Windows Server release: write 10.0.20348 for Windows Server 2022, for example (MK309)`},
		},
		{
			name: "the build of a release that no node has today",
			spec: "nodeSelector: {node.kubernetes.io/windows-build: 10.0.18362}\n" + anyImage,
			want: []string{`warning spec.nodeSelector[node.kubernetes.io/windows-build]: "10.0.18362": is the build ` +
				`of Windows Server, version 1903, which Kubernetes no longer supports as a node: write 10.0.20348 ` +
				`for Windows Server 2022, for example (MK309)`},
		},
		{
			name: "what is not known",
			spec: "nodeSelector: {kubernetes.io/os: $unknown, node.kubernetes.io/windows-build: $unknown}\naffinity: " +
				"{nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [$unknown, " +
				"{matchExpressions: [$unknown, {key: $unknown, operator: In, values: $unknown}]}]}}}\n" + anyImage,
			options: mixed(win22),
		},
	})
}

func TestDaemonSetsThatRelyOnTheirRuntimeClass(t *testing.T) {
	t.Parallel()
	const class = "runtimeClassName: windows-2022\n"
	const at = "spec.template.spec."
	relies := []string{`warning ` + at +
		`runtimeClassName: "windows-2022": the DaemonSet controller does not look at the RuntimeClass when it picks ` +
		`nodes: select kubernetes.io/os=windows and tolerate the nodes' taints in the pods themselves (MK311)`}
	pending := `error ` + at + `runtimeClassName: "windows-2022": the DaemonSet controller does not look at the ` +
		`RuntimeClass: a pod stays pending for each node of the Linux pool sys: select kubernetes.io/os=windows in ` +
		`the pods themselves too (MK310)`
	none := `error ` + at + `tolerations: the DaemonSet controller creates no pods for the nodes of pool win22, ` +
		`whose taint the pods do not tolerate: tolerate os=windows:NoSchedule in the pods themselves (MK312)`
	runPodCases(t, []podCase{
		{name: "without a topology", kind: "DaemonSet", spec: class + anyImage, want: relies},
		{name: "a selector of its own", kind: "DaemonSet", spec: class + onWindows + anyImage},
		{name: "any selector of its own", kind: "DaemonSet", spec: class + "nodeSelector: {pool: a}\n" + anyImage},
		{name: "an unknown class", kind: "DaemonSet", spec: "os: {name: windows}\nruntimeClassName: iis\n" + anyImage},
		{name: "a Deployment may", kind: "Deployment", spec: class + anyImage},
		{
			name: "pending on Linux, none on Windows", kind: "DaemonSet", spec: class + anyImage, options: mixed(win22),
			want: []string{pending, none},
		},
		{
			name: "pending on Linux", kind: "DaemonSet", spec: class + tolerates + anyImage, options: mixed(win22),
			want: []string{pending},
		},
		{
			name: "none on Windows", kind: "DaemonSet", spec: class + onWindows + anyImage, options: mixed(win22),
			want: []string{none},
		},
		{
			name: "none on Windows, without a class", kind: "DaemonSet", spec: onWindows + anyImage,
			options: mixed(win22), want: []string{none},
		},
		{
			name: "both of its own", kind: "DaemonSet", spec: class + onWindows + tolerates + anyImage,
			options: mixed(win22),
		},
		{
			name: "tolerations that are not known", kind: "DaemonSet",
			spec: class + onWindows + "tolerations: $unknown\n" + anyImage, options: mixed(win22),
		},
		{name: "a Deployment on the topology", kind: "Deployment", spec: class + anyImage, options: mixed(win22)},
		{
			name: "a DaemonSet for Linux", kind: "DaemonSet",
			spec: "nodeSelector: {kubernetes.io/os: linux}\n" + anyImage, options: mixed(win22),
		},
	})
}

// A build that no pool has moves on request, if mixedkube wrote the whole selector.
func TestPinsThatCanMove(t *testing.T) {
	t.Parallel()
	const (
		whole  = "kubernetes.io/os: windows, kubernetes.io/arch: amd64, node.kubernetes.io/windows-build: 10.0.20348"
		pinned = "{kind: Pod, metadata: {MARK}, spec: {os: {name: windows}, tolerations: [{operator: Exists}], " +
			"nodeSelector: {SELECTOR}, containers: [{name: a, image: 'shop.example.com/shop:IMAGE'}]}}"
		moves  = ": an earlier version of mixedkube wrote the node selector (MK303)"
		stays  = ": it is not the whole node selector that mixedkube writes for these images (MK303)"
		option = "(adopt --move-pins)"
	)
	of25 := relaxed(mixed(win25))
	for name, tt := range map[string]struct {
		options               preflight.Options
		mark, selector, image string
		want                  string // the end of MK303
	}{
		"the whole selector":     {of25, "", whole, "ltsc2022", ", or move it with MovePins " + option + moves},
		"an image of no release": {mixed(win25), "", whole, "1.4", ""},
		"relaxed, of no release": {of25, "", whole, "1.4-windows", ", or move it with MovePins " + option + moves},
		"with a label of people": {
			of25, "", whole + ", disk: ssd", "ltsc2022", "; MovePins " + option + " leaves it" + stays,
		},
		"for another release": {of25, "", whole, "ltsc2025", "; MovePins " + option + " leaves it" + stays},
		"without the architecture": {
			of25, "", strings.Replace(whole, "kubernetes.io/arch: amd64, ", "", 1), "ltsc2022", "",
		},
		"no pool runs the images": {mixed(win25), "", whole, "ltsc2022", ""},
		"a secret build":          {of25, "", strings.Replace(whole, "10.0", "$secret-10.0", 1), "ltsc2022", ""},
		"marked": {
			of25, "annotations: {mixedkube.dev/placed: nodeSelector=kubernetes.io/os}", whole, "ltsc2022", "",
		},
		"marked, with the build": {
			of25, "annotations: {mixedkube.dev/placed: nodeSelector=node.kubernetes.io/windows-build}", whole,
			"ltsc2022",
			"; mixedkube wrote this selector, and moves it with adopt (Place in programs) if a pool runs the " +
				"images (MK303)",
		},
		"a partial topology": {partial(of25), "", whole, "ltsc2022", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := strings.NewReplacer("MARK", tt.mark, "SELECTOR", tt.selector, "IMAGE", tt.image).Replace(pinned)
			var got string
			for _, f := range preflight.Check(fromYAML(t, text)[0], tt.options) {
				if i := strings.Index(f.String(), "MovePins"); i >= 0 {
					got = f.String()[i-len(", or move it with "):]
				}
				if i := strings.Index(f.String(), "; mixedkube wrote"); i >= 0 {
					got = f.String()[i:]
				}
			}
			if !strings.HasSuffix(got, tt.want) || (got == "") != (tt.want == "") {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
