package preflight_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
)

const iisClass = `
kind: RuntimeClass
metadata: {name: iis}
handler: runhcs-wcow-process
overhead: {podFixed: {memory: 64Mi}}
scheduling:
  nodeSelector: {kubernetes.io/os: windows, node.kubernetes.io/windows-build: 10.0.20348}
  tolerations: [{key: os, value: windows, effect: NoSchedule}]
---
`

// deploy returns a Deployment. spec is added to its pods, and container to their container, in YAML flow style.
func deploy(name, spec string, container ...string) string {
	fields := append(
		[]string{"name: shop", "image: shop.example.com/shop:1.4", "resources: {limits: {memory: 1Gi}}"}, container...,
	)
	return `
kind: Deployment
metadata: {name: ` + name + `, namespace: shop}
spec:
  template:
    metadata: {labels: {app: shop, tier: web}}
    spec: {containers: [{` + strings.Join(fields, ", ") + `}], ` + spec + `}
---
`
}

func service(spec string) string {
	return "\nkind: Service\nmetadata: {name: shop, namespace: shop}\nspec: {" + spec + "}\n---\n"
}

// image2019 returns a Deployment whose image needs nodes with Windows Server 2019.
func image2019(spec string) string {
	return strings.Replace(deploy("shop", spec), "shop.example.com/shop:1.4",
		"'mcr.microsoft.com/windows/servercore:ltsc2019'", 1)
}

const podSpec = "spec.template.spec."

func TestPodsOfRuntimeClasses(t *testing.T) {
	t.Parallel()
	other := strings.NewReplacer("name: iis", "name: other", "os: windows", "os: linux",
		"  nodeSelector: {kubernetes.io/os: linux, node.kubernetes.io/windows-build: 10.0.20348}",
		"  nodeSelector: {kubernetes.io/os: linux}").Replace(iisClass)
	hyperv := strings.Replace(iisClass, "wcow-process", "wcow-hypervisor", 1)
	runAcrossCases(t, []acrossCase{
		{
			name:    "a class that does not exist",
			objects: iisClass + deploy("shop", "os: {name: windows}, runtimeClassName: sql"),
			want: []string{`1 warning ` + podSpec +
				`runtimeClassName: "sql": is not among the objects, and the API server refuses the pods unless the ` +
				`cluster has it: add it, or list the runtimeClasses of the cluster in the topology (MK401)`},
		},
		{
			name:    "an existing class",
			objects: iisClass + deploy("shop", "os: {name: windows}, runtimeClassName: iis"),
		},
		{name: "one of several classes of one name", objects: iisClass + hyperv + image2019("runtimeClassName: iis")},
		{
			name: "a class whose name is not known may be the one",
			objects: "kind: RuntimeClass\nmetadata: {name: $unknown}\n---" +
				deploy("shop", "os: {name: windows}, runtimeClassName: sql"),
		},
		{
			name:    "a class for Linux is not our business",
			objects: deploy("shop", "nodeSelector: {kubernetes.io/os: linux}, runtimeClassName: gvisor"),
		},
		{
			name:    "another selector",
			objects: deploy("shop", "nodeSelector: {kubernetes.io/os: linux}, runtimeClassName: iis") + iisClass,
			want: []string{`0 error ` + podSpec +
				`nodeSelector[kubernetes.io/os]: "linux": the RuntimeClass iis selects kubernetes.io/os=windows: the ` +
				`API server refuses these pods: remove it, or use another RuntimeClass (MK402)`},
		},
		{
			name:    "another selector, for a platform's class, is found by Check if the platform is in the topology",
			options: preflight.Options{Platform: platform.WindowsServer2022},
			objects: strings.Replace(iisClass, "name: iis", "name: windows-2022", 1) +
				deploy("shop", "nodeSelector: {node.kubernetes.io/windows-build: 10.0.26100}, runtimeClassName: "+
					"windows-2022"),
		},
		{
			name: "another os.name", objects: iisClass + deploy("shop", "os: {name: linux}, runtimeClassName: iis"),
			want: []string{`1 error ` + podSpec + `os.name: "linux": the RuntimeClass iis leads these pods to ` +
				`Windows nodes, which refuse them: use another RuntimeClass, or change os.name (MK406)`},
		},
		{
			name:    "a class for Linux under Windows pods",
			objects: other + deploy("shop", "os: {name: windows}, runtimeClassName: other"),
			want: []string{`1 error ` + podSpec + `os.name: "windows": the RuntimeClass other leads these pods to ` +
				`Linux nodes, which refuse them: use another RuntimeClass, or change os.name (MK406)`},
		},
		{
			name:    "another overhead",
			objects: iisClass + deploy("shop", "runtimeClassName: iis, overhead: {memory: 65Mi}"),
			want: []string{`1 error ` + podSpec + `overhead: the RuntimeClass iis has another one: the API server ` +
				`refuses these pods: remove it: the RuntimeClass sets it (MK403)`},
		},
		{
			name:    "another overhead says nothing about the release",
			options: preflight.Options{Platform: platform.WindowsServer2025},
			objects: iisClass + deploy("shop", "runtimeClassName: iis, overhead: {memory: 65Mi}"),
			want: []string{
				"1 error " + podSpec + "overhead: … (MK403)", "1 error " + podSpec + "runtimeClassName: … (MK208)",
			},
		},
		{
			name:    "another selector, which also contradicts the platform",
			options: preflight.Options{Platform: platform.WindowsServer2025},
			objects: iisClass + deploy("shop", "runtimeClassName: iis, nodeSelector: {kubernetes.io/os: linux}"),
			want:    []string{"1 error " + podSpec + "nodeSelector[kubernetes.io/os]: … (MK402)"},
		},
		{
			name:    "the same overhead in other words",
			objects: iisClass + deploy("shop", "runtimeClassName: iis, overhead: {memory: 65536Ki}"),
		},
		{
			name:    "an overhead that is not known",
			objects: iisClass + deploy("shop", "runtimeClassName: iis, overhead: {memory: $unknown}"),
		},
		{
			name: "no overhead in the class",
			objects: "kind: RuntimeClass\nmetadata: {name: sql}\nhandler: a\n---" +
				deploy("shop", "runtimeClassName: sql, overhead: {memory: 1Mi}"),
			want: []string{`1 error ` + podSpec + `overhead: the RuntimeClass sql has none: the API server refuses ` +
				`these pods: remove it: the RuntimeClass sets it (MK403)`},
		},
	})
}

