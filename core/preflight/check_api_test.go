package preflight_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
)

func TestOSName(t *testing.T) {
	t.Parallel()
	const (
		required  = `spec.os.name: Required value: write "windows" or "linux", or remove os (MK101)`
		supported = `: supported values: "linux", "windows": `
		either    = supported + `write "windows" or "linux" (MK102)`
	)
	tests := []struct {
		name, os string // YAML
		want     []string
	}{
		{"windows", "{name: windows}", nil},
		{"linux", "{name: linux}", nil},
		{"no os", "null", []string{"spec.os.name: is not set, and these are Windows pods: write windows (MK105)"}},
		{"os that is not known", `"$unknown"`, nil},
		{"os without a name", "{}", []string{required}},
		{"an empty name", `{name: ""}`, []string{required}},
		{"a name that is null", "{name: null}", []string{required}},
		{"a secret name that is empty", `{name: "$secret-"}`, []string{required}},
		{"a name that is not known", `{name: "$unknown"}`, nil},
		{
			"a name that is not a string", "{name: 1}",
			[]string{"spec.os.name: 1: is a number, and must be a string: quote it (MK166)"},
		},
		{
			"upper case", "{name: Windows}",
			[]string{`spec.os: Unsupported value: "Windows"` + supported + `write "windows" (MK102)`},
		},
		{"a space", `{name: "linux "}`, []string{"spec.os: … (MK102)"}},
		{"something else", "{name: plan9}", []string{`spec.os: Unsupported value: "plan9"` + either}},
		{"a secret", `{name: "$secret-plan9"}`, []string{`spec.os: Unsupported value: "[secret]"` + either}},
		{
			"a secret that is near", `{name: "$secret-Windows"}`,
			[]string{`spec.os: Unsupported value: "[secret]"` + either},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			wantFindings(t, object(t, inPod("", "os: "+tt.os, "")), v136, "MK1", tt.want...)
		})
	}
}

func TestWindowsPodsWithoutOSName(t *testing.T) {
	t.Parallel()
	const is, fix = "spec.os.name: is not set, and these are Windows pods", ": write windows (MK105)"
	pools := mixed(win22)
	pools.Topology.Pools[1].Labels = map[string]string{"team": "legacy"}
	for _, tt := range []struct {
		name, spec string
		options    preflight.Options
		want       string
	}{
		{"by the node selector", "nodeSelector: {kubernetes.io/os: windows}", v136, is + fix},
		{
			"by the image", "containers: [{name: a, image: mcr.microsoft.com/windows/nanoserver:ltsc2022}]", v136,
			is + fix,
		},
		{
			"by the image, with a RuntimeClass that is named like a platform",
			"runtimeClassName: windows-2022, containers: [{name: a, image: " +
				"'mcr.microsoft.com/windows/nanoserver:1809'}]",
			v136, is + fix,
		},
		{
			"by the caller", "containers: [{name: a, image: shop.example.com/shop}]",
			preflight.Options{Platform: platform.WindowsServer2022},
			is + fix,
		},
		{"by the pools that they select", "nodeSelector: {team: legacy}", pools, is + fix},
		{"labels of another pool", "nodeSelector: {team: web}", pools, ""},
		{"with it", "os: {name: windows}, nodeSelector: {kubernetes.io/os: windows}", v136, ""},
		{"os is not known", `os: "$unknown", nodeSelector: {kubernetes.io/os: windows}`, v136, ""},
		{"Linux pods", "nodeSelector: {kubernetes.io/os: linux}", v136, ""},
		{"unknown pods", "containers: [{name: a, image: shop.example.com/shop}]", v136, ""},
		{"only a RuntimeClass that is named like a platform", "runtimeClassName: windows-2022", v136, ""},
		{
			"pods that contradict themselves", "runtimeClassName: windows-2022, nodeSelector: {kubernetes.io/os: " +
				"linux}",
			pools, "",
		},
		{
			"by a word of a tag", "containers: [{name: a, image: 'shop.example.com/shop:ltsc2022'}]", v136,
			is + "; only the tag of spec.containers[0].image says Windows" + fix,
		},
		{
			"by a word of a tag and another image", "containers: [{name: a, image: " +
				"'shop.example.com/shop:ltsc2022'}, " +
				"{name: b, image: mcr.microsoft.com/windows/nanoserver:ltsc2022}]", v136, is + fix,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var want []string
			if tt.want != "" {
				want = []string{tt.want}
			}
			wantFindings(t, object(t, "{apiVersion: v1, kind: Pod, spec: {"+tt.spec+"}}"), tt.options, "MK105", want...)
		})
	}
}

