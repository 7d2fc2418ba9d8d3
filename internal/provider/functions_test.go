package provider

import (
	"encoding/json"
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"

	"github.com/mixedkube/mixedkube/components/gmsa"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
)

// call calls a function of the plugin, as the engine does.
func call(t *testing.T, token string, args resource.PropertyMap) (resource.PropertyMap, error) {
	t.Helper()
	keep := plugin.MarshalOptions{KeepUnknowns: true, KeepSecrets: true}
	marshaled, err := plugin.MarshalProperties(args, keep)
	if err != nil {
		t.Fatal(err)
	}
	response, err := serve(t, newServer("1.2.3", nil)).Invoke(t.Context(),
		&pulumirpc.InvokeRequest{Tok: token, Args: marshaled})
	if err != nil {
		return nil, err
	}
	returned, err := plugin.UnmarshalProperties(response.GetReturn(), keep)
	if err != nil {
		t.Fatal(err)
	}
	return returned, nil
}

// shop is a topology as a component returns it to a program in another language.
var shop = map[string]any{
	"kubernetesVersion": "1.36",
	"pools": []any{
		map[string]any{"name": "sys", "platform": "linux"},
		map[string]any{
			"name": "win22", "platform": "windows-2022",
			"taints": []any{"os=windows:NoSchedule", "gpu:NoExecute"},
		},
	},
}

// iis returns a Deployment with a mistake.
func iis(image any) map[string]any {
	return map[string]any{
		"apiVersion": "apps/v1", "kind": "Deployment",
		"metadata": map[string]any{"name": "iis", "annotations": map[string]any{"mixedkube.dev/ignore": "MK112"}},
		"spec": map[string]any{
			"selector": map[string]any{"matchLabels": map[string]any{"app": "iis"}},
			"template": map[string]any{
				"metadata": map[string]any{"labels": map[string]any{"app": "iis"}},
				"spec": map[string]any{
					"os": map[string]any{"name": "windows"}, "hostPID": true,
					"nodeSelector": map[string]any{"kubernetes.io/os": "windows"},
					"containers":   []any{map[string]any{"name": "iis", "image": image}},
				},
			},
		},
	}
}

// functionCase is a call of a function, and its result.
type functionCase struct {
	token      string
	args, want map[string]any
}

// TestFunctionsMatchGo compares the results of functions with those of the functions in Go.
func TestFunctionsMatchGo(t *testing.T) {
	t.Parallel()
	all := map[string]functionCase{}
	for _, cases := range []map[string]functionCase{
		placing(t), checking(t), probing(), logging(), kinds(t), networking(t),
	} {
		maps.Copy(all, cases)
	}
	for name, tt := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := call(t, "mixedkube:"+tt.token, resource.NewPropertyMapFromMap(tt.args))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(inJSON(t, tt.want), inJSON(t, got.Mappable())); diff != "" {
				t.Errorf("result (-Go +plugin):\n%s", diff)
			}
		})
	}
}

// shopInGo returns the topology of the tests in Go.
func shopInGo(t *testing.T) topology.Topology {
	t.Helper()
	cluster, errs := topology.Decode(shop, nil)
	if len(errs) > 0 {
		t.Fatal(errs.ToAggregate())
	}
	return cluster
}

// placing returns calls of the functions that place pods.
func placing(t *testing.T) map[string]functionCase {
	t.Helper()
	image := func(ref string) map[string]any {
		of := platform.FromImage(ref)
		want := map[string]any{"hostProcess": of.HostProcess, "byTag": of.ByTag}
		if of.OS != "" {
			want["os"] = of.OS
		}
		if of.Release != "" {
			want["release"] = of.Release
		}
		return want
	}
	return map[string]functionCase{
		"Windows image": {
			"platform:fromImage",
			map[string]any{"image": "golang:1.26-windowsservercore-ltsc2025"},
			image("golang:1.26-windowsservercore-ltsc2025"),
		},
		"image by its tag": {
			"platform:fromImage",
			map[string]any{"image": "shop.example.com/nginx:1.27-alpine"},
			image("shop.example.com/nginx:1.27-alpine"),
		},
		"unknown image": {
			"platform:fromImage",
			map[string]any{"image": "nginx:1.27"},
			map[string]any{"hostProcess": false, "byTag": false},
		},
		"tolerations": {
			"topology:tolerations",
			map[string]any{"topology": shop, "platform": "windows-2022"},
			map[string]any{"tolerations": shopInGo(t).WithDefaults().Tolerations(platform.WindowsServer2022)},
		},
		"tolerations, in AKS": {
			"topology:tolerations",
			map[string]any{
				"topology": map[string]any{"cloud": "aks", "pools": shop["pools"]}, "platform": "windows-2022",
			},
			map[string]any{"tolerations": shopInGo(t).WithDefaults().Tolerations(platform.WindowsServer2022)},
		},
		"no tolerations": {
			"topology:tolerations",
			map[string]any{"topology": shop, "platform": "linux"},
			map[string]any{"tolerations": []any{}},
		},
		"node selector": {
			"topology:nodeSelector",
			map[string]any{"platform": "windows-2022"},
			map[string]any{"nodeSelector": topology.NodeSelector(platform.WindowsServer2022)},
		},
	}
}