// Images must fit the release that the class selects, and pods land where it leads them.
func TestRuntimeClassesLeadPods(t *testing.T) {
	t.Parallel()
	hyperv := strings.Replace(iisClass, "wcow-process", "wcow-hypervisor", 1)
	runAcrossCases(t, []acrossCase{
		{
			name: "the class says what the images must fit", objects: iisClass + image2019("runtimeClassName: iis"),
			want: []string{"1 error " + podSpec + "containers[0].image: … (MK201)"},
		},
		{name: "with Hyper-V they need not", objects: hyperv + image2019("runtimeClassName: iis")},
		{
			name: "a platform's class says it already alone, where the platform is there",
			objects: strings.Replace(iisClass, "name: iis", "name: windows-2022", 1) +
				image2019("runtimeClassName: windows-2022"),
			options: preflight.Options{Platform: platform.WindowsServer2022},
		},
		{
			name: "and is a guess where it may not be",
			objects: strings.Replace(iisClass, "name: iis", "name: windows-2022", 1) +
				image2019("runtimeClassName: windows-2022"),
			want: []string{"1 error " + podSpec + "containers[0].image: … (MK201)"},
		},
		{
			name: "the class says where pods land", objects: iisClass + deploy("shop", "runtimeClassName: iis"),
			options: mixed(win25),
			want:    []string{"1 error spec.template.spec: … (MK303)"},
		},
		{name: "a pool fits", objects: iisClass + deploy("shop", "runtimeClassName: iis"), options: mixed(win22)},
		{
			name: "what the class says is not known",
			objects: "kind: RuntimeClass\nmetadata: {name: iis}\nhandler: $unknown\nscheduling: $unknown\noverhead: " +
				"$unknown\n---" + image2019("runtimeClassName: iis, overhead: {memory: 1Mi}"), options: mixed(win25),
		},
		{
			name: "a DaemonSet on the topology",
			objects: iisClass + strings.Replace(deploy("shop",
				"runtimeClassName: iis, tolerations: [{operator: Exists}]"), "Deployment", "DaemonSet", 1),
			options: mixed(win22),
			want:    []string{"1 error " + podSpec + "runtimeClassName: … (MK310)"},
		},
	})
}

