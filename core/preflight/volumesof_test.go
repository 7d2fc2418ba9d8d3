package preflight_test

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/preflight"
)

// claimingPod lands on both pools of Windows, and its image runs on one of them only. A test replaces VOLUME.
const claimingPod = `
kind: Pod
metadata: {name: shop, namespace: shop}
spec:
  os: {name: windows}
  nodeSelector: {kubernetes.io/os: windows}
  tolerations: [{key: os, value: windows}]
  containers: [{name: shop, image: 'mcr.microsoft.com/windows/servercore:ltsc2025'}]
  volumes: [VOLUME]
`

func TestVolumesDecideWherePodsLand(t *testing.T) {
	t.Parallel()
	const (
		landsOn22 = `spec.containers[0].image: "mcr.microsoft.com/windows/servercore:ltsc2025": needs a Windows ` +
			`Server ` + "2025 node, but the pod can land on the pool win22"
		fix     = ": select node.kubernetes.io/windows-build=10.0.26100 (MK305)"
		certain = "error " + landsOn22 + fix
		perhaps = "warning " + landsOn22 + ", unless a volume that the pods claim is on other nodes only" + fix

		named   = "{name: data, persistentVolumeClaim: {claimName: data}}"
		claim   = "kind: PersistentVolumeClaim\nmetadata: {name: data, namespace: shop}\nspec: "
		dynamic = "kind: StorageClass\nmetadata: {name: disks}\nprovisioner: disk.csi.azure.com"
		static  = "kind: StorageClass\nmetadata: {name: local}\nprovisioner: kubernetes.io/no-provisioner"
		volume  = "kind: PersistentVolume\nmetadata: {name: disk}\nspec: "
		on2025  = "nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: " +
			"node.kubernetes.io/windows-build, operator: In, values: ['10.0.26100']}]}]}}"
		onNode = "nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: kubernetes.io/hostname, " +
			"operator: In, values: [node-1]}]}]}}"
		onLinux = "nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: kubernetes.io/os, " +
			"operator: In, values: [linux]}]}]}}"
	)
	const on25, perhaps25 = "win25 (2 nodes)", "perhaps win25 (2 nodes)" // the image does not run on win22
	for _, tt := range []struct {
		name, volume string
		others       []string
		want         []string
		landing      string
	}{
		{"no claim", "{name: data, emptyDir: {}}", nil, []string{certain}, on25},
		{"a claim that is not known", named, nil, []string{perhaps}, on25},
		{"a claim of another namespace", named, []string{strings.Replace(claim, "namespace: shop", "namespace: x", 1) +
			"{volumeName: disk}"}, []string{perhaps}, on25},
		{
			"a volume without an affinity", named,
			[]string{claim + "{volumeName: disk}", volume + "{}"},
			[]string{certain},
			on25,
		},
		{
			"a volume of nodes that run the image", named,
			[]string{claim + "{volumeName: disk}", volume + "{" + on2025 + "}"},
			nil, on25,
		},
		{
			"a volume of one node", named,
			[]string{claim + "{volumeName: disk}", volume + "{" + onNode + "}"},
			nil,
			perhaps25,
		},
		{
			"a volume of other nodes", named,
			[]string{claim + "{volumeName: disk}", volume + "{" + onLinux + "}"},
			[]string{"error spec: … (MK303)"},
			"nowhere",
		},
		{"a volume that names the claim", named, []string{
			claim + "{}", volume + "{claimRef: {name: data, namespace: shop}, " + on2025 + "}",
		}, nil, on25},
		{"a volume that names a claim that is not known", named, []string{volume + "{claimRef: {name: data, " +
			"namespace: shop}, " + on2025 + "}"}, nil, on25},
		{"a volume that is not known", named, []string{claim + "{volumeName: disk}"}, nil, perhaps25},
		{"the name of the volume is not known", named, []string{claim + "{volumeName: '$unknown'}"}, nil, perhaps25},
		{"the affinity is not known", named, []string{
			claim + "{volumeName: disk}", volume + "{nodeAffinity: '$unknown'}",
		}, nil, perhaps25},
		{"a class that provisions", named, []string{claim + "{storageClassName: " +
			"disks}", dynamic}, []string{certain}, on25},
		{"a class that is not known", named, []string{claim + "{storageClassName: disks}"}, []string{perhaps}, on25},
		{"the default class, which is not known", named, []string{claim + "{}", dynamic}, []string{perhaps}, on25},
		{"the default class", named, []string{
			claim + "{}", strings.Replace(dynamic, "name: disks",
				"name: disks, annotations: {storageclass.kubernetes.io/is-default-class: 'true'}", 1),
		}, []string{certain}, on25},
		{"a class for volumes that exist", named, []string{claim + "{storageClassName: " +
			"local}", static}, nil, perhaps25},
		{"no class", named, []string{claim + "{storageClassName: ''}"}, nil, perhaps25},
		{"a selector", named, []string{claim + "{storageClassName: disks, selector: {}}", dynamic}, nil, perhaps25},
		{"a class for some nodes", named, []string{
			claim + "{storageClassName: disks}", dynamic + "\nallowedTopologies: []",
		}, nil, perhaps25},
		{"a volume that may bind", named, []string{
			claim + "{storageClassName: disks}", dynamic, volume + "{storageClassName: disks, " + onNode + "}",
		}, nil, perhaps25},
		{"a volume of another class", named, []string{
			claim + "{storageClassName: disks}", dynamic, volume + "{storageClassName: local, " + onNode + "}",
		}, []string{certain}, on25},
		{"a volume of any class", named, []string{
			claim + "{storageClassName: disks}", dynamic, volume + "{storageClassName: '$unknown', " + onNode + "}",
		}, nil, perhaps25},
		{"a volume of another claim", named, []string{
			claim + "{storageClassName: disks}", dynamic,
			volume + "{claimRef: {name: x}, storageClassName: disks, " + onNode + "}",
		}, []string{certain}, on25},
		{
			"an ephemeral volume", "{name: data, ephemeral: {volumeClaimTemplate: {spec: {storageClassName: disks}}}}",
			[]string{dynamic},
			[]string{certain},
			on25,
		},
		{
			"an ephemeral volume of a class for volumes that exist",
			"{name: data, ephemeral: {volumeClaimTemplate: {spec: {storageClassName: local}}}}",
			[]string{static},
			nil,
			perhaps25,
		},
		{"volumes that are not known", "'$unknown'", nil, nil, perhaps25},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			pod := strings.Replace(claimingPod, "VOLUME", tt.volume, 1)
			objects := fromYAML(t, strings.Join(append([]string{pod}, tt.others...), "\n---\n"))
			checker := preflight.New(mixed(win22, win25))
			var got []string
			for _, f := range preflight.Join(checker.Check(objects[0]), checker.Across(objects)[0]) {
				if strings.HasPrefix(f.Rule, "MK3") {
					got = append(got, string(f.Severity)+" "+f.String())
				}
			}
			diffFindings(t, tt.want, got)
			if landing, _ := checker.Landing(objects[0], objects[1:]...); landing.String() != tt.landing {
				t.Errorf("landing %s, want %s", landing, tt.landing)
			}
		})
	}
}

func TestTemplatesOfClaimsDecideWherePodsLand(t *testing.T) {
	t.Parallel()
	pod := strings.NewReplacer("\n", "\n    ", ", volumes: [VOLUME]", "").Replace(
		strings.Replace(strings.Replace(claimingPod, "kind: Pod\n", "", 1), "  volumes: [VOLUME]\n", "", 1))
	set := "kind: StatefulSet\nmetadata: {name: shop, namespace: shop}\nspec:\n  volumeClaimTemplates: [{spec: " +
		"{storageClassName: local}}]\n  template:\n" + strings.TrimRight(pod, " \n")
	const static = "\n---\nkind: StorageClass\nmetadata: {name: local}\nprovisioner: kubernetes.io/no-provisioner"
	checker := preflight.New(mixed(win22, win25))
	for others, want := range map[string]string{"": "warning", static: ""} {
		objects, severity := fromYAML(t, set+others), ""
		for _, f := range preflight.Join(checker.Check(objects[0]), checker.Across(objects)[0]) {
			if f.Rule == "MK305" {
				severity = string(f.Severity)
			}
		}
		if severity != want {
			t.Errorf("with %q: MK305 is %q, want %q", others, severity, want)
		}
	}
}
