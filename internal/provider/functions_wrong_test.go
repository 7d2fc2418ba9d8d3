package provider

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
)

// wrongCall is a call of a function with a mistake, and a part of its error.
type wrongCall struct {
	token string
	args  map[string]any
	want  string
}

func TestWrongArgumentsOfFunctions(t *testing.T) {
	t.Parallel()
	all := wrongCalls()
	maps.Copy(all, wrongNetworks())
	for name, tt := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := call(t, "mixedkube:"+tt.token, resource.NewPropertyMapFromMap(tt.args))
			if err == nil {
				t.Fatalf("no error, but %s", got)
			}
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error:\n%v\nwithout:\n%s", err, tt.want)
			}
		})
	}
}

func wrongCalls() map[string]wrongCall {
	secret := resource.MakeSecret(resource.NewProperty("windows-2022"))
	unknown := resource.MakeComputed(resource.NewProperty(""))
	return map[string]wrongCall{
		"several": {
			"topology:tolerations",
			map[string]any{"platform": "windos-2022", "topology": map[string]any{
				"pools": []any{map[string]any{"name": "sys", "platform": "linux", "taints": []any{"os=windows"}}},
			}},
			"mixedkube:topology:tolerations:\n" +
				"  platform: Invalid value: \"windos-2022\": unknown platform: did you mean \"windows-2022\"? a pool " +
				"runs linux, windows-2019, windows-2022 or windows-2025\n" +
				"  topology.pools[0].taints[0]: Invalid value: \"os=windows\": ",
		},
		"values": {
			"topology:tolerations",
			map[string]any{"platform": "windows-2016", "topology": map[string]any{
				"pools": []any{map[string]any{"name": "Sys", "platform": "linux"}},
			}},
			"mixedkube:topology:tolerations:\n" +
				"  platform: Invalid value: \"windows-2016\": Windows Server 2016 is no longer supported as a node: " +
				"a pool runs linux, windows-2019, windows-2022 or windows-2025\n" +
				"  topology.pools[0].name: Invalid value: \"Sys\": ",
		},
		"an unknown key": {
			"topology:nodeSelector",
			map[string]any{"plattform": "linux"},
			"mixedkube:topology:nodeSelector:\n" +
				"  platform: Required value: a pool runs linux, windows-2019, windows-2022 or windows-2025\n" +
				`  plattform: Invalid value: "plattform": unknown key: did you mean "platform"?`,
		},
		"a wrong type": {
			"workload:tcpProbe",
			map[string]any{"port": "http"},
			`mixedkube:workload:tcpProbe: port: Invalid value: "http": must be a whole number`,
		},
		"no image": {
			"platform:fromImage",
			map[string]any{},
			"mixedkube:platform:fromImage: image: Required value: the reference of an image, web:1.0-ltsc2022 " +
				"for example",
		},
		"no port": {
			"workload:httpProbe",
			map[string]any{},
			"mixedkube:workload:httpProbe: port: Required value: the port of the container, 80 for example",
		},
		"no topology": {
			"topology:tolerations",
			map[string]any{"platform": "linux"},
			"mixedkube:topology:tolerations: topology.pools: Required value: at least one Linux pool",
		},
		"no object": {
			"preflight:check",
			map[string]any{"kubernetesVersion": "next"},
			"mixedkube:preflight:check:\n" +
				"  kubernetesVersion: Invalid value: \"next\": not a Kubernetes version: write 1.36 or 1.36.3\n" +
				"  object.apiVersion: Required value: each Kubernetes object has one\n" +
				"  object.kind: Required value: each Kubernetes object has one",
		},
		"a text instead of an object": {
			"preflight:check",
			map[string]any{"object": "Pod"},
			`mixedkube:preflight:check: object: Invalid value: "Pod": must be an object`,
		},
		"a secret topology": {
			"topology:tolerations",
			map[string]any{
				"topology": resource.MakeSecret(resource.NewPropertyValue(shop)), "platform": "windows-2022",
			},
			"topology: Invalid value: " + mustBeShown,
		},
		"a secret in a plain argument": {
			"topology:nodeSelector",
			map[string]any{"platform": secret},
			"mixedkube:topology:nodeSelector: platform: Invalid value: " + mustBePlain,
		},
		"a topology that is not known": {
			"topology:tolerations",
			map[string]any{"platform": "linux", "topology": unknown},
			"mixedkube:topology:tolerations: topology: Invalid value: is not known yet: call the function's " +
				"form that takes outputs, which waits for the value",
		},
		"an unknown function": {
			"topology:toleration",
			map[string]any{},
			`"mixedkube:topology:toleration": unknown function: did you mean "mixedkube:topology:tolerations"?`,
		},
	}
}

// TestSecretsInFunctions passes secrets to the function that takes any value: the result is a secret, and does not show
// them.
func TestSecretsInFunctions(t *testing.T) {
	t.Parallel()
	secret := func(v any) resource.PropertyValue { return resource.MakeSecret(resource.NewPropertyValue(v)) }
	for name, tt := range map[string]struct {
		token string
		args  map[string]any
		// property is a property of the result that contains this.
		property resource.PropertyKey
		contains string
	}{
		"an object": {
			"preflight:check",
			map[string]any{"object": iis(secret("hush/iis:windowsservercore-ltsc2019"))},
			"findings",
			"spec.template.spec.hostPID",
		},
		"a value with a finding": {
			"preflight:check",
			map[string]any{"object": iis(secret("hush/iis UPPER"))},
			"findings",
			"spec.template.spec.containers[0].image",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := call(t, "mixedkube:"+tt.token, resource.NewPropertyMapFromMap(tt.args))
			if err != nil {
				t.Fatal(err)
			}
			for key, v := range got {
				if !v.IsSecret() {
					t.Errorf("%s is not a secret: %v", key, v)
				}
			}
			content, err := json.Marshal(got[tt.property].SecretValue().Element.Mappable())
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(content), tt.contains) || strings.Contains(string(content), "hush") {
				t.Errorf("%s shows a secret, or does not contain %s:\n%s", tt.property, tt.contains, content)
			}
		})
	}
}