func TestPodSecurityStandards(t *testing.T) {
	t.Parallel()
	namespace := func(labels string) string {
		return "kind: Namespace\nmetadata: {name: shop, labels: {" + labels + "}}\n---\n"
	}
	restricts := namespace("pod-security.kubernetes.io/enforce: restricted")
	baseline := namespace("pod-security.kubernetes.io/enforce: baseline")
	const restricted = "the namespace shop enforces the restricted Pod Security Standard, which "
	const win = "os: {name: windows}, nodeSelector: {kubernetes.io/os: windows}"
	const noOS = "nodeSelector: {kubernetes.io/os: windows}"
	const asOnLinux = "{allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}, seccompProfile: {type: " +
		"RuntimeDefault}}"
	const (
		noEscalation = "allowPrivilegeEscalation: false"
		dropsAll     = "capabilities.drop: [ALL]"
		profile      = "seccompProfile of type RuntimeDefault or Localhost"
		removeAll    = ", and remove allowPrivilegeEscalation, capabilities and seccompProfile"
	)
	demands := func(object, fields, remove string) string {
		return object + " error " + podSpec + "containers[0].securityContext: " + restricted + "demands " + fields +
			" of pods that do not say that they are for Windows: set os.name to windows" + remove + " (MK409)"
	}
	runAcrossCases(t, []acrossCase{
		{
			name: "the baseline standard",
			objects: baseline + deploy("shop", win+
				", hostNetwork: true, securityContext: {windowsOptions: {hostProcess: true, runAsUserName: a}}"),
			want: []string{
				`1 error ` + podSpec + `hostNetwork: true: the namespace shop enforces the baseline Pod Security ` +
					`Standard, which forbids the network of the node: use a namespace that enforces privileged (MK409)`,
				`1 error ` + podSpec + `securityContext.windowsOptions.hostProcess: true: the namespace shop ` +
					`enforces the baseline Pod Security Standard, which forbids host-process containers: use a ` +
					`namespace that enforces privileged (MK409)`,
			},
		},
		{
			name: "the restricted standard",
			objects: namespace(
				"pod-security.kubernetes.io/enforce: restricted, pod-security.kubernetes.io/enforce-version: v1.36",
			) + deploy("shop", win),
			want: []string{`1 error ` + podSpec + `containers[0].securityContext.runAsNonRoot: ` + restricted +
				`demands runAsNonRoot, on Windows too: set it to true (MK409)`},
		},
		{
			name:    "the restricted standard, without os.name",
			objects: restricts + deploy("shop", noOS+", securityContext: {runAsNonRoot: true}"),
			want:    []string{demands("1", noEscalation+", "+dropsAll+", a "+profile, "")},
		},
		{
			name: "the restricted standard, without os.name and with the wrong fields",
			objects: restricts +
				deploy("shop", noOS+", securityContext: {runAsNonRoot: true, seccompProfile: {type: Unconfined}}",
					"securityContext: {allowPrivilegeEscalation: true, capabilities: {drop: [CHOWN]}}"),
			want: []string{
				demands("1", noEscalation+", "+dropsAll, removeAll),
				`1 error ` + podSpec + `securityContext.seccompProfile.type: "Unconfined": ` + restricted +
					`allows RuntimeDefault and Localhost only: set os.name to windows` + removeAll + ` (MK409)`,
			},
		},
		{
			name: "the restricted standard, without os.name and without a profile",
			objects: restricts +
				deploy("shop", noOS+", securityContext: {runAsNonRoot: true}",
					"securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}"),
			want: []string{demands("1", "a "+profile, ", and remove allowPrivilegeEscalation and capabilities")},
		},
		{
			name: "the restricted standard, without os.name and with one field only",
			objects: restricts +
				deploy("shop", noOS+", securityContext: {runAsNonRoot: true}",
					"securityContext: {allowPrivilegeEscalation: false, seccompProfile: {}}") +
				deploy("shop", noOS+", securityContext: {runAsNonRoot: true, seccompProfile: {type: Localhost}}"),
			want: []string{
				demands("1", dropsAll+", a "+profile, ", and remove allowPrivilegeEscalation and seccompProfile"),
				demands("2", noEscalation+", "+dropsAll, ", and remove seccompProfile"),
			},
		},
		{
			name: "the restricted standard, without os.name, with a field in another container",
			objects: restricts +
				deploy("shop", noOS+", securityContext: {runAsNonRoot: true}, initContainers: [{name: a, image: a, "+
					"securityContext: "+asOnLinux+"}]"),
			want: []string{demands("1", noEscalation+", "+dropsAll+", a "+profile, removeAll)},
		},
		{
			name: "the restricted standard forbids a profile of the pod that no container uses",
			objects: restricts +
				deploy("shop", noOS+", securityContext: {runAsNonRoot: true, seccompProfile: {type: Unconfined}}",
					"securityContext: "+asOnLinux),
			want: []string{"1 error " + podSpec + "securityContext.seccompProfile.type: … (MK409)"},
		},
		{
			name: "the restricted standard allows one capability only",
			objects: restricts +
				deploy("shop", noOS+", securityContext: {runAsNonRoot: true}",
					"securityContext: "+
						strings.Replace(asOnLinux, "drop: [ALL]", "drop: [ALL], add: [NET_BIND_SERVICE, SYS_ADMIN]",
							1)),
			want: []string{demands("1", "no capabilities.add except NET_BIND_SERVICE", removeAll)},
		},
		{
			name: "that capability, and one that is not known",
			objects: restricts +
				deploy("shop", noOS+", securityContext: {runAsNonRoot: true}",
					"securityContext: "+
						strings.Replace(asOnLinux, "drop: [ALL]", "drop: [ALL], add: [NET_BIND_SERVICE, $unknown]", 1)),
		},
		{
			name: "the baseline standard forbids profiles that filter nothing",
			objects: baseline +
				deploy("shop", noOS+", securityContext: {seccompProfile: {type: RuntimeDefault}}",
					"securityContext: {seccompProfile: {type: Unconfined}}"),
			want: []string{`1 error ` + podSpec + `containers[0].securityContext.seccompProfile.type: "Unconfined": ` +
				`the namespace shop enforces the baseline Pod Security Standard, which allows RuntimeDefault and ` +
				`Localhost only: remove the seccompProfile (MK409)`},
		},
		{
			name: "the baseline standard demands nothing",
			objects: baseline +
				deploy("shop", noOS+", securityContext: {seccompProfile: {type: $unknown}}",
					"securityContext: {allowPrivilegeEscalation: true}"),
		},
		{
			name:    "with os.name the API server itself refuses a profile",
			objects: baseline + deploy("shop", win+", securityContext: {seccompProfile: {type: Unconfined}}"),
		},
		{
			name: "the restricted standard is met as on Linux",
			objects: restricts +
				deploy("shop", noOS+", securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}",
					"securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}"),
		},
		{
			name: "the restricted standard may be met as on Linux",
			objects: restricts +
				deploy("shop", noOS+", securityContext: {runAsNonRoot: true, seccompProfile: {type: $unknown}}",
					"securityContext: {allowPrivilegeEscalation: $unknown, capabilities: {drop: [$unknown]}}"),
		},
		{
			name:    "the restricted standard is met",
			objects: restricts + deploy("shop", win+", securityContext: {runAsNonRoot: true}"),
		},
		{
			name:    "what is not known meets it",
			objects: restricts + deploy("shop", noOS+", os: $unknown, securityContext: {runAsNonRoot: $unknown}"),
		},
		{
			name:    "a warning is not enforcement",
			objects: namespace("pod-security.kubernetes.io/warn: restricted") + deploy("shop", win),
		},
		{name: "Linux pods", objects: restricts + deploy("shop", "nodeSelector: {kubernetes.io/os: linux}")},
		{
			name:    "another namespace",
			objects: strings.Replace(restricts, "name: shop", "name: other", 1) + deploy("shop", win),
		},
	})
}

