package preflight_test

import (
	"testing"
)

func TestHostProcess(t *testing.T) {
	t.Parallel()
	const (
		of      = "securityContext.windowsOptions.hostProcess: Invalid value: "
		differs = ": pod hostProcess value must be identical if both are specified, was "
		podOnly = ": set it on the pod only (MK160)"
		some    = `spec: Invalid value: "": If pod contains any hostProcess containers then all containers must be ` +
			`HostProcess containers: set securityContext.windowsOptions.hostProcess on the pod (MK161)`
		network = "spec.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess " +
			"containers: set hostNetwork: true (MK162)"
		hidden = `spec.hostNetwork: Invalid value: "[secret]": hostNetwork must be true if pod contains any ` +
			`hostProcess containers: set hostNetwork: true (MK162)`

		unknown = `"$unknown"`
		unset   = ""
		host    = "true"
	)
	context := func(hostProcess string) string {
		if hostProcess == unset {
			return ""
		}
		return "securityContext: {windowsOptions: {hostProcess: " + hostProcess + "}}"
	}
	second := func(hostProcess string) string {
		return "initContainers: [{" + flow("name: second", context(hostProcess)) + "}]"
	}
	debug := func(hostProcess string) string {
		return "ephemeralContainers: [{" + flow("name: debug", context(hostProcess)) + "}]"
	}
	tests := []struct {
		name      string
		pod       string // hostProcess of the pod
		container string // and of the container
		more      string // more of the spec
		network   string // hostNetwork
		want      []string
	}{
		{"none", unset, unset, "", unset, nil},
		{"none, said everywhere", "false", "false", "", "false", nil},
		{"of the pod", "true", unset, "", host, nil},
		{"of the pod and the container", "true", "true", "", host, nil},
		{"of the container", unset, "true", "", host, nil},
		{"null for the pod", "null", "true", "", host, nil},
		{"null for the container", "true", "null", "", host, nil},

		{"without hostNetwork", "true", unset, "", unset, []string{network}},
		{"with hostNetwork false", unset, "true", "", "false", []string{network}},
		{"with hostNetwork null", unset, "true", "", "null", []string{network}},
		{"with hostNetwork false in secret", unset, "true", "", `"$secret-false"`, []string{hidden}},
		{"with hostNetwork true in secret", unset, "true", "", `"$secret-true"`, nil},
		{"with a hostNetwork that is not known", unset, "true", "", unknown, nil},
		{"in secret", `"$secret-true"`, unset, "", unset, []string{network}},

		{
			"on the pod only", "true", "false", "", unset,
			[]string{"spec.containers[0]." + of + "false" + differs + "true" + podOnly},
		},
		{
			"on the container only", "false", "true", "", host,
			[]string{"spec.containers[0]." + of + "true" + differs + "false" + podOnly},
		},
		{
			"a secret of the container", "true", `"$secret-false"`, "", host,
			[]string{"spec.containers[0]." + of + `"[secret]"` + differs + "true" + podOnly},
		},
		{
			"a secret of the pod", `"$secret-true"`, "false", "", host,
			[]string{"spec.containers[0]." + of + "false" + differs + "[secret]" + podOnly},
		},
		{"what is not known does not differ", unknown, "true", "", host, nil},
		{"nor of the container", "true", unknown, "", host, nil},

		{"with another init container", unset, "true", second(unset), host, []string{some}},
		{"with an init container that says no", unset, "true", second("false"), host, []string{some}},
		{"with an ephemeral container", unset, "true", debug(unset), host, []string{some}},
		{"an init container only", unset, unset, second("true"), host, []string{some}},
		{"with an init container that says yes", unset, "true", second("true"), host, nil},
		{"all inherit", "true", unset, second(unset) + ", " + debug(unset), host, nil},
		{"all of it", "true", "true", second("false") + ", " + debug("false"), unset, []string{
			some,
			"spec.ephemeralContainers[0]." + of + "false" + differs + "true" + podOnly,
			network,
			"spec.initContainers[0]." + of + "false" + differs + "true" + podOnly,
		}},
		{"false of the pod is inherited", "false", unset, second("true"), host, []string{
			some, "spec.initContainers[0]." + of + "true" + differs + "false" + podOnly,
		}},

		{"a container that is not known counts as neither", unset, "true", second(unknown), host, nil},
		{
			"one with an unknown context", unset, "true", `initContainers: [{name: a, securityContext: "$unknown"}]`,
			host, nil,
		},
		{
			"one with unknown options", unset, "true",
			`initContainers: [{name: a, securityContext: {windowsOptions: "$unknown"}}]`, host, nil,
		},
		{"one that is wholly unknown", unset, "true", `initContainers: ["$unknown"]`, host, nil},
		{"a list that is unknown", unset, "true", `initContainers: "$unknown"`, host, nil},
		{"a pod that is not known is not inherited", unknown, unset, second("true"), host, nil},
		{
			"what is known is enough", unset, "true", second(unset) + ", " + debug(unknown), unset,
			[]string{some, network},
		},
		{"the pod alone is not", unknown, unset, "", unset, nil},
		{"a value that is not a boolean", unset, "1", second("true"), host, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			shared := ""
			if tt.network != unset {
				shared = "hostNetwork: " + tt.network
			}
			for _, os := range []string{"", "windows"} {
				wantFindings(t, object(t, inPod(os, flow(context(tt.pod), tt.more, shared), context(tt.container))),
					v136, "MK160,MK161,MK162,MK163", tt.want...)
			}
		})
	}
	t.Run("a pod without containers has none", func(t *testing.T) {
		t.Parallel()
		wantFindings(t, object(t, "{kind: Pod, spec: {securityContext: {windowsOptions: {hostProcess: true}}}}"), v136,
			"MK16")
	})
	t.Run("in a template", func(t *testing.T) {
		t.Parallel()
		wantFindings(t, object(t,
			"{kind: PodTemplate, template: {spec: {containers: [{name: a, "+context("true")+"}, {name: b}]}}}"), v136,
			"MK16",
			"template."+some, "template."+network)
	})
}

