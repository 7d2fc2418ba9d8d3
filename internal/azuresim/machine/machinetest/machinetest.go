// Package machinetest creates what machines run in tests: the minimum that the package machine accepts as the bootstrap
// of a node, in the formats that machines/bootstrap writes.
package machinetest

import (
	"maps"
	"slices"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/testkit/payload"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
)

const (
	// Token is the token of [Init] and [Join].
	Token = "tests0.notarealtoken000"
	// CACertHash is the hash of [Join].
	CACertHash = "sha256:5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a"

	linuxPatches   = "/etc/mixedkube/kubeadm/patches"
	windowsPatches = "C:/mixedkube/kubeadm/patches"

	// kubelet is a patch without any option.
	kubelet = "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n"
)

// Init returns the configuration of kubeadm for a machine that creates a cluster of Kubernetes
// 1.36.1.
func Init(name, endpoint string) string {
	return `apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
bootstrapTokens: [{token: ` + Token + `}]
nodeRegistration:
  name: ` + name + `
  taints: [{key: node-role.kubernetes.io/control-plane, effect: NoSchedule}]
patches: {directory: ` + linuxPatches + `}
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.36.1
controlPlaneEndpoint: ` + endpoint + `
---
` + kubelet + `---
apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
`
}

// Join returns the configuration of kubeadm for a Linux machine with an address that joins the cluster at an endpoint,
// with the label tier=web. more has further lines.
func Join(name, address, endpoint, more string) string {
	return join(name, address, endpoint, linuxPatches) + more
}

// JoinOnWindows returns the same for a Windows machine.
func JoinOnWindows(name, address, endpoint string) string {
	return join(name, address, endpoint, windowsPatches)
}

func join(name, address, endpoint, patches string) string {
	return `apiVersion: kubeadm.k8s.io/v1beta4
kind: JoinConfiguration
discovery:
  bootstrapToken: {apiServerEndpoint: "` + endpoint + `", token: ` + Token + `, caCertHashes: ["` + CACertHash + `"]}
nodeRegistration:
  name: ` + name + `
  taints: []
  kubeletExtraArgs: [{name: node-ip, value: ` + address + `}, {name: node-labels, value: tier=web}]
patches: {directory: ` + patches + `}
`
}

// PayloadKey returns the payload key of the machines of [Linux] and [Windows].
func PayloadKey() bootstrap.PayloadKey {
	return bootstrap.NewPayloadKey([]byte("a machine that is not a real one"))
}

// Linux returns the files of a machine that waits for its configuration of kubeadm. The role is init or join.
func Linux(role string) []bootstrap.File {
	return []bootstrap.File{
		{
			Path:    "/etc/systemd/system/mixedkube-bootstrap.service",
			Content: "[Service]\nExecStart=/opt/mixedkube/bootstrap.sh\n",
		},
		{Path: "/opt/mixedkube/bootstrap.sh", Content: "#!/bin/bash\n", Executable: true},
		{Path: "/etc/mixedkube/role", Content: role + "\n"},
		{Path: linuxPatches + "/kubeletconfiguration+merge.yaml", Content: kubelet},
		PayloadKey().File(platform.Linux),
	}
}

// LinuxConfiguration returns the file with the configuration of kubeadm.
func LinuxConfiguration(text string) bootstrap.File {
	return bootstrap.File{Path: "/etc/mixedkube/kubeadm/config.yaml", Content: text, Secret: true}
}

// LinuxKey returns a file in kubeadm's directory of keys.
func LinuxKey(name, content string) bootstrap.File {
	return bootstrap.File{Path: "/etc/mixedkube/pki/" + name, Content: content, Secret: true}
}

// Windows returns the files of a Windows machine without its configuration of kubeadm.
func Windows() []bootstrap.File {
	return []bootstrap.File{
		{Path: "C:/mixedkube/bootstrap.ps1", Content: "exit 0\r\n"},
		{Path: windowsPatches + "/kubeletconfiguration+merge.yaml", Content: kubelet},
		PayloadKey().File(platform.WindowsServer2022),
	}
}

// WindowsConfiguration returns the file with the configuration of kubeadm.
func WindowsConfiguration(text string) bootstrap.File {
	return bootstrap.File{Path: "C:/mixedkube/kubeadm/join.yaml", Content: text, Secret: true}
}

// ReplaceKeys returns the program that replaces the keys of a control-plane machine.
func ReplaceKeys() bootstrap.File {
	return bootstrap.File{Path: "/opt/mixedkube/replace-keys.sh", Content: "#!/bin/bash\n", Executable: true}
}

// KeysPayload returns a value of bootstrap.KeysParameter that brings files of kubeadm's directory of keys, by their
// names.
func KeysPayload(key bootstrap.PayloadKey, keys map[string]string) string {
	var files []bootstrap.File
	for _, name := range slices.Sorted(maps.Keys(keys)) {
		files = append(files, bootstrap.File{
			Path: "/etc/mixedkube/new-keys.part/" + name, Content: keys[name], Secret: true,
		})
	}
	return payload.In(bootstrap.LinuxScript(files, key))
}