func TestServicesThatSelectPods(t *testing.T) {
	t.Parallel()
	const win = "os: {name: windows}, nodeSelector: {kubernetes.io/os: windows}"
	const build2019 = "os: {name: windows}, nodeSelector: {kubernetes.io/os: windows, " +
		"node.kubernetes.io/windows-build: 10.0.17763}"
	local := service("selector: {app: shop}, externalTrafficPolicy: Local")
	sticky := service("selector: {app: shop}, sessionAffinity: ClientIP")
	replicas := func(name, number string) string {
		return strings.Replace(deploy(name, win), "spec:\n", "spec:\n  replicas: "+number+"\n", 1)
	}
	runAcrossCases(t, []acrossCase{
		{
			name:    "a Service that keeps traffic local",
			objects: local + deploy("shop", win),
			want: []string{`0 warning spec.externalTrafficPolicy: "Local": works for Windows pods only if kube-proxy ` +
				`runs with direct server return: make sure of it, or use Cluster (MK601)`},
		},
		{
			name:    "session affinity on old nodes",
			objects: sticky + deploy("shop", build2019),
			want: []string{`0 warning spec.sessionAffinity: "ClientIP": has no effect on Windows Server 2019 nodes: ` +
				`use nodes with Windows Server 2022 or later, or store sessions outside of the pods (MK602)`},
		},
		{
			name:    "session affinity on a topology with old nodes",
			objects: sticky + deploy("shop", win),
			options: mixed(win19, win22),
			want:    []string{"0 warning spec.sessionAffinity: … (MK602)"},
		},
		{name: "session affinity on new nodes", objects: sticky + deploy("shop", win), options: mixed(win22)},
		{name: "session affinity on unknown nodes", objects: sticky + deploy("shop", win)},
		{
			name:    "too many endpoints, of several workloads",
			objects: service("selector: {app: shop}") + replicas("a", "1000") + replicas("b", "24") + deploy("c", win),
			want: []string{`0 warning spec.selector: selects more pods than Windows nodes can balance, which is 1024 ` +
				`endpoints for a Service: divide the pods among several Services (MK603)`},
		},
		{name: "as many as there may be", objects: service("selector: {app: shop}") + replicas("a", "1024")},
		{name: "an unknown number", objects: service("selector: {app: shop}") + replicas("a", "$unknown")},
		{
			name: "a Service for Linux pods",
			objects: service("selector: {app: shop}, externalTrafficPolicy: Local, sessionAffinity: ClientIP") +
				deploy("shop", "nodeSelector: {kubernetes.io/os: linux}"),
		},
		{
			name:    "a Service for other pods",
			objects: service("selector: {app: shop, tier: db}, externalTrafficPolicy: Local") + deploy("shop", win),
		},
		{
			name:    "a Service in another namespace",
			objects: strings.Replace(local, "namespace: shop", "namespace: other", 1) + deploy("shop", win),
		},
		{
			name: "a Service that selects what is not known",
			objects: service("selector: {app: shop, tier: $unknown}, externalTrafficPolicy: Local") +
				deploy("shop", win),
		},
		{
			name:    "a namespace that is not known",
			objects: strings.Replace(local+deploy("shop", win), "namespace: shop", "namespace: $unknown", 2),
		},
		{
			name: "pods in a namespace that is not known",
			objects: strings.Replace(local, ", namespace: shop", "", 1) +
				strings.Replace(deploy("shop", win), "namespace: shop", "namespace: $unknown", 1),
		},
		{name: "a Service without a selector", objects: service("externalTrafficPolicy: Local") + deploy("shop", win)},
		{name: "no Service", objects: deploy("shop", win)},
	})
}

