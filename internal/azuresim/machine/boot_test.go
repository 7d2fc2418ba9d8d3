package machine

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
)

// Kubelet settings that the bootstrap writes for its nodes.
var (
	linuxKubelet = Kubelet{
		SystemReserved: map[string]string{"cpu": "100m", "memory": "256Mi"},
		KubeReserved:   map[string]string{"cpu": "100m", "memory": "256Mi"},
		EvictionHard: map[string]string{
			"memory.available": "100Mi", "nodefs.available": "10%",
			"nodefs.inodesFree": "5%", "imagefs.available": "15%", "imagefs.inodesFree": "5%",
		},
	}
	windowsKubelet = Kubelet{
		SystemReserved: map[string]string{"cpu": "250m", "memory": "2Gi"},
		KubeReserved:   map[string]string{"cpu": "100m", "memory": "512Mi"},
		EvictionHard: map[string]string{
			"memory.available": "500Mi", "nodefs.available": "10%",
			"imagefs.available": "15%",
		},
	}
)

var (
	linuxNode = &Bootstrap{
		NodeName: "linux-1", Endpoint: "api.example.com:6443", Token: testToken, CACertHashes: []string{testHash},
		Labels: map[string]string{"tier": "web", "node.kubernetes.io/instance-type": "Standard_D4s_v5"},
		Taints: []corev1.Taint{}, Keys: map[string]string{}, Kubelet: linuxKubelet,
	}
	windowsNode = &Bootstrap{
		NodeName: "win-1", Endpoint: "api.example.com:6443", Token: testToken, CACertHashes: []string{testHash},
		Labels: map[string]string{"node.kubernetes.io/instance-type": "Standard_D4s_v5"},
		Taints: []corev1.Taint{{Key: "os", Value: "windows", Effect: corev1.TaintEffectNoSchedule}},
		Keys:   map[string]string{}, Kubelet: windowsKubelet,
	}
	controlPlaneTaint = corev1.Taint{
		Key: "node-role.kubernetes.io/control-plane", Effect: corev1.TaintEffectNoSchedule,
	}
)

func wantBoot(t *testing.T, m Machine, want *Bootstrap) {
	t.Helper()
	if err := CheckCustomData(m.Windows, m.CustomData); err != nil {
		t.Errorf("customData is refused: %v", err)
	}
	for _, e := range m.Extensions {
		if err := e.Check(); err != nil {
			t.Errorf("the extension is refused: %v", err)
		}
	}
	got, err := Boot(m)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("another bootstrap (-want +got):\n%s", diff)
	}
}

// The files are those of the bootstrap, in all forms in which it writes them.
func TestMachinesWithRealBootstraps(t *testing.T) {
	t.Parallel()
	onLinux, onWindows := nodeFiles(t, "linux-1"), nodeFiles(t, "win-1")
	other := Extension{
		Name: "x", Publisher: "Microsoft.Azure.Monitor", Type: "AzureMonitorLinuxAgent",
		Settings: map[string]any{"commandToExecute": "true"},
	}
	all := bootstrap.WindowsScript(append(slices.Clone(onWindows), testKey.File(platform.WindowsServer2022)))
	for name, c := range map[string]struct {
		machine Machine
		want    *Bootstrap
	}{
		"Linux":                             {delivered(onLinux), linuxNode},
		"Linux, all in customData":          {linux(bootstrap.CloudConfig(onLinux)), linuxNode},
		"Linux that waits":                  {linux(bootstrap.CloudConfig(some(onLinux, false)), other), nil},
		"Linux without anything":            {linux(""), nil},
		"Windows":                           {deliveredOnWindows(t, onWindows), windowsNode},
		"Windows, all in customData":        {windows(all, windowsExtension(commandFor(t, all, nil))), windowsNode},
		"Windows without a command":         {windows(all), nil},
		"Windows without anything":          {windows(""), nil},
		"the extension of the other system": {windows(all, scriptExtension(bootstrap.LinuxScript(nil, testKey))), nil},
		"text that is not plain":            {linux(bootstrap.CloudConfig(withFile(onLinux, " ü: ä\r\n"))), linuxNode},
		"text without an end of line":       {linux(bootstrap.CloudConfig(withFile(onLinux, "a: |\n  b"))), linuxNode},
		"a file for nft": {linux(bootstrap.CloudConfig(append(withFile(onLinux, "x\n"), bootstrap.File{
			Path: "/etc/mixedkube/network/masquerade.nft", Content: "flush ruleset\n",
		}))), linuxNode},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantBoot(t, c.machine, c.want)
		})
	}
}

// withFile returns the files with one more.
func withFile(files []bootstrap.File, content string) []bootstrap.File {
	return append(slices.Clip(files), bootstrap.File{Path: "/opt/more", Content: content, Executable: true})
}

func TestControlPlanes(t *testing.T) {
	t.Parallel()
	first := delivered(nodeFiles(t, "cp-1"))
	first.Address = testCluster().Nodes[0].Address
	wantBoot(t, first, &Bootstrap{
		Init: true, ControlPlane: true, NodeName: "cp-1", Version: "v" + release(t), Endpoint: "api.example.com:6443",
		Token: testToken, ClusterInfo: true,
		Labels: map[string]string{}, Taints: []corev1.Taint{controlPlaneTaint}, Keys: map[string]string{},
		Kubelet: linuxKubelet,
	})
	second := delivered(nodeFiles(t, "cp-2"))
	second.Address = testCluster().Nodes[1].Address
	wantBoot(t, second, &Bootstrap{
		ControlPlane: true, NodeName: "cp-2", Endpoint: "api.example.com:6443", Token: testToken,
		CACertHashes: []string{testHash},
		Labels:       map[string]string{}, Taints: []corev1.Taint{controlPlaneTaint}, Keys: map[string]string{},
		Kubelet: linuxKubelet,
	})
}

