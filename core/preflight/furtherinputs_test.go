package preflight

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// furtherInput are objects as YAML, and a change of the options of the example of the rule.
type furtherInput struct {
	objects string
	change  func(*Options)
	// stated means that a component has the platform as an argument.
	stated bool
}

// furtherInputs are for the checks that find nothing in the examples, where another check of the rule does.
var furtherInputs = map[string]furtherInput{
	"MK104 1": {
		objects: `{apiVersion: admissionregistration.k8s.io/v1, kind: MutatingAdmissionPolicy, metadata: {name: a}}`,
		change:  func(o *Options) { o.KubernetesVersion = "1.35" },
	},
	"MK903 1": {
		objects: `{apiVersion: v1, kind: Pod,
			metadata: {name: a, annotations: {mixedkube.dev/platform: linux}}, spec: {}}`,
		change: func(o *Options) { o.Platform = platform.WindowsServer2022 },
	},
	"MK211 2": {objects: `{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: a}, handler: b,
		scheduling: {nodeSelector: {kubernetes.io/os: windows, node.kubernetes.io/windows-build: 10.0.17763}}}`},
	"MK213 2": {
		objects: pod("linux", `nodeSelector: {kubernetes.io/arch: arm64},
			containers: [{name: a, image: "shop.example.com/shop:1.0"}]`),
		change: func(o *Options) { o.Topology, o.KubernetesVersion = topology.Topology{}, "1.36" },
	},
	"MK302 2": {
		objects: `{apiVersion: v1, kind: Pod, metadata: {name: a},
			spec: {containers: [{name: a, image: "shop.example.com/windows/shop:1"}]}}`,
		change: func(o *Options) { o.Topology = linuxAnd("windows-2022") },
	},
	"MK303 1": {
		objects: windowsPod(`nodeSelector: {kubernetes.io/os: windows, node.kubernetes.io/windows-build: 10.0.26100}`),
		stated:  true,
	},
	"MK418 2": {objects: `{apiVersion: v1, kind: PersistentVolume, metadata: {name: a},
		spec: {nodeAffinity: {required: {
		nodeSelectorTerms: [{matchExpressions: [{key: agentpool, operator: In, values: [win22]}]}]}}}}`},
	"MK418 3": {objects: `{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: a}, provisioner: b,
		allowedTopologies: [{matchLabelExpressions: [{key: agentpool, values: [win22]}]}]}`},
	"MK418 4": {change: func(o *Options) {
		o.Topology.RuntimeClasses = []topology.RuntimeClass{{
			Name: "iis", Handler: "b", NodeSelector: map[string]string{"agentpool": "win22"},
		}}
	}},
	"MK418 5": {
		objects: windowsPod(`runtimeClassName: old`),
		change: func(o *Options) {
			o.Topology.RuntimeClasses = []topology.RuntimeClass{{Name: "old", Handler: "b"}}
			o.To.RuntimeClasses = []topology.RuntimeClass{{Name: "new", Handler: "b"}}
		},
	},
	"MK177 2": {objects: `{apiVersion: apps/v1, kind: Deployment, spec: {selector: {},
		template: {metadata: {labels: {a: b/c}}, spec: {containers: [{name: a}]}}}}`},
	"MK403 1": {objects: windowsPod(`overhead: {memory: 128Mi}`)},
	"MK409 1": {objects: restricted(`os: {name: windows}, hostNetwork: true`)},
	"MK409 2": {objects: restricted(`nodeSelector: {kubernetes.io/os: windows},
		securityContext: {seccompProfile: {type: Unconfined}}`)},
	"MK409 4": {objects: restricted(`nodeSelector: {kubernetes.io/os: windows}, containers: [{name: a}]`)},
	"MK501 2": {objects: windowsPod(`volumes: [{name: a, emptyDir: {medium: HugePages-2Mi}}]`)},
	"MK521 2": {objects: `{apiVersion: v1, kind: Pod, metadata: {name: a},
		spec: {containers: [{name: a, image: a, args: ["C:\temp"]}]}}`},
	"MK521 3": {objects: `{apiVersion: v1, kind: PersistentVolume, metadata: {name: a},
		spec: {local: {path: "C:\temp"}}}`},
	"MK504 2": {objects: bound(`nfs: {server: files.example.com, path: /shop}`)},
	"MK522 2": {objects: bound(`iscsi: {targetPortal: 10.0.0.4, iqn: "iqn.2001-04.com.example:storage", lun: 0}`)},
	"MK522 3": {objects: windowsPod(`volumes: [{name: a, gitRepo: {repository: "https://example.com/shop"}}]`)},
	"MK529 1": {objects: windowsPod(`volumes: [{name: a, azureDisk: {diskName: b, diskURI: c, fsType: ext4}}]`)},
	"MK530 1": {objects: pod("linux", `volumes: [{name: a, azureDisk: {diskName: b, diskURI: c, fsType: ntfs}}]`)},
	"MK541 1": {objects: windowsPod(`volumes: [{name: a, csi: {driver: efs.csi.aws.com}}]`)},
	"MK546 1": {objects: windowsPod(`volumes: [{name: a, csi: {driver: file.csi.azure.com,
		volumeAttributes: {mountWithManagedIdentity: "true"}}}]`)},
	"MK547 1": {objects: windowsPod(`volumes: [{name: a, csi: {driver: disk.csi.azure.com,
		volumeAttributes: {partition: "1"}}}]`)},
	"MK548 2": {objects: windowsPod(`containers: [{name: a,
		resources: {requests: {deviceclass.resource.kubernetes.io/gpu: 1}}}]`)},
	"MK550 1": {objects: `{apiVersion: v1, kind: Pod,
		metadata: {name: a, labels: {sidecar.istio.io/inject: "true"}}, spec: {os: {name: windows}}}`},
	"MK551 2": {objects: `{apiVersion: v1, kind: Namespace,
		metadata: {name: shop, annotations: {linkerd.io/inject: enabled}}}
---
{apiVersion: v1, kind: Pod, metadata: {name: a, namespace: shop}, spec: {os: {name: windows}}}`},
	"MK609 2": {objects: windowsPod(`containers: [{name: a}]`, `labels: {app: a}`) + `
---
{apiVersion: v1, kind: Service, metadata: {name: a}, spec: {selector: {app: a}, ports: [{port: 1, protocol: SCTP}]}}`},
}