func TestAcrossSuppressesWhatTheObjectIgnores(t *testing.T) {
	t.Parallel()
	text := strings.Replace(deploy("shop", "os: {name: windows}, runtimeClassName: sql"), "metadata: {name: shop,",
		"metadata: {annotations: {mixedkube.dev/ignore: 'MK401,MK999'}, name: shop,", 1)
	found := preflight.New(preflight.Options{}).Across(fromYAML(t, text))[0]
	if len(found) != 1 || found[0].Rule != "MK401" || !found[0].Suppressed {
		t.Errorf("got %v, want a suppressed MK401 and nothing about the annotation, which is Check's", found)
	}
}

// Across does not repeat the findings of Check.
func TestFindingsAreNotRepeated(t *testing.T) {
	t.Parallel()
	objects := everything(t)
	for _, options := range []preflight.Options{{}, mixed(win22), mixed(win25), open()} {
		checker := preflight.New(options)
		across := checker.Across(objects)
		for i, object := range objects {
			for _, alone := range checker.Check(object) {
				for _, f := range across[i] {
					if f.Rule == alone.Rule && f.Path == alone.Path {
						t.Errorf("object %d: %s\nand %s", i, alone, f)
					}
				}
			}
		}
	}
}

func TestOrderOfObjectsDoesNotMatter(t *testing.T) {
	t.Parallel()
	objects := everything(t)
	checker := preflight.New(mixed(win19, win22))
	want := checker.Across(objects)
	if len(want) < 3 {
		t.Fatalf("only %d objects have findings", len(want))
	}
	for seed := range uint64(20) {
		order := rand.New(rand.NewPCG(seed, 1)).Perm(len(objects))
		shuffled := make([]map[string]any, len(objects))
		for to, from := range order {
			shuffled[to] = objects[from]
		}
		got := map[int][]preflight.Finding{}
		for at, findings := range checker.Across(shuffled) {
			got[order[at]] = findings
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("in the order %v (-want +got):\n%s", order, diff)
		}
	}
}