// For an unknown OS name, the API server stops validating the fields.
func TestOSNameDecidesOnFields(t *testing.T) {
	t.Parallel()
	const linuxFields = "hostUsers: false, securityContext: {fsGroup: 1, windowsOptions: {}}"
	for name, os := range map[string]string{"no os": "", "an unknown name": `"$unknown"`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantFindings(t, object(t, inPod(os, linuxFields, "")), v136, "MK11,MK12,MK13,MK14")
		})
	}
	t.Run("another name", func(t *testing.T) {
		t.Parallel()
		wantFindings(t, object(t, inPod("Windows", linuxFields, "")), v136, "MK1",
			`spec.os: Unsupported value: "Windows": supported values: "linux", "windows": write "windows" (MK102)`)
	})
}

func TestWindowsOptionsOnLinux(t *testing.T) {
	t.Parallel()
	const refused = "securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod: " +
		"remove it, or set os.name to windows (MK103)"
	tests := []struct {
		name, spec, container string
		want                  []string
	}{
		{"none", "securityContext: {fsGroup: 1}", "securityContext: {privileged: true}", nil},
		{"null", "securityContext: {windowsOptions: null}", "securityContext: {windowsOptions: null}", nil},
		{"empty ones of the pod", "securityContext: {windowsOptions: {}}", "", []string{"spec." + refused}},
		{"some of the pod", "securityContext: {windowsOptions: {runAsUserName: u}}", "", []string{"spec." + refused}},
		{"some that are not known", `securityContext: {windowsOptions: "$unknown"}`, "", []string{"spec." + refused}},
		{"a security context that is not known", `securityContext: "$unknown"`, `securityContext: "$unknown"`, nil},
		{"of a container", "", "securityContext: {windowsOptions: {}}", []string{"spec.containers[0]." + refused}},
		{
			"of containers of all lists",
			"initContainers: [{name: a}, {name: b, securityContext: {windowsOptions: {}}}], ephemeralContainers: " +
				"[{name: c, securityContext: {windowsOptions: {}}}]", "",
			[]string{"spec.ephemeralContainers[0]." + refused, "spec.initContainers[1]." + refused},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			wantFindings(t, object(t, inPod("linux", tt.spec, tt.container)), v136, "MK1", tt.want...)
		})
	}
}

// Each row is a field that the API server refuses on a Windows pod.
var linuxFields = []struct {
	id, name, fix string
	set, unset    []string // values that count as set, and values that do not
}{
	{"MK110", "hostUsers", "remove it", []string{"true", "false", `"$unknown"`, `"$secret-true"`}, []string{"null"}},
	{"MK111", "hostPID", "remove it", []string{"true", `"$secret-true"`}, []string{"false", "null", `"$unknown"`}},
	{"MK112", "hostIPC", "remove it", []string{"true", `"$secret-true"`}, []string{"false", "null", `"$unknown"`}},
	{"MK113", "shareProcessNamespace", "remove it", []string{"true", "false", `"$unknown"`}, []string{"null"}},
}

const namedUser = "remove it, and name a user in windowsOptions.runAsUserName if the image's default user is not the " +
	"right one"

