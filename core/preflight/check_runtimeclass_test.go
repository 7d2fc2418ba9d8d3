package preflight_test

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/preflight"
)

const (
	labelText = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and " +
		"must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used " +
		"for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
	nameText = "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an " +
		"alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is " +
		"'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
)

// class returns a RuntimeClass; the text is YAML in flow style.
func class(t *testing.T, text string) map[string]any {
	t.Helper()
	return object(t, "{"+flow("apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: windows-2022}", text)+
		"}")
}

func TestHandler(t *testing.T) {
	t.Parallel()
	const (
		fix      = ": write the handler of the nodes' containerd, runhcs-wcow-process for Windows (MK404)"
		required = "handler: Required value" + fix
		label    = ": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must " +
			"start and end with an alphanumeric character " +
			"(e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')" + fix
		long    = ": must be no more than 63 characters" + fix
		isolate = `: Hyper-V isolation, which Kubernetes documents as unsupported on Windows: use ` +
			`runhcs-wcow-process, unless the nodes have containerd 1.7 or later and Hyper-V (MK405)`
	)
	tests := []struct {
		name, handler string
		want          []string
	}{
		{"process isolation", "handler: runhcs-wcow-process", nil},
		{"another", "handler: runsc", nil},
		{"none", "", []string{required}},
		{"null", "handler: null", []string{required}},
		{"an empty one", `handler: ""`, []string{required}},
		{"a secret one that is empty", `handler: "$secret-"`, []string{required}},
		{"one that is not known", `handler: "$unknown"`, nil},
		{"one that is not a string", "handler: 1", nil},
		{"63 characters", "handler: " + strings.Repeat("a", 63), nil},
		{
			"64 characters", "handler: " + strings.Repeat("a", 64),
			[]string{`handler: Invalid value: "` + strings.Repeat("a", 64) + `"` + long},
		},
		{
			"an underscore", "handler: runhcs_wcow_process",
			[]string{`handler: Invalid value: "runhcs_wcow_process"` + label},
		},
		{"a period", "handler: a.b", []string{`handler: Invalid value: "a.b": must not contain dots` + fix}},
		{
			"all at once", "handler: " + strings.Repeat("A", 64),
			[]string{
				`handler: Invalid value: "` + strings.Repeat("A", 64) + `"` + long,
				`handler: Invalid value: "` + strings.Repeat("A", 64) + `"` + label,
			},
		},
		{"a secret", `handler: "$secret-A"`, []string{`handler: Invalid value: "[secret]"` + label}},
		{
			"that of dockershim", "handler: docker",
			[]string{`handler: "docker": is a handler of dockershim and cri-dockerd, and containerd has none of that ` +
				`name: write the handler of the nodes' containerd, runhcs-wcow-process for Windows (MK414)`},
		},
		{
			"that of the documentation", "handler: example-container-runtime-handler",
			[]string{`handler: "example-container-runtime-handler": is a placeholder of the documentation: write the ` +
				`handler of the nodes' containerd, runhcs-wcow-process for Windows (MK414)`},
		},
		{"that of Linux, without a selector", "handler: runc", nil},
		{"that of Linux on Linux", "handler: kata, scheduling: {nodeSelector: {kubernetes.io/os: linux}}", nil},
		{
			"that of Linux on Windows", "handler: runc, scheduling: {nodeSelector: {kubernetes.io/os: windows}}",
			[]string{`handler: "runc": is the handler of a Linux runtime, and the class selects Windows nodes: write ` +
				`the handler of the nodes' containerd, runhcs-wcow-process for Windows (MK414)`},
		},
		{
			"a misspelled one", "handler: runhcs-wcow-procss, scheduling: {nodeSelector: {kubernetes.io/os: windows}}",
			[]string{`handler: "runhcs-wcow-procss": is not a handler that containerd has on Windows: did you mean ` +
				`runhcs-wcow-process? (MK414)`},
		},
		{
			"that of dockershim on Linux", "handler: docker, scheduling: {nodeSelector: {kubernetes.io/os: linux}}",
			[]string{`handler: "docker": is a handler of dockershim and cri-dockerd, and containerd has none of that ` +
				`name: write the handler of the nodes' containerd, runc if it is the default (MK414)`},
		},
		{"one's own on Windows", "handler: wcow, scheduling: {nodeSelector: {kubernetes.io/os: windows}}", nil},
		{
			"that of Windows on Linux",
			"handler: runhcs-wcow-process, scheduling: {nodeSelector: {kubernetes.io/os: linux}}",
			[]string{`handler: "runhcs-wcow-process": is a handler of Windows nodes, and the class selects Linux ` +
				`nodes: write the handler of the nodes' containerd, runc if it is the default (MK414)`},
		},
		{
			"Hyper-V isolation", "handler: runhcs-wcow-hypervisor",
			[]string{`handler: "runhcs-wcow-hypervisor"` + isolate},
		},
		{
			"Hyper-V isolation in secret", `handler: "$secret-runhcs-wcow-hypervisor"`,
			[]string{"handler: [secret]" + isolate},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			wantFindings(t, class(t, tt.handler), v136, "MK40,MK414", tt.want...)
		})
	}
	t.Run("none, as each version says it", func(t *testing.T) {
		t.Parallel()
		for version, want := range map[string]string{
			"": required, "1.35": `handler: Invalid value: ""` + label,
			"1.36": required,
		} {
			options := preflight.Options{KubernetesVersion: version}
			wantFindings(t, class(t, ""), options, "MK40", want)
			wantFindings(t, class(t, `handler: ""`), options, "MK40", want)
		}
	})
	t.Run("a class of another API is nothing of ours", func(t *testing.T) {
		t.Parallel()
		wantFindings(t, object(t, "{apiVersion: example.com/v1, kind: RuntimeClass}"), v136, "MK")
	})
	t.Run("a class without an apiVersion is Kubernetes' own", func(t *testing.T) {
		t.Parallel()
		wantFindings(t, object(t, "{kind: RuntimeClass}"), v136, "MK40", required)
	})
}

