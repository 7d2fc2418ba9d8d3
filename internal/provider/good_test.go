package provider

import (
	"encoding"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/kubeadm/kubeadmtest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
)

type (
	args = map[string]any
	list = []any
)

// it is the name of all components of [good].
const it = "it"

// good returns valid arguments of each component, by its token, as a program in another language writes them.
func good(t *testing.T) map[string]args {
	t.Helper()
	win22 := args{"name": "win22", "platform": "windows-2022", "size": "Standard_D4s_v5"}
	pools := list{
		args{"name": "sys", "platform": "linux", "mode": "System", "count": 1, "size": "Standard_D4s_v5"}, win22,
	}
	topology := args{"pools": pools}
	network := func(kind string) args { return args{"kind": kind, "nodeCIDR": "10.240.0.0/24"} }
	labels := args{"app": "web"}
	selects := args{"matchLabels": labels}
	pods := args{"containers": list{args{"name": "web", "image": "example.com/web:ltsc2022"}}}
	template := args{"metadata": args{"labels": labels}, "spec": pods}
	once := maps.Clone(pods)
	once["restartPolicy"] = "Never"
	job := args{"template": args{"spec": once}}
	onWindows := func(spec args) args { return args{"platform": "windows-2022", "spec": spec} }
	const endpoint = "api.example.com:6443"
	admin := args{"password": "Correct-Horse-Battery-9"}
	releases := inOtherLanguage(reflect.ValueOf(allReleases(t)))
	return map[string]args{
		"mixedkube:aks:Cluster":         {"kubernetesVersion": "1.35", "pools": pools, "windowsAdmin": admin},
		"mixedkube:aks:ExistingCluster": {"resourceGroupName": "shop", "clusterName": existing.Name},
		"mixedkube:aks:NodePool":        {"resourceGroupName": "shop", "clusterName": "shop", "pool": win22},
		"mixedkube:connectivity:Suite":  {"topology": topology},
		"mixedkube:gmsa:CredentialSpec": {"account": "WebApp1", "domain": args{
			"dnsName": "contoso.com", "netBIOSName": "CONTOSO", "sid": "S-1-5-21-2126449477-2524075714-3094792973",
			"guid": "244818ae-87ac-4fcd-92ec-e79e5252348a",
		}},
		"mixedkube:gmsa:Webhook":                    {},
		"mixedkube:hostprocess:CSIProxy":            {},
		"mixedkube:hostprocess:DaemonSet":           {"user": `NT AUTHORITY\Local service`, "pods": pods},
		"mixedkube:hostprocess:Flannel":             {"network": network("flannel-vxlan"), "endpoint": endpoint},
		"mixedkube:hostprocess:KubeProxy":           {"network": network("upstream-l3"), "endpoint": endpoint},
		"mixedkube:hostprocess:NodeLogs":            {"node": "win22-0"},
		"mixedkube:hostprocess:NodeProblemDetector": {"endpoint": endpoint},
		"mixedkube:hostprocess:WindowsExporter":     {},
		"mixedkube:kubeadm:Cluster": {
			"kubernetesVersion": "1.36", "pools": list{win22}, "windowsAdmin": admin, "releases": releases,
			"linuxAdmin": args{"sshPublicKey": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIH someone"},
		},
		"mixedkube:kubeadm:NodePool": {
			"resourceGroupName": "shop", "clusterName": "shop", "kubernetesVersion": "1.36", "pool": win22,
			"subnetID": "/subscriptions/s/subnets/nodes", "endpoint": endpoint, "network": network("flannel-vxlan"),
			"caCertHashes": list{"sha256:" + strings.Repeat("0", 64)}, "token": "tests0.notarealtoken000",
			"windowsAdmin": admin, "releases": releases,
		},
		"mixedkube:logmonitor:Config": {"sources": list{
			args{"type": "EventLog", "channels": list{args{"name": "system"}}},
		}},
		"mixedkube:manifest:Chart": {"chart": args{"chart": "./shop"}, "topology": topology},
		"mixedkube:manifest:Group": {
			"yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n", "topology": topology,
		},
		"mixedkube:runtimeclass:Set": {"topology": topology},
		"mixedkube:workload:CronJob": onWindows(args{
			"schedule": "0 3 * * *", "jobTemplate": args{"spec": job},
		}),
		"mixedkube:workload:DaemonSet":             onWindows(args{"selector": selects, "template": template}),
		"mixedkube:workload:Deployment":            onWindows(args{"selector": selects, "template": template}),
		"mixedkube:workload:Job":                   onWindows(job),
		"mixedkube:workload:Pod":                   onWindows(pods),
		"mixedkube:workload:ReplicaSet":            onWindows(args{"selector": selects, "template": template}),
		"mixedkube:workload:ReplicationController": onWindows(args{"selector": labels, "template": template}),
		"mixedkube:workload:StatefulSet":           onWindows(args{"selector": selects, "template": template}),
	}
}

// existing is the only cluster in Azure.
var existing = akstest.Cluster{Name: "existing", Properties: args{
	"currentKubernetesVersion": "1.35.4",
	"networkProfile":           args{"networkPlugin": "azure", "networkPluginMode": "overlay"},
	"windowsProfile":           args{"adminUsername": "azureuser"},
	"aadProfile":               args{"managed": true},
	"agentPoolProfiles": list{args{
		"name": "sys", "mode": "System", "osType": "Linux", "count": 1, "vmSize": "Standard_D4s_v5",
		"currentOrchestratorVersion": "1.35.4",
	}},
}}

// allReleases returns the known releases, with hashes for those that do not have one.
func allReleases(t *testing.T) bootstrap.Releases {
	t.Helper()
	hashes := map[string]string{}
	for _, d := range bootstrap.KnownReleases().All() {
		if d.SHA256 == "" {
			hashes[d.URL] = strings.Repeat("0", 64)
		}
	}
	r, errs := bootstrap.KnownReleases().WithHashes(hashes, nil)
	if len(errs) > 0 {
		t.Fatal(errs.ToAggregate())
	}
	return r
}

// inOtherLanguage returns a plain value of Go as a program in another language writes it; nil for a zero value.
func inOtherLanguage(v reflect.Value) any {
	v = reflect.Indirect(v)
	if !v.IsValid() || v.IsZero() {
		return nil
	}
	if isText(v.Type()) {
		if m, ok := reflect.TypeAssert[encoding.TextMarshaler](v); ok {
			text, _ := m.MarshalText()
			return string(text)
		}
		return fmt.Sprint(v.Interface())
	}
	switch v.Kind() {
	case reflect.Struct:
		out := args{}
		for key, f := range fields(v.Type()) {
			if value := inOtherLanguage(v.FieldByIndex(f.Index)); value != nil {
				out[key] = value
			}
		}
		return out
	case reflect.Slice:
		out := make(list, v.Len())
		for i := range out {
			out[i] = inOtherLanguage(v.Index(i))
		}
		return out
	default:
		return v.Interface()
	}
}

// asInput returns values as the SDK registers them. Outputs remain in place.
func asInput(v any) pulumi.Input {
	switch v := v.(type) {
	case args:
		m := pulumi.Map{}
		for key, value := range v {
			m[key] = asInput(value)
		}
		return m
	case list:
		a := pulumi.Array{}
		for _, value := range v {
			a = append(a, asInput(value))
		}
		return a
	case pulumi.Input:
		return v
	default:
		return pulumi.Any(v)
	}
}

// preview previews a program with one component, in an Azure that has only the cluster [existing].
func preview(t *testing.T, token string, args args) (*mocktest.Graph, error) {
	t.Helper()
	azure := akstest.Azure(existing)
	if strings.HasPrefix(token, "mixedkube:kubeadm:") {
		azure = kubeadmtest.Azure()
	}
	return run(func(ctx *pulumi.Context) error {
		_, err := register(ctx, token, it, asInput(args).(pulumi.Map))
		return err
	}, mocktest.Preview(), azure, served(t))
}

// with returns arguments with another value at a path. It adds missing objects and lists.
func with(in any, path []string, value any) any {
	if len(path) == 0 {
		return value
	}
	if path[0] == "0" {
		elements, _ := in.(list)
		if len(elements) == 0 {
			elements = list{nil}
		}
		elements = slices.Clone(elements)
		elements[0] = with(elements[0], path[1:], value)
		return elements
	}
	parent, _ := in.(args)
	out := maps.Clone(parent)
	if out == nil {
		out = args{}
	}
	if out[path[0]] = with(out[path[0]], path[1:], value); out[path[0]] == nil {
		delete(out, path[0])
	}
	return out
}

// TestGoodArguments checks that the arguments that other tests change are valid.
func TestGoodArguments(t *testing.T) {
	t.Parallel()
	all := good(t)
	for _, c := range Components() {
		t.Run(c.Token(), func(t *testing.T) {
			t.Parallel()
			graph, err := preview(t, c.Token(), all[c.Token()])
			if err != nil {
				t.Fatal(err)
			}
			if len(graph.Resources()) < 2 {
				t.Errorf("no children:\n%s", graph)
			}
		})
	}
}