var linuxSecurityFields = []struct {
	id, name, fix  string
	pod, container bool // where the field is
	set, unset     []string
}{
	{
		"MK114", "appArmorProfile", "remove it", true, true,
		[]string{"{type: RuntimeDefault}", "{}", `"$unknown"`},
		[]string{"null"},
	},
	{"MK115", "seLinuxOptions", "remove it", true, true, []string{"{level: s0}", "{}"}, []string{"null"}},
	{"MK116", "seLinuxChangePolicy", "remove it", true, false, []string{"Recursive", `""`}, []string{"null"}},
	{"MK117", "seccompProfile", "remove it", true, true, []string{"{type: RuntimeDefault}", "{}"}, []string{"null"}},
	{
		"MK118", "fsGroup", "remove it", true, false,
		[]string{"0", "2000", `"$unknown"`, `"$secret-2000"`},
		[]string{"null"},
	},
	{"MK119", "fsGroupChangePolicy", "remove it", true, false, []string{"Always", `""`}, []string{"null"}},
	{
		"MK120", "sysctls", "remove it", true, false,
		[]string{"[{name: a, value: b}]", `"$unknown"`, `["$unknown"]`},
		[]string{"null", "[]"},
	},
	{"MK121", "runAsUser", namedUser, true, true, []string{"0", "1000"}, []string{"null"}},
	{"MK122", "runAsGroup", "remove it", true, true, []string{"0", "1000"}, []string{"null"}},
	{"MK123", "supplementalGroups", "remove it", true, false, []string{"[]", "[0]", `"$unknown"`}, []string{"null"}},
	{"MK124", "supplementalGroupsPolicy", "remove it", true, false, []string{"Merge", `""`}, []string{"null"}},
	{"MK125", "capabilities", "remove it", false, true, []string{"{drop: [ALL]}", "{add: []}", "{}"}, []string{"null"}},
	{"MK126", "readOnlyRootFilesystem", "remove it", false, true, []string{"true", "false"}, []string{"null"}},
	{
		"MK127", "privileged",
		"remove it; to access the node, use a host-process container, windowsOptions.hostProcess",
		false, true,
		[]string{"true", "false", `"$unknown"`},
		[]string{"null"},
	},
	{"MK128", "allowPrivilegeEscalation", "remove it", false, true, []string{"true", "false"}, []string{"null"}},
	{"MK129", "procMount", "remove it", false, true, []string{"Default", "Unmasked", `""`}, []string{"null"}},
	// These fields also apply to Windows.
	{"", "runAsNonRoot", "", true, true, nil, []string{"true", "false", "null"}},
	{"", "windowsOptions", "", true, true, nil, []string{"{}", "null", "{runAsUserName: ContainerUser}"}},
}

func TestLinuxFieldsOnWindows(t *testing.T) {
	t.Parallel()
	forbidden := func(path, fix, id string) string {
		return path + ": Forbidden: cannot be set for a windows pod: " + fix + " (" + id + ")"
	}
	for _, f := range linuxFields {
		for _, value := range f.set {
			t.Run(f.name+" "+value, func(t *testing.T) {
				t.Parallel()
				wantFindings(t, object(t, inPod("windows", f.name+": "+value, "")), v136, "MK10,MK11,MK12,MK13",
					forbidden("spec."+f.name, f.fix, f.id))
			})
		}
		for _, value := range f.unset {
			t.Run(f.name+" "+value, func(t *testing.T) {
				t.Parallel()
				wantFindings(t, object(t, inPod("windows", f.name+": "+value, "")), v136, "MK10,MK11,MK12,MK13")
			})
		}
	}
	for _, f := range linuxSecurityFields {
		for _, value := range f.set {
			context := "securityContext: {" + f.name + ": " + value + "}"
			var inSpec []string
			if f.pod {
				inSpec = []string{forbidden("spec.securityContext."+f.name, f.fix, f.id)}
			}
			t.Run(f.name+" "+value+" of the pod", func(t *testing.T) {
				t.Parallel()
				wantFindings(t, object(t, inPod("windows", context, "")), v136, "MK10,MK11,MK12,MK13", inSpec...)
			})
			for _, list := range []string{"containers", "initContainers", "ephemeralContainers"} {
				var inContainer []string
				if f.container {
					inContainer = []string{forbidden("spec."+list+"[0].securityContext."+f.name, f.fix, f.id)}
				}
				t.Run(f.name+" "+value+" of "+list, func(t *testing.T) {
					t.Parallel()
					text := inPod("windows", list+": [{name: first, "+context+"}]", "")
					if list == "containers" {
						text = inPod("windows", "", context)
					}
					wantFindings(t, object(t, text), v136, "MK10,MK11,MK12,MK13", inContainer...)
				})
			}
		}
		for _, value := range f.unset {
			t.Run(f.name+" "+value, func(t *testing.T) {
				t.Parallel()
				context := "securityContext: {" + f.name + ": " + value + "}"
				wantFindings(t, object(t, inPod("windows", context, context)), v136, "MK10,MK11,MK12,MK13")
			})
		}
	}
	t.Run("on Linux all of them are fine", func(t *testing.T) {
		t.Parallel()
		wantFindings(t, object(t,
			inPod("linux", "hostPID: true, securityContext: {fsGroup: 1}, resources: {}",
				"securityContext: {privileged: true}")), v136, "MK10,MK11,MK12,MK13")
	})
}