func TestClassNodeSelector(t *testing.T) {
	t.Parallel()
	const path = "scheduling.nodeSelector: Invalid value: "
	const fix = ": write a label that nodes can have, or remove it (MK410)"
	long := strings.Repeat("a", 64)
	tests := []struct {
		name, selector string
		want           []string
	}{
		{"labels", "{kubernetes.io/os: windows, a: ''}", nil},
		{"none", "{}", nil},
		{"null", "null", nil},
		{"one that is not known", `"$unknown"`, nil},
		{"a value that is not known", `{a: "$unknown"}`, nil},
		{"a malformed key", "{os_: windows}", []string{path + `"os_": ` + nameText + fix}},
		{"a malformed value", "{os: Windows Server}", []string{path + `"Windows Server": ` + labelText + fix}},
		{
			"a malformed value in secret", `{os: "$secret-Windows Server"}`,
			[]string{path + `"[secret]": ` + labelText + fix},
		},
		{
			"a value that is too long", "{os: " + long + "}",
			[]string{path + `"` + long + `": must be no more than 63 bytes` + fix},
		},
		{"in the order of the keys", "{h: -h, c: -c, g: -g, a: -a, f: -f, b_: -b, e: -e, d: -d}", []string{
			path + `"-a": ` + labelText + fix, path + `"b_": ` + nameText + fix, path + `"-b": ` + labelText + fix,
			path + `"-c": ` + labelText + fix,
			path + `"-d": ` + labelText + fix, path + `"-e": ` + labelText + fix, path + `"-f": ` + labelText + fix,
			path + `"-g": ` + labelText + fix, path + `"-h": ` + labelText + fix,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			o := class(t, "handler: a, scheduling: {nodeSelector: "+tt.selector+"}")
			wantFindings(t, o, v136, "MK41", tt.want...)
		})
	}
}