func TestHostPorts(t *testing.T) {
	t.Parallel()
	const rest = ": must match `containerPort` when `hostNetwork` is true: remove it (MK163)"
	tests := []struct {
		name, network, ports string
		want                 []string
	}{
		{"none", "true", "[]", nil},
		{"unset", "true", "[{containerPort: 80}]", nil},
		{"null", "true", "[{containerPort: 80, hostPort: null}]", nil},
		{"0", "true", "[{containerPort: 80, hostPort: 0}]", nil},
		{"the same", "true", "[{containerPort: 80, hostPort: 80}]", nil},
		{
			"another", "true", "[{containerPort: 80, hostPort: 81}]",
			[]string{"spec.containers[0].ports[0].hostPort: Invalid value: 81" + rest},
		},
		{"several", "true", "[{containerPort: 80, hostPort: 81}, {containerPort: 80, hostPort: 80}, {containerPort: " +
			"82, hostPort: 83}]", []string{
			"spec.containers[0].ports[0].hostPort: Invalid value: 81" + rest,
			"spec.containers[0].ports[2].hostPort: Invalid value: 83" + rest,
		}},
		{
			"without a containerPort", "true", "[{hostPort: 81}]",
			[]string{"spec.containers[0].ports[0].hostPort: Invalid value: 81" + rest},
		},
		{"with one that is not known", "true", `[{containerPort: "$unknown", hostPort: 81}]`, nil},
		{"not known", "true", `[{containerPort: 80, hostPort: "$unknown"}]`, nil},
		{"in the pods' own network", "false", "[{containerPort: 80, hostPort: 81}]", nil},
		{"in a network that is not known", `"$unknown"`, "[{containerPort: 80, hostPort: 81}]", nil},
		{"a port that is not known", "true", `["$unknown"]`, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, os := range []string{"", "linux", "windows"} {
				wantFindings(t, object(t, inPod(os, "hostNetwork: "+tt.network, "ports: "+tt.ports)), v136, "MK163",
					tt.want...)
			}
		})
	}
	t.Run("init containers are not looked at", func(t *testing.T) {
		t.Parallel()
		const others = "hostNetwork: true, initContainers: [{name: a, ports: [{containerPort: 80, hostPort: 81}]}]"
		wantFindings(t, object(t, inPod("windows", others, "")), v136, "MK163")
	})
}