func TestAllAtOnceInTheOrderOfPaths(t *testing.T) {
	t.Parallel()
	wantFindings(t, object(t,
		inPod("windows", "hostPID: true, hostUsers: false, securityContext: {sysctls: [{name: a}], fsGroup: 1}",
			"securityContext: {runAsUser: 1, procMount: Default}")),
		v136, "MK1",
		"spec.containers[0].securityContext.procMount: Forbidden: cannot be set for a windows pod: remove it (MK129)",
		"spec.containers[0].securityContext.runAsUser: Forbidden: cannot be set for a windows pod: "+namedUser+
			" (MK121)",
		"spec.hostPID: Forbidden: cannot be set for a windows pod: remove it (MK111)",
		"spec.hostUsers: Forbidden: cannot be set for a windows pod: remove it (MK110)",
		"spec.securityContext.fsGroup: Forbidden: cannot be set for a windows pod: remove it (MK118)",
		"spec.securityContext.sysctls: Forbidden: cannot be set for a windows pod: remove it (MK120)",
	)
}

func TestPodResources(t *testing.T) {
	t.Parallel()
	const refused = "spec.resources: Forbidden: may not be set for a windows pod: set the resources of each " +
		"container (MK130)"
	tests := []struct {
		name, resources, version string
		want                     preflight.Severity // "" if there is none
	}{
		{"before they came", "{limits: {cpu: 1}}", "1.33", ""},
		{"since they came", "{limits: {cpu: 1}}", "1.34", preflight.Error},
		{"later", "{limits: {cpu: 1}}", "1.36.3", preflight.Error},
		{"in a version that is not known", "{limits: {cpu: 1}}", "", preflight.Warning},
		{"empty ones", "{}", "1.36", preflight.Error},
		{"unknown ones", `"$unknown"`, "1.36", preflight.Error},
		{"null", "null", "1.36", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			o := object(t, inPod("windows", "resources: "+tt.resources, ""))
			options := preflight.Options{KubernetesVersion: tt.version}
			if tt.want == "" {
				wantFindings(t, o, options, "MK1")
				return
			}
			wantFindings(t, o, options, "MK1", refused)
			for _, f := range preflight.Check(o, options) {
				if f.Severity != tt.want {
					t.Errorf("got severity %s, want %s: %s", f.Severity, tt.want, f)
				}
			}
		})
	}
}

func TestStopSignal(t *testing.T) {
	t.Parallel()
	const path = "spec.containers[0].lifecycle.stopSignal: "
	const detail = ": Windows supports only SIGKILL and SIGTERM: use one of these, or remove it (MK131)"
	tests := []struct {
		name, os, signal string
		want             []string
	}{
		{"SIGTERM", "windows", "SIGTERM", nil},
		{"SIGKILL", "windows", "SIGKILL", nil},
		{"null", "windows", "null", nil},
		{"not known", "windows", `"$unknown"`, nil},
		{"another", "windows", "SIGINT", []string{path + `"SIGINT"` + detail}},
		{"an empty one", "windows", `""`, []string{path + `""` + detail}},
		{"a secret one", "windows", `"$secret-SIGINT"`, []string{path + "[secret]" + detail}},
		{"on Linux", "linux", "SIGINT", nil},
		{"without os.name", "", "SIGINT", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			wantFindings(t, object(t, inPod(tt.os, "", "lifecycle: {stopSignal: "+tt.signal+"}")), v136, "MK131",
				tt.want...)
		})
	}
}

func TestPathsInEachKind(t *testing.T) {
	t.Parallel()
	const spec = "spec: {os: {name: windows}, securityContext: {fsGroup: 1}, containers: [{name: shop, " +
		"securityContext: {procMount: Default}}]}"
	for _, tt := range []struct{ kind, path, prefix string }{
		{"Pod", spec, ""},
		{"Deployment", "spec: {template: {" + spec + "}}", "spec.template."},
		{"ReplicaSet", "spec: {template: {" + spec + "}}", "spec.template."},
		{"StatefulSet", "spec: {template: {" + spec + "}}", "spec.template."},
		{"DaemonSet", "spec: {template: {" + spec + "}}", "spec.template."},
		{"ReplicationController", "spec: {template: {" + spec + "}}", "spec.template."},
		{"Job", "spec: {template: {" + spec + "}}", "spec.template."},
		{"CronJob", "spec: {jobTemplate: {spec: {template: {" + spec + "}}}}", "spec.jobTemplate.spec.template."},
		{"PodTemplate", "template: {" + spec + "}", "template."},
	} {
		t.Run(tt.kind, func(t *testing.T) {
			t.Parallel()
			wantFindings(t, object(t, "{kind: "+tt.kind+", "+tt.path+"}"), v136, "MK1",
				tt.prefix+"spec.containers[0].securityContext.procMount: … (MK129)",
				tt.prefix+"spec.securityContext.fsGroup: … (MK118)")
		})
	}
	for name, text := range map[string]string{
		"another kind":                    "{kind: ConfigMap, " + spec + "}",
		"no kind":                         "{" + spec + "}",
		"a template that is not known":    `{kind: Deployment, spec: {template: "$unknown"}}`,
		"a workload without a template":   "{kind: Deployment, spec: {}}",
		"pods where a template is wanted": "{kind: Deployment, " + spec + "}",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantFindings(t, object(t, text), v136, "MK10,MK11,MK12,MK13")
		})
	}
}