func TestClassTolerations(t *testing.T) {
	t.Parallel()
	const (
		first   = "scheduling.tolerations[0]."
		key     = ": write the key of the nodes' taint (MK411)"
		value   = ": write the value of the nodes' taint (MK411)"
		anyKey  = ": operator must be Exists when `key` is empty, which means \"match all values and all keys\"" + key
		seconds = ": effect must be 'NoExecute' when `tolerationSeconds` is set: remove tolerationSeconds, or write " +
			"NoExecute (MK411)"
		exists  = ": value must be empty when `operator` is 'Exists': remove the value, or write Equal (MK411)"
		two     = `: supported values: "Equal", "Exists": write Equal or Exists (MK411)`
		four    = `: supported values: "Equal", "Exists", "Lt", "Gt": write Equal or Exists (MK411)`
		effects = `: supported values: "NoSchedule", "PreferNoSchedule", "NoExecute": write NoSchedule, the effect ` +
			`of most taints (MK411)`
		repeated = `: Duplicate value: {"effect":"NoSchedule","key":"os"}: remove it (MK411)`
	)
	tests := []struct {
		name, tolerations, version string
		want                       []string
	}{
		{"a good one", "[{key: os, operator: Equal, value: windows, effect: NoSchedule}]", "1.36", nil},
		{"without an operator or effect", "[{key: os, value: windows}]", "1.36", nil},
		{"of every taint", "[{operator: Exists}]", "1.36", nil},
		{"for a time", "[{key: os, operator: Exists, effect: NoExecute, tolerationSeconds: 60}]", "1.36", nil},
		{"of the third effect", "[{key: os, effect: PreferNoSchedule}]", "1.36", nil},
		{"none", "[]", "1.36", nil},
		{
			"unknown ones", `["$unknown", {key: "$unknown", operator: none}, {key: os, value: "$unknown", operator: ` +
				`none}]`, "1.36", nil,
		},

		{"a malformed key", "[{key: os_}]", "1.36", []string{first + `key: Invalid value: "os_": ` + nameText + key}},
		{
			"a malformed key in secret", `[{key: "$secret-os_"}]`, "1.36",
			[]string{first + `key: Invalid value: "[secret]": ` + nameText + key},
		},
		{"no key", "[{value: windows}]", "1.36", []string{first + `operator: Invalid value: ""` + anyKey}},
		{
			"an empty key with Equal", "[{key: '', operator: Equal}]", "1.36",
			[]string{first + `operator: Invalid value: "Equal"` + anyKey},
		},
		{
			"a time for another effect", "[{key: os, effect: NoSchedule, tolerationSeconds: 0}]", "1.36",
			[]string{first + `effect: Invalid value: "NoSchedule"` + seconds},
		},
		{
			"a time for every effect", "[{key: os, tolerationSeconds: 60}]", "1.36",
			[]string{first + `effect: Invalid value: ""` + seconds},
		},
		{
			"a time that is not known", `[{key: os, tolerationSeconds: "$unknown"}]`, "1.36",
			[]string{first + `effect: Invalid value: ""` + seconds},
		},
		{
			"a malformed value", "[{key: os, value: Windows Server}]", "1.36",
			[]string{first + `operator: Invalid value: "Windows Server": ` + labelText + value},
		},
		{
			"a value with Exists", "[{key: os, operator: Exists, value: windows}]", "1.36",
			[]string{first + `operator: Invalid value: "windows"` + exists},
		},
		{
			"another operator", "[{key: os, operator: exists}]", "1.36",
			[]string{first + `operator: Unsupported value: "exists"` + two},
		},
		{
			"a comparison before it came", "[{key: os, operator: Lt, value: '1'}]", "1.34",
			[]string{first + `operator: Unsupported value: "Lt"` + two},
		},
		{
			"a comparison", "[{key: os, operator: Gt, value: '1'}]", "1.35",
			[]string{first + `operator: Unsupported value: "Gt"` + four},
		},
		{
			"a comparison in a version that is not known", "[{key: os, operator: Lt, value: '1'}]", "",
			[]string{first + `operator: Unsupported value: "Lt"` + four},
		},
		{
			"another effect", "[{key: os, effect: noSchedule}]", "1.36",
			[]string{first + `effect: Unsupported value: "noSchedule"` + effects},
		},
		{
			"one twice", "[{key: os, effect: NoSchedule}, {key: a}, {key: os, effect: NoSchedule}]", "1.36",
			[]string{"scheduling.tolerations[2]" + repeated},
		},
		{
			"two that differ", "[{key: os, effect: NoSchedule}, {key: os, effect: NoExecute}, {key: os, operator: " +
				"Exists}]", "1.36", nil,
		},
		{"all at once", "[{operator: none, value: ' ', effect: a, tolerationSeconds: 1}]", "1.36", []string{
			first + `effect: Invalid value: "a"` + seconds, first + `effect: Unsupported value: "a"` + effects,
			first + `operator: Invalid value: "none"` + anyKey, first + `operator: Unsupported value: "none"` + two,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			o := class(t, "handler: a, scheduling: {tolerations: "+tt.tolerations+"}")
			wantFindings(t, o, preflight.Options{KubernetesVersion: tt.version}, "MK41", tt.want...)
		})
	}
}