// everything returns a program with many objects that refer to each other.
func everything(t *testing.T) []map[string]any {
	t.Helper()
	hyperv := strings.NewReplacer("name: iis", "name: twice", "wcow-process", "wcow-hypervisor").Replace(iisClass)
	const win = "os: {name: windows}, nodeSelector: {kubernetes.io/os: windows}"
	return fromYAML(t, iisClass+strings.Replace(iisClass, "name: iis", "name: twice", 1)+hyperv+
		"kind: Namespace\nmetadata: {name: shop, labels: {pod-security.kubernetes.io/enforce: restricted}}\n---\n"+
		deploy("a", "runtimeClassName: iis")+deploy("b", "runtimeClassName: twice")+
		deploy("c", "runtimeClassName: sql, os: {name: windows}")+
		strings.Replace(iisClass, "name: iis", "name: windows-2022", 1)+deploy("d", "runtimeClassName: windows-2022")+
		strings.Replace(deploy("e", "runtimeClassName: windows-2022"), "Deployment", "DaemonSet", 1)+
		strings.Replace(deploy("f", "runtimeClassName: iis"), "Deployment", "DaemonSet", 1)+
		deploy("g", win)+deploy("h", win+", runtimeClassName: iis, overhead: {cpu: 1}")+
		service("selector: {app: shop}, externalTrafficPolicy: Local, sessionAffinity: ClientIP")+
		service("selector: {app: shop, tier: web}, externalTrafficPolicy: Local"))
}

func TestLanding(t *testing.T) {
	t.Parallel()
	classes := fromYAML(t, iisClass)
	for _, tt := range []struct {
		name, spec string
		options    preflight.Options
		want       string
	}{
		{"a pool", onWindows + tolerates + anyImage, mixed(win22), "win22 (2 nodes)"},
		{"several", onWindows + tolerates + anyImage, mixed(win22, win25), "win22 (2 nodes), win25 (2 nodes)"},
		{"a platform's class", "runtimeClassName: windows-2022\n" + anyImage, mixed(win22, win25), "win22 (2 nodes)"},
		{"a given class", "runtimeClassName: iis\n" + anyImage, mixed(win22, win25), "win22 (2 nodes)"},
		{
			"a class that is not known", "runtimeClassName: sql\n" + tolerates + anyImage, mixed(win22),
			"perhaps sys (3 nodes), perhaps win22 (2 nodes)",
		},
		{"none", onWindows + anyImage, mixed(win22), "nowhere"},
		{"no topology", onWindows + anyImage, preflight.Options{}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			landing, ok := preflight.New(tt.options).Landing(inSpec(t, "Deployment", tt.spec), classes...)
			if ok != (tt.want != "") || landing.String() != tt.want {
				t.Errorf("Landing() = %q, %t, want %q", landing, ok, tt.want)
			}
			perhaps := strings.Count(tt.want, "perhaps")
			if sure := strings.Count(tt.want, "nodes)") - perhaps; len(landing.Pools) != sure ||
				len(landing.Perhaps) != perhaps {
				t.Errorf("%d pools and %d perhaps for %q", len(landing.Pools), len(landing.Perhaps), tt.want)
			}
		})
	}
	if _, ok := preflight.New(mixed(win22)).Landing(map[string]any{"kind": "Service"}); ok {
		t.Error("a Service has no pods that land anywhere")
	}
}