func TestIgnoredFindingsAreSuppressed(t *testing.T) {
	t.Parallel()
	o := object(t, inPod("windows",
		"hostUsers: false, securityContext: {fsGroup: 1, windowsOptions: {runAsUserName: ''}}", ""))
	o["metadata"] = map[string]any{
		"annotations": map[string]any{preflight.IgnoreAnnotation: " MK118 ,MK143,,mk-one,MK508"},
	}
	suppressed := map[string]bool{}
	for _, f := range preflight.Check(o, v136) {
		suppressed[f.Rule] = f.Suppressed
		if f.Blocks() == f.Suppressed {
			t.Errorf("suppressed is %v, blocks is %v: %s", f.Suppressed, f.Blocks(), f)
		}
	}
	for rule, want := range map[string]bool{"MK110": false, "MK118": true, "MK143": true, "MK901": false} {
		if got, reported := suppressed[rule]; !reported || got != want {
			t.Errorf("%s: reported %v, suppressed %v, want %v", rule, reported, got, want)
		}
	}
	wantFindings(t, o, v136, "MK9",
		`metadata.annotations[mixedkube.dev/ignore]: "mk-one": is not a rule: use an ID from `+
			`https://github.com/mixedkube/mixedkube/blob/main/docs/rules/README.md, or remove it (MK901)`)
}

// It is not an error to ignore a rule that was withdrawn.
func TestIDsOfRemovedRulesAreNotReused(t *testing.T) {
	t.Parallel()
	for _, rule := range preflight.Rules() {
		if rule.ID == "MK508" {
			t.Errorf("%s is another rule now: %s", rule.ID, rule.Title)
		}
	}
}

func TestPodsHaveContainers(t *testing.T) {
	t.Parallel()
	const fix = ": Required value: list what the pods run (MK170)"
	for _, tt := range []struct{ name, object, want string }{
		{"none", "{apiVersion: v1, kind: Pod, spec: {}}", "spec.containers"},
		{"an empty list", "{apiVersion: v1, kind: Pod, spec: {containers: []}}", "spec.containers"},
		{"only an init container", "{apiVersion: v1, kind: Pod, spec: {initContainers: [{name: " +
			"a}]}}", "spec.containers"},
		{"a container", "{apiVersion: v1, kind: Pod, spec: {containers: [{name: a}]}}", ""},
		{"not known", `{apiVersion: v1, kind: Pod, spec: {containers: "$unknown"}}`, ""},
		{"a container that is not known", `{apiVersion: v1, kind: Pod, spec: {containers: ["$unknown"]}}`, ""},
		{
			"a template", "{apiVersion: apps/v1, kind: Deployment, spec: {selector: {}, template: {spec: {}}}}",
			"spec.template.spec.containers",
		},
		{"a patch of a template", "{apiVersion: apps/v1, kind: Deployment, spec: {template: {spec: {}}}}", ""},
		{
			"a CronJob", "{apiVersion: batch/v1, kind: CronJob, spec: {schedule: '* * * * *', jobTemplate: {spec: " +
				"{template: {spec: {}}}}}}", "spec.jobTemplate.spec.template.spec.containers",
		},
		{
			"a Job", "{apiVersion: batch/v1, kind: Job, spec: {template: {spec: {restartPolicy: Never}}}}",
			"spec.template.spec.containers",
		},
		{
			"a custom resource", "{apiVersion: argoproj.io/v1alpha1, kind: Rollout, spec: {selector: {}, template: " +
				"{spec: {}}}}", "",
		},
		{
			"a runner of GitLab",
			`{apiVersion: v1, kind: ConfigMap, data: {config.toml: "[[runners]]\n[runners.kubernetes]\nimage = ` +
				`'alpine'"}}`,
			"",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var want []string
			if tt.want != "" {
				want = []string{tt.want + fix}
			}
			wantFindings(t, object(t, tt.object), v136, "MK170", want...)
		})
	}
}