// example returns the input as an example of the rule, from one of its examples.
func (i *furtherInput) example(t *testing.T, of example) example {
	t.Helper()
	of.objects, of.twice = nil, nil
	for _, doc := range documents(t, i.objects) {
		o := pods.ReadObject(tree.Map(doc.Value))
		o.Stated = i.stated
		of.objects, of.twice = append(of.objects, o), append(of.twice, doc.Duplicates)
	}
	if i.change != nil {
		i.change(&of.options)
	}
	return of
}

// pod returns a Pod for an operating system, with more fields of its spec, and of its metadata.
func pod(os, spec string, metadata ...string) string {
	return `{apiVersion: v1, kind: Pod, metadata: {` + strings.Join(append([]string{"name: a"}, metadata...), ", ") +
		`}, spec: {os: {name: ` + os + `}, ` + spec + `}}`
}

func windowsPod(spec string, metadata ...string) string { return pod("windows", spec, metadata...) }

// restricted returns a Pod in a namespace that enforces the restricted standard.
func restricted(spec string) string {
	return `{apiVersion: v1, kind: Namespace,
		metadata: {name: shop, labels: {pod-security.kubernetes.io/enforce: restricted}}}
---
{apiVersion: v1, kind: Pod, metadata: {name: a, namespace: shop}, spec: {` + spec + `}}`
}

// bound returns a PersistentVolume with a source, its claim, and a Windows Pod with the claim.
func bound(source string) string {
	return `{apiVersion: v1, kind: PersistentVolume, metadata: {name: a},
		spec: {storageClassName: "", accessModes: [ReadWriteOnce], capacity: {storage: 1Gi}, ` + source + `}}
---
{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: a}, spec: {storageClassName: "", volumeName: a,
		accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}
---
` + windowsPod(`volumes: [{name: a, persistentVolumeClaim: {claimName: a}}]`)
}

func linuxAnd(p platform.Platform) topology.Topology {
	return topology.Topology{Pools: []topology.Pool{
		{Name: "sys", Platform: platform.Linux, Mode: topology.System}, {Name: "win", Platform: p},
	}}
}