func TestLandingExplainsOtherPools(t *testing.T) {
	t.Parallel()
	tolerating := inSpec(t, "Deployment", onWindows+tolerates+anyImage)
	secret := inSpec(t, "Deployment", onWindows+tolerates+anyImage)
	template := secret["spec"].(map[string]any)["template"].(map[string]any)
	template["spec"].(map[string]any)["nodeSelector"] = map[string]any{
		"kubernetes.io/os": preflight.Secret{Value: "windows"},
	}
	for name, tt := range map[string]struct {
		object map[string]any
		want   []preflight.Refusal
	}{
		"another system": {tolerating, []preflight.Refusal{
			{Pool: "sys", Reasons: []string{
				"selects kubernetes.io/os=windows, but its nodes have linux",
				"spec.os.name is windows, but its nodes run Linux",
			}},
		}},
		"a secret decides": {secret, []preflight.Refusal{{Pool: "sys"}}},
		"what is not known refuses nothing": {
			inSpec(t, "Deployment", "nodeSelector: {kubernetes.io/os: linux, disk: ssd}\n"+anyImage),
			[]preflight.Refusal{{Pool: "win22", Reasons: []string{
				"selects kubernetes.io/os=linux, but its nodes have windows",
				"its taint os=windows:NoSchedule is not tolerated",
			}}},
		},
	} {
		landing, _ := preflight.New(mixed(win22)).Landing(tt.object)
		if diff := cmp.Diff(tt.want, landing.Refused()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// BenchmarkCheckOnTenPools measures a workload on a large cluster: 66 µs at most.
func BenchmarkCheckOnTenPools(b *testing.B) {
	options := mixed(win19, win22, win25, win19, win22, win25, win19, win22, win25)
	for i := range options.Topology.Pools {
		options.Topology.Pools[i].Name = fmt.Sprintf("pool%d", i)
		options.Topology.Pools[i].Size = "Standard_D4s_v5"
	}
	object := deployment()
	checker := preflight.New(options)
	if found := checker.Check(object); len(found) > 0 {
		b.Fatalf("findings: %v", found)
	}
	b.ReportAllocs()
	for b.Loop() {
		checker.Check(object)
	}
}

// BenchmarkAcross measures all objects of a large program together.
func BenchmarkAcross(b *testing.B) {
	var objects []map[string]any
	for i := range 2000 {
		workload := deployment()
		workload["metadata"] = map[string]any{"name": strconv.Itoa(i), "namespace": "shop"}
		labels := map[string]any{"app": "shop", "name": strconv.Itoa(i)}
		workload["spec"].(map[string]any)["template"].(map[string]any)["metadata"] = map[string]any{"labels": labels}
		objects = append(objects, workload, map[string]any{
			"kind": "Service", "metadata": map[string]any{"namespace": "shop"},
			"spec": map[string]any{"selector": labels, "externalTrafficPolicy": "Cluster"},
		})
	}
	checker := preflight.New(mixed(win22))
	for b.Loop() {
		checker.Across(objects)
	}
}

// A guess of Check from the name of a RuntimeClass may be certain with the class.
func TestJoin(t *testing.T) {
	t.Parallel()
	objects := fromYAML(t, `
kind: RuntimeClass
metadata: {name: windows-2022}
handler: runhcs-wcow-process
scheduling: {nodeSelector: {kubernetes.io/os: windows, node.kubernetes.io/windows-build: 10.0.20348}}
---
kind: Pod
metadata: {name: shop}
spec:
  runtimeClassName: windows-2022
  securityContext: {runAsUser: 1000}
  containers: [{name: shop, image: 'mcr.microsoft.com/windows/servercore:ltsc2019', command: [sh]}]
`)
	checker := preflight.New(v136)
	alone, across := checker.Check(objects[1]), checker.Across(objects)[1]
	want := []string{
		"error MK205", "warning MK201", "info MK211", "info MK105", "warning MK507", // alone
		"error MK201",                                                             // together
		"error MK205", "error MK201", "info MK211", "info MK105", "warning MK507", // joined
	}
	var got []string
	for _, findings := range [][]preflight.Finding{alone, across, preflight.Join(alone, across)} {
		for _, f := range findings {
			got = append(got, string(f.Severity)+" "+f.Rule)
		}
	}
	diffFindings(t, want, got)
}