// checking returns calls of the function that checks objects.
func checking(t *testing.T) map[string]functionCase {
	t.Helper()
	cluster := shopInGo(t)
	findings := func(object map[string]any, options preflight.Options) []any {
		all := []any{}
		for _, f := range preflight.Check(object, options) {
			one := map[string]any{
				"rule": f.Rule, "severity": f.Severity, "path": f.Path, "message": f.Summary(),
				"suppressed": f.Suppressed,
			}
			if f.Value != nil {
				one["value"] = f.Value
			}
			if f.Fix != "" {
				one["fix"] = f.Fix
			}
			all = append(all, one)
		}
		return all
	}
	const ltsc2019 = "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2019"
	landing, _ := preflight.New(preflight.Options{Topology: cluster}).Landing(iis(ltsc2019))
	return map[string]functionCase{
		"findings": {
			"preflight:check",
			map[string]any{"object": iis(ltsc2019)},
			map[string]any{"findings": findings(iis(ltsc2019), preflight.Options{})},
		},
		"findings in a cluster": {
			"preflight:check",
			map[string]any{"object": iis(ltsc2019), "topology": shop},
			map[string]any{
				"findings": findings(iis(ltsc2019), preflight.Options{Topology: cluster}), "landing": landing.String(),
			},
		},
		"no findings": {
			"preflight:check",
			map[string]any{"object": map[string]any{"apiVersion": "v1", "kind": "Namespace"}},
			map[string]any{"findings": []any{}},
		},
	}
}

// probing returns calls of the functions that create probes.
func probing() map[string]functionCase {
	powerShell := map[string]any{"probe": map[string]any{
		"exec": map[string]any{"command": []any{
			"powershell.exe", "-NoProfile", "-NonInteractive", "-Command",
			"$$ErrorActionPreference = 'Stop'\nGet-Service $$env:NAME\nexit $$LASTEXITCODE",
		}},
		"timeoutSeconds": 30, "periodSeconds": 30,
	}}
	return map[string]functionCase{
		"HTTP probe": {
			"workload:httpProbe",
			map[string]any{"path": "/healthz", "port": 80},
			map[string]any{"probe": map[string]any{
				"httpGet": map[string]any{"path": "/healthz", "port": 80}, "timeoutSeconds": 10,
			}},
		},
		"HTTP probe without a path": {
			"workload:httpProbe",
			map[string]any{"port": 80},
			map[string]any{"probe": map[string]any{"httpGet": map[string]any{"port": 80}, "timeoutSeconds": 10}},
		},
		"TCP probe": {
			"workload:tcpProbe",
			map[string]any{"port": 1433},
			map[string]any{"probe": map[string]any{"tcpSocket": map[string]any{"port": 1433}}},
		},
		"PowerShell probe": {
			"workload:powerShellProbe", map[string]any{"script": "Get-Service $env:NAME"}, powerShell,
		},
	}
}

// logging returns calls of the functions for LogMonitor.
func logging() map[string]functionCase {
	sources := func(application string) map[string]any {
		const information = "Information"
		return map[string]any{"sources": []any{
			map[string]any{
				"type": "EventLog", "startAtOldestRecord": true, "channels": []any{
					map[string]any{"name": "system", "level": "Error"},
					map[string]any{"name": "application", "level": application},
				},
			},
			map[string]any{
				"type": "File", "directory": `C:\inetpub\logs`, "filter": "*.log", "includeSubdirectories": true,
			},
			map[string]any{"type": "ETW", "providers": []any{
				map[string]any{
					"providerName": "IIS: WWW Server", "providerGuid": "3A2A4E84-4C21-4981-AE10-3FDA0D9B0F83",
					"level": information,
				},
				map[string]any{
					"providerName": "Microsoft-Windows-IIS-Logging",
					"providerGuid": "7E8AD27F-B271-4EA2-A783-A47BDE29143B", "level": information,
				},
			}},
		}}
	}
	return map[string]functionCase{
		"sources of IIS":     {"logmonitor:iis", nil, sources("Error")},
		"sources of ASP.NET": {"logmonitor:aspnet", nil, sources("Warning")},
		"command of IIS": {
			"logmonitor:iisCommand", nil, map[string]any{"command": []any{`C:\ServiceMonitor.exe`, "w3svc"}},
		},
	}
}

// kinds returns a call of the function that returns a CustomResourceDefinition, with what Go registers.
func kinds(t *testing.T) map[string]functionCase {
	t.Helper()
	graph, err := mocktest.Run(func(ctx *pulumi.Context) error {
		_, err := gmsa.NewCRD(ctx, "gmsa")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	made, err := graph.Get("kubernetes:apiextensions.k8s.io/v1:CustomResourceDefinition", "gmsa")
	if err != nil {
		t.Fatal(err)
	}
	want := made.Inputs.Mappable()
	delete(want, "apiVersion")
	delete(want, "kind")
	return map[string]functionCase{"the kind of gMSA": {"gmsa:crd", nil, want}}
}

// inJSON returns a value as decoded from JSON.
func inJSON(t *testing.T, v any) any {
	t.Helper()
	content, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var read any
	if err := json.Unmarshal(content, &read); err != nil {
		t.Fatal(err)
	}
	return read
}