func TestClassOverhead(t *testing.T) {
	t.Parallel()
	const (
		path     = "overhead.podFixed"
		named    = ": write cpu, memory or ephemeral-storage (MK412)"
		standard = ": must be a standard resource for containers" + named
		extended = ": doesn't follow extended resource name standard" + named
		negative = ": must be greater than or equal to 0: write what a pod takes in addition, or remove it (MK413)"
		whole    = ": must be an integer: write a whole number (MK413)"
	)
	tests := []struct {
		name, podFixed string
		want           []string
	}{
		{"resources of containers", "{cpu: 250m, memory: 256Mi, ephemeral-storage: 1G, hugepages-2Mi: 2Mi}", nil},
		{"a number", "{cpu: 1}", nil},
		{"an extended resource", "{example.com/licenses: '1'}", nil},
		{"none", "{}", nil},
		{"one that is not known", `"$unknown"`, nil},
		{"an amount that is not known", `{cpu: "$unknown"}`, nil},
		{"an invalid amount", "{cpu: much}", nil},
		{"another name", "{ram: 1Gi}", []string{path + `[ram]: Invalid value: "ram"` + standard}},
		{"a quota", "{pods: '1'}", []string{path + `[pods]: Invalid value: "pods"` + standard}},
		{
			"a malformed name", "{ram_: 1Gi}",
			[]string{
				path + `[ram_]: Invalid value: "ram_": ` + nameText + named,
				path + `[ram_]: Invalid value: "ram_"` + standard,
			},
		},
		{
			"a malformed extended resource", "{example.com/a_: '1'}",
			[]string{path + `[example.com/a_]: Invalid value: "example.com/a_": ` + nameText + named},
		},
		{
			"a quota of an extended resource", "{requests.example.com/a: '1'}",
			[]string{path + `[requests.example.com/a]: Invalid value: "requests.example.com/a"` + extended},
		},
		{"a resource of Kubernetes with its domain", "{kubernetes.io/a: 500m}", nil},
		{"a negative amount", "{memory: -256Mi}", []string{path + `[memory]: Invalid value: "-256Mi"` + negative}},
		{"a negative number", "{cpu: -1}", []string{path + `[cpu]: Invalid value: -1` + negative}},
		{
			"a negative amount in secret", `{cpu: "$secret--1"}`,
			[]string{path + `[cpu]: Invalid value: "[secret]"` + negative},
		},
		{"nothing", "{cpu: 0}", nil},
		{
			"a fraction of an extended resource", "{example.com/licenses: 1500m}",
			[]string{path + `[example.com/licenses]: Invalid value: "1500m"` + whole},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			wantFindings(t, class(t, "handler: a, overhead: {podFixed: "+tt.podFixed+"}"), v136, "MK41", tt.want...)
		})
	}
}