func release(t *testing.T) string {
	t.Helper()
	for _, r := range bootstrap.KnownReleases().Kubernetes {
		if strings.HasPrefix(r.Version, "1.36.") {
			return r.Version
		}
	}
	t.Fatal("no release is of version 1.36")
	return ""
}

// Machines that are understood but do not become nodes.
func TestMachinesThatDoNotBecomeNodes(t *testing.T) {
	t.Parallel()
	onLinux, onWindows := nodeFiles(t, "linux-1"), nodeFiles(t, "win-1")
	const service = "/etc/systemd/system/mixedkube-bootstrap.service"
	for name, c := range map[string]struct {
		machine Machine
		want    string
	}{
		"a script and no customData": {
			linux("", scriptExtension(bootstrap.LinuxScript(some(onLinux, true), testKey))),
			"after 30 minutes the machine is not a node: no customData starts its bootstrap",
		},
		"a script without the configuration": {
			linux(bootstrap.CloudConfig(append(some(onLinux, false), testKey.File(platform.Linux))),
				scriptExtension(bootstrap.LinuxScript(nil, testKey))),
			"after 30 minutes the machine is not a node: there is no /etc/mixedkube/kubeadm/config.yaml",
		},
		"no service": {
			delivered(changed(t, onLinux, service, deleted)),
			"customData: it starts mixedkube-bootstrap.service, but does not bring " + service,
		},
		"a service without a program": {
			delivered(changed(t, onLinux, service, func(s string) string {
				return edited(t, s, "ExecStart=/opt/mixedkube/bootstrap.sh", "ExecStart=bash bootstrap.sh")
			})),
			"customData: " + service + ": the service has no line ExecStart= with only the path of a program",
		},
		"a service of another program": {
			delivered(changed(t, onLinux, "/opt/mixedkube/bootstrap.sh", deleted)),
			"customData: " + service + ": the service runs /opt/mixedkube/bootstrap.sh, which is not a program that " +
				"customData brings",
		},
		"no role": {
			delivered(changed(t, onLinux, "/etc/mixedkube/role", deleted)),
			"/etc/mixedkube/role is not understood: bootstrap writes a line with init or join",
		},
		"another role": {
			delivered(changed(t, onLinux, "/etc/mixedkube/role", func(string) string { return "reset\n" })),
			"/etc/mixedkube/role is not understood: bootstrap writes a line with init or join",
		},
		"no program on Windows": {
			deliveredOnWindows(t, changed(t, onWindows, "C:/mixedkube/bootstrap.ps1", deleted)),
			"neither customData nor the extension brings C:/mixedkube/bootstrap.ps1",
		},
		"no customData on Windows": {
			windows("", windowsExtension(commandFor(t, "", some(onWindows, true)))),
			"extension boot: customData does not bring C:/mixedkube/payload.key, which its files are " +
				"decrypted with",
		},
		"no configuration on Windows": {
			deliveredOnWindows(t, some(onWindows, false)),
			"neither customData nor the extension brings C:/mixedkube/kubeadm/join.yaml",
		},
		"customData that is not understood": {
			linux("#!/bin/sh\n"),
			`customData: line 1 is not "#cloud-config": ` + cloudConfigFormat,
		},
		"customData on Windows that is not understood": {
			windows("exit 0\r\n"),
			`customData: line 1 is not understood: bootstrap.WindowsScript writes "# Writes the files of a node and ` +
				`starts the task that sets up the node from them. It neither" there`,
		},
		"a script that is not understood": {
			linux("", scriptExtension("#!/bin/sh\n")),
			`extension boot: protectedSettings.script: line 1 is not understood: bootstrap.LinuxScript writes ` +
				`"#!/bin/bash" there`,
		},
		"no command": {
			linux("", linuxExtension(nil, nil)),
			"extension boot: invalid configuration: 'commandToExecute' is not specified",
		},
		"no command on Windows": {
			windows("", windowsExtension("")),
			"extension boot: Invalid Configuration - CommandToExecute is not specified in the configuration; it must " +
				"be specified in either the protected or public configuration section",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, err := Boot(c.machine)
			if err == nil || err.Error() != c.want || b != nil {
				t.Errorf("got %v, %v\nwant %s", b, err, c.want)
			}
		})
	}
}

func FuzzBoot(f *testing.F) {
	f.Add("#cloud-config\nruncmd: [kubeadm join --config k]\n", "kubeadm join", "YQ==", true)
	f.Add(bootstrap.CloudConfig([]bootstrap.File{{Path: "/etc/mixedkube/role", Content: "join\n"}}), "", "", false)
	f.Add(bootstrap.WindowsScript(nil), encoded("exit"), "", true)
	f.Add("", "", base64Of(bootstrap.LinuxScript([]bootstrap.File{{Path: "/x", Content: "y"}}, testKey)), false)
	f.Fuzz(func(t *testing.T, customData, command, script string, windows bool) {
		m := Machine{ComputerName: "m", Windows: windows, CustomData: []byte(customData), Extensions: []Extension{
			windowsExtension(command), linuxExtension(nil, map[string]any{"script": script}),
		}}
		b, err := Boot(m)
		if err != nil && (b != nil || err.Error() == "") {
			t.Errorf("%v and %v", b, err)
		}
	})
}
