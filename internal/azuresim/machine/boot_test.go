package machine

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/bootstrap"
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
)

// told is a node whose kubelet is told something else.
func told(b *Bootstrap, k Kubelet) *Bootstrap {
	other := *b
	other.Kubelet = k
	return &other
}

func wantBoot(t *testing.T, m Machine, want *Bootstrap) {
	t.Helper()
	got, err := Boot(m)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("another bootstrap (-want +got):\n%s", diff)
	}
}

func TestLinuxMachinesWithRealBootstraps(t *testing.T) {
	t.Parallel()
	files := nodeFiles(t, "linux-1")
	all, public := bootstrap.CloudConfig(files), bootstrap.CloudConfig(some(files, false))
	secret := "echo " + payload(t, some(files, true)) + " | base64 -d | gunzip | /usr/local/bin/write-files"
	for name, c := range map[string]struct {
		machine Machine
		want    *Bootstrap
	}{
		"all files":          {linux(all), linuxNode},
		"all files, gzipped": {linux(gzipOf(all)), linuxNode},
		"public files wait":  {linux(public), nil},
		"secret file later": {linux(public,
			linuxExtension(nil, map[string]any{"commandToExecute": secret})...), linuxNode},
		"secret file in a script": {linux(public,
			linuxExtension(nil, map[string]any{"script": base64Of("#!/bin/sh\n" + secret)})...), linuxNode},
		"secret file in a gzipped one": {linux(public,
			linuxExtension(map[string]any{"script": base64Of(gzipOf("#!/bin/sh\n" + secret))}, nil)...), linuxNode},
		"the configuration as a text": {linux(public,
			linuxExtension(nil, map[string]any{"commandToExecute": "echo " + base64Of(some(files, true)[0].Content) +
				" | base64 -d >/etc/mixedkube/kubeadm/config.yaml"})...), linuxNode},
		"all files in the extension": {linux("",
			linuxExtension(nil, map[string]any{"commandToExecute": "echo " + payload(t, files) +
				" | write; systemctl start mixedkube-bootstrap"})...), linuxNode},
		"nothing started": {linux(strings.Split(all, "runcmd:")[0]), nil},
		"another unit started": {linux(strings.Split(all, "runcmd:")[0] +
			"runcmd:\n- systemctl start other-mixedkube-bootstrap\n- /opt/other/bootstrap.sh\n"), nil},
		"only the secret file": {linux(bootstrap.CloudConfig(some(files, true))), nil},
		"another extension": {linux(public,
			Extension{
				Name: "x", Publisher: "Microsoft.Azure.Monitor", Type: "AzureMonitorLinuxAgent",
				Settings: map[string]any{"commandToExecute": secret},
			}), nil},
		"the extension of Windows": {linux(public, windowsExtension(secret)...), nil},
		"no cloud-config":          {linux(" " + all), nil},
		"nothing":                  {linux(""), nil},
		"a script that runs kubeadm": {
			linux("#!/bin/sh\n# comes from elsewhere\nkubeadm join --config /run/kubeadm.yaml\n"), nil,
		},
		"a script with a configuration": {linux("#!/bin/sh\necho " + base64Of(some(files, true)[0].Content) +
			" | base64 -d >/run/k.yaml\nkubeadm join --config=/run/k.yaml\n"), told(linuxNode, Kubelet{})},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantBoot(t, c.machine, c.want)
		})
	}
}

func TestWindowsMachinesWithRealBootstraps(t *testing.T) {
	t.Parallel()
	files := nodeFiles(t, "win-1")
	script, public := bootstrap.WindowsScript(files), bootstrap.WindowsScript(some(files, false))
	idle, _, _ := strings.Cut(script, "& $PowerShell -NoProfile")
	const read = `Invoke-Expression ([IO.File]::ReadAllText('C:\AzureData\CustomData.bin'))`
	carries := "$Secret = '" + payload(t, some(files, true)) + "'; " + read
	for name, c := range map[string]struct {
		machine Machine
		want    *Bootstrap
	}{
		"customData alone": {Machine{
			ComputerName: "win-1", Windows: true,
			CustomData: []byte(script),
		}, nil},
		"an encoded command": {windows("", encoded(script)), windowsNode},
		"a short name of the argument": {windows("",
			strings.Replace(encoded(script), "-EncodedCommand", "-enc", 1)), windowsNode},
		"not encoded for PowerShell": {windows("",
			strings.Replace(encoded(script), "powershell.exe", "write.exe", 1)), nil},
		"customData that is read": {windows(script, "powershell -Command \""+read+"\""), windowsNode},
		"gzipped customData that is read": {
			windows(gzipOf(script), "powershell -Command \""+read+"\""),
			windowsNode,
		},
		"customData that is not read": {windows(script, "powershell -Command \"exit 0\""), nil},
		"a comment about customData":  {windows(script, encoded("# CustomData.bin\r\nexit 0")), nil},
		"customData read by what is carried": {
			windows(script, encoded("iex (Expand '"+base64Of(gzipOf(read))+"')")),
			windowsNode,
		},
		"public files wait":           {windows(public, encoded(read)), nil},
		"public files and the secret": {windows(public, encoded(carries)), windowsNode},
		"JSON in customData": {
			windows(
				`{"files":[{"path":"C:\\mixedkube\\bootstrap.ps1","content":"kubeadm.exe join --config `+
					`C:\\mixedkube\\kubeadm\\join.yaml"}]}`, encoded(carries+"\r\n& C:\\MixedKube\\Bootstrap.ps1"),
			), told(windowsNode, Kubelet{}),
		},
		"a script that starts nothing":     {windows("", encoded(idle)), nil},
		"a script that starts another one": {windows("", encoded(idle+`& 'D:\more\bootstrap.ps1'`)), nil},
		"by a whole path": {
			windows("", encoded(idle+`& 'c:/MIXEDKUBE/bootstrap.ps1'`)),
			windowsNode,
		},
		"a comment about it": {windows("",
			encoded(idle+"# bootstrap.ps1\r\n<# then\r\nbootstrap.ps1 #>")), nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantBoot(t, c.machine, c.want)
		})
	}
}

func TestControlPlanes(t *testing.T) {
	t.Parallel()
	first := linux(bootstrap.CloudConfig(nodeFiles(t, "cp-1")))
	first.Address = testCluster().Nodes[0].Address
	taints := []corev1.Taint{
		{Key: "CriticalAddonsOnly", Value: "true", Effect: corev1.TaintEffectNoSchedule},
		controlPlaneTaint,
	}
	wantBoot(t, first, &Bootstrap{
		Init: true, ControlPlane: true, NodeName: "cp-1", Version: "v" + release(t), Endpoint: "api.example.com:6443",
		Token:  testToken,
		Labels: map[string]string{}, Taints: taintsOf(t, first, taints), Keys: map[string]string{},
		Kubelet: linuxKubelet,
	})
	second := linux(bootstrap.CloudConfig(nodeFiles(t, "cp-2")))
	second.Address = testCluster().Nodes[1].Address
	wantBoot(t, second, &Bootstrap{
		ControlPlane: true, NodeName: "cp-2", Endpoint: "api.example.com:6443", Token: testToken,
		CACertHashes: []string{testHash},
		Labels:       map[string]string{}, Taints: taintsOf(t, second, taints), Keys: map[string]string{},
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
	t.Fatal("there is no release of 1.36")
	return ""
}

// taintsOf leaves to components/bootstrap whether system pools have a taint of their own.
func taintsOf(t *testing.T, m Machine, most []corev1.Taint) []corev1.Taint {
	t.Helper()
	if strings.Contains(string(m.CustomData), most[0].Key) {
		return most
	}
	return most[1:]
}

const keysRoot = "#cloud-config\nwrite_files:\n"

func TestKeys(t *testing.T) {
	t.Parallel()
	config := func(folder, runs string, names ...string) Machine {
		lines := []string{keysRoot + "- {path: /k.yaml, content: " + quoted(joinYAML(nil)) + "}"}
		for _, name := range names {
			lines = append(lines, "- {path: "+folder+"/"+name+", content: 'the "+name+"'}")
		}
		lines = append(lines, "runcmd:", "- "+quoted(runs+"kubeadm join --config /k.yaml"), "")
		return linux(strings.Join(lines, "\n"))
	}
	for name, c := range map[string]struct {
		machine Machine
		want    map[string]string
	}{
		"in their place": {
			config(kubeadmKeys, "", "ca.crt", "etcd/ca.key", "other.key"),
			map[string]string{"ca.crt": "the ca.crt", "etcd/ca.key": "the etcd/ca.key"},
		},
		"copied": {config("/etc/mixedkube/pki", "cp -r /etc/mixedkube/pki /etc/kubernetes/; ", "sa.key",
			"sa.pub"), map[string]string{"sa.key": "the sa.key", "sa.pub": "the sa.pub"}},
		"one copied": {config("/etc/mixedkube/pki", "cp /etc/mixedkube/pki/sa.key /etc/kubernetes/; ",
			"sa.key"), map[string]string{"sa.key": "the sa.key"}},
		"in no folder": {
			config("/etc/mixedkube", "cp /etc/mixedkube/sa.key /etc/kubernetes/pki; ", "sa.key"),
			map[string]string{},
		},
		"that nothing names": {config("/etc/mixedkube/pki", "", "sa.key", "front-proxy-ca.crt"), map[string]string{}},
		"another folder": {
			config("/etc/mixedkube/pki", "cp -r /opt/pki /etc/kubernetes/; ", "ca.key"),
			map[string]string{},
		},
	} {
		b, err := Boot(c.machine)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(c.want, b.Keys); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestBootstrapsThatAreBroken(t *testing.T) {
	t.Parallel()
	script := func(lines string) Machine { return linux("#!/bin/bash\n" + lines) }
	extension := func(settings, protected map[string]any) Machine {
		return linux("", linuxExtension(settings, protected)...)
	}
	one := map[string]any{"commandToExecute": "true"}
	for name, c := range map[string]struct {
		machine Machine
		want    string
	}{
		"no YAML": {
			linux("#cloud-config\na: b: c\n"),
			"customData: the #cloud-config document is not valid YAML: line 2: mapping values are not allowed in " +
				"this context",
		},
		"a text for files": {
			linux("#cloud-config\nwrite_files: secret-value\n"),
			"customData: the #cloud-config document is not valid YAML: line 2 is not what it should be",
		},
		"an unknown anchor": {
			linux("#cloud-config\nruncmd: *secret\n"),
			"customData: the #cloud-config document is not valid YAML: a value is not what it should be",
		},
		"a file without a path": {
			linux(keysRoot + "- {content: x}\n"),
			"customData: a file of write_files has no path",
		},
		"a file of broken base64": {
			linux(keysRoot + "- {path: /x, encoding: b64, content: '?'}\n"),
			"customData: the content of /x is not base64",
		},
		"a file that is no gzip": {
			linux(keysRoot + "- {path: /x, encoding: gz+b64, content: YWJj}\n"),
			"customData: the content of /x is not gzipped",
		},
		"a command of maps": {
			linux("#cloud-config\nruncmd:\n- ls\n- [{a: b}]\n"),
			"customData: command 2 of runcmd is neither a text nor a list of texts",
		},
		"a broken script": {
			extension(map[string]any{"script": "%"}, nil),
			"extension boot: failed to decode script: illegal base64 data",
		},
		"no command": {
			extension(nil, nil),
			"extension boot: invalid configuration: 'commandToExecute' is not specified",
		},
		"two commands": {
			extension(one, one),
			"extension boot: invalid configuration: 'commandToExecute' was specified both in public and protected " +
				"settings; it must be specified only once",
		},
		"two scripts": {
			extension(map[string]any{"script": "YQ=="}, map[string]any{"script": "YQ=="}),
			"extension boot: invalid configuration: 'script' was specified both in public and protected settings; it " +
				"must be specified only once",
		},
		"a command and a script": {
			extension(one, map[string]any{"script": "YQ=="}),
			"extension boot: invalid configuration: 'commandToExecute' and 'script' were both specified, but only " +
				"one is allowed",
		},
		"no command on Windows": {
			windows("", ""),
			"extension boot: Invalid Configuration - CommandToExecute is not specified in the configuration; it must " +
				"be specified in either the protected or public configuration section",
		},
		"a broken encoded command": {
			windows("", "powershell -EncodedCommand a?b"),
			"extension boot: its -EncodedCommand is not base64 of UTF-16LE",
		},
		"half a character": {
			windows("", "powershell -e YWJj"),
			"extension boot: its -EncodedCommand is not base64 of UTF-16LE",
		},
		"arguments of kubeadm": {
			script("kubeadm join 10.0.0.4:6443 --token x"),
			"customData runs kubeadm without a file of configuration",
		},
		"an init for a join": {
			script("kubeadm init --config /k\n" + carry(joinYAML(nil))),
			"customData runs kubeadm, and a text that customData carries has no configuration for that",
		},
		"an init and a join": {
			script("kubeadm init --config /k\nkubeadm join --config /k\n" +
				carry(joinYAML(nil)+"---\napiVersion: "+kubeadmAPI+"\nkind: InitConfiguration\n")),
			"a text that customData carries is for kubeadm init and for kubeadm join: what runs cannot be told",
		},
		"two configurations": {
			script("kubeadm join --config /k\n" + carry(joinYAML(nil)) +
				carry(joinYAML(nil)+"# another\n")),
			"a text that customData carries: there are two documents of the kind JoinConfiguration",
		},
		"a control plane on Windows": {
			windows("",
				encoded("kubeadm join --config C:\\k\r\n"+carry(joinYAML(map[string]string{"controlPlane: ": "{}"})))),
			"a text that -EncodedCommand of the command of extension boot carries: kubeadm makes no control plane on " +
				"Windows",
		},
		"an old API": {
			joins(map[string]string{"v1beta4": "v1beta3"}),
			"/k.yaml: the configuration of kubeadm has the version kubeadm.k8s.io/v1beta3: only " +
				"kubeadm.k8s.io/v1beta4 is known",
		},
		"an unknown kind": {
			joins(map[string]string{"JoinConfiguration": "JoinConfig"}),
			`/k.yaml: kubeadm knows no "JoinConfig"`,
		},
		"a configuration of no YAML": {
			joins(map[string]string{"name: linux-1": "name: linux: 1"}),
			"/k.yaml: the configuration of kubeadm is not valid YAML: line 12: mapping values are not allowed in " +
				"this context",
		},
		"arguments as a map": {
			joins(map[string]string{"[{name: node-ip, value: 10.0.0.10}]": "{node-ip: 10.0.0.10}"}),
			"/k.yaml: the JoinConfiguration cannot be read: line 13 is not what it should be",
		},
		"no token": {
			joins(map[string]string{testToken: "abc"}),
			"/k.yaml: the token of discovery.bootstrapToken is none: it has 6 characters, a dot and 16 characters, " +
				"a-z and 0-9",
		},
		"no discovery": {
			joins(map[string]string{"bootstrapToken": "file"}),
			"/k.yaml: the JoinConfiguration has no discovery.bootstrapToken: no other discovery is known",
		},
		"no hashes": {
			joins(map[string]string{"[" + testHash + "]": "[]"}),
			"/k.yaml: using token-based discovery without caCertHashes can be unsafe: set unsafeSkipCAVerification " +
				"as true in the configuration to continue",
		},
		"a hash of nothing": {
			joins(map[string]string{testHash: "sha256:12"}),
			`/k.yaml: the hash "sha256:12" of caCertHashes is none: it has sha256: and 64 hexadecimal digits`,
		},
		"an endpoint without a port": {
			joins(map[string]string{"10.0.0.4:6443": "10.0.0.4"}),
			`/k.yaml: the endpoint "10.0.0.4" is not host:port`,
		},
		"a name with an underscore": {
			joins(map[string]string{"linux-1": "linux_1"}),
			`/k.yaml: the name "linux_1" of the node is none in Kubernetes`,
		},
		"a taint of no effect": {
			joins(map[string]string{"taints: []": "taints: [{key: a, effect: No}]"}),
			"/k.yaml: the taint a:No is none",
		},
		"a label without a value": {
			joins(map[string]string{"name: node-ip, value: 10.0.0.10": "name: node-labels, value: 'a=b,c'"}),
			`/k.yaml: node-labels has "c", which is not a valid label`,
		},
		"an address of another node": {
			joins(map[string]string{"value: 10.0.0.10": "value: 10.0.0.9"}),
			"/k.yaml: the kubelet does not start: node-ip 10.0.0.9 is not the address of the machine, 10.0.0.10",
		},
		"an address that is none": {
			joins(map[string]string{"value: 10.0.0.10": "value: ten"}),
			`/k.yaml: node-ip has "ten", which is not a valid address`,
		},
		"an init of any version": {
			inits("kubernetesVersion: stable-1"),
			`/k.yaml: kubernetesVersion "stable-1" is not a valid version: kubeadm would ask the internet for one`,
		},
		"an init without an endpoint": {
			inits("kubernetesVersion: 1.36.1\ncontrolPlaneEndpoint: 'a:b'"),
			`/k.yaml: the endpoint "a:b" is not host:port`,
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

func carry(content string) string { return "echo " + base64Of(content) + "\n" }

// quoted is a text as YAML in one line.
func quoted(s string) string {
	return `"` + strings.NewReplacer(`"`, `\"`, "\n", `\n`).Replace(s) + `"`
}

// joinYAML is a configuration with texts replaced.
func joinYAML(change map[string]string) string {
	text := `apiVersion: kubeadm.k8s.io/v1beta4
kind: JoinConfiguration
discovery:
  bootstrapToken:
    apiServerEndpoint: 10.0.0.4:6443
    token: ` + testToken + `
    caCertHashes: [` + testHash + `]
controlPlane: null
patches:
  directory: /p
nodeRegistration:
  name: linux-1
  kubeletExtraArgs: [{name: node-ip, value: 10.0.0.10}]
  taints: []
`
	for old, replacement := range change {
		text = strings.ReplaceAll(strings.ReplaceAll(text, old+"null", old+replacement), old, replacement)
		if strings.HasSuffix(old, ": ") {
			text = strings.ReplaceAll(text, replacement+replacement, old+replacement)
		}
	}
	return text
}

func withConfiguration(content, command string) Machine {
	return linux(keysRoot + "- {path: /k.yaml, content: " + quoted(content) + "}\nruncmd:\n- [kubeadm, " + command +
		", --config, /k.yaml]\n")
}

func joins(change map[string]string) Machine { return withConfiguration(joinYAML(change), "join") }

func inits(cluster string) Machine {
	return withConfiguration("apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\n"+cluster+"\n", "init")
}

func TestWhatKubeadmAddsItself(t *testing.T) {
	t.Parallel()
	withoutTaints := map[string]string{"  taints: []\n": ""}
	for name, c := range map[string]struct {
		machine Machine
		want    Bootstrap
	}{
		"no taints on a worker": {joins(withoutTaints), Bootstrap{Taints: []corev1.Taint{}}},
		"a name and the taint": {
			inits("kubernetesVersion: 1.36.1"),
			Bootstrap{
				Init: true, ControlPlane: true, Version: "v1.36.1", Endpoint: "10.0.0.10:6443",
				Taints: []corev1.Taint{controlPlaneTaint},
			},
		},
		"a port": {
			inits("kubernetesVersion: v1.36.1\ncontrolPlaneEndpoint: api.example.com"),
			Bootstrap{
				Init: true, ControlPlane: true, Version: "v1.36.1", Endpoint: "api.example.com:6443",
				Taints: []corev1.Taint{controlPlaneTaint},
			},
		},
	} {
		c.want.NodeName, c.want.Labels, c.want.Keys = "linux-1", map[string]string{}, map[string]string{}
		if !c.want.Init {
			c.want.Endpoint, c.want.Token, c.want.CACertHashes = "10.0.0.4:6443", testToken, []string{testHash}
		}
		t.Log(name)
		wantBoot(t, c.machine, &c.want)
	}
}

func TestCallsOfKubeadm(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"kubeadm join --config /k.yaml":                                   true,
		"/usr/local/bin/kubeadm --v 5 join --config /k.yaml":              true,
		"exec kubeadm join --config=/k.yaml":                              true,
		`Invoke-Native kubeadm.exe @('join', '--config', $k)`:             true,
		"init) echo no ;; join) kubeadm join --config $x ;;":              true,
		"kubeadm version && echo join --config":                           false,
		"kubeadm version; join --config":                                  false,
		"kubeadm join phase preflight --config /k.yaml":                   false,
		"systemctl start kubeadm-join --config":                           false,
		"kubeadm reset --force --config":                                  false,
		"mykubeadm2 join --config":                                        false,
		"# kubeadm join --config /k.yaml":                                 false,
		"   # kubeadm join --config /k.yaml":                              false,
		"kubeadm config images pull\necho then join by hand, or --config": false,
	} {
		b, err := Boot(linux("#!/bin/sh\n" + line + "\n" + carry(joinYAML(nil))))
		if err != nil || (b != nil) != want {
			t.Errorf("%s: %v, %v", line, b, err)
		}
	}
}

func TestErrorsHaveNoSecrets(t *testing.T) {
	t.Parallel()
	for _, change := range []map[string]string{
		{"caCertHashes": "token"},
		{testToken: "[" + testToken + "]"},
		{testToken: "'" + testToken + "-'"},
		{"token: ": "token: *"},
	} {
		_, err := Boot(joins(change))
		if err == nil || strings.Contains(err.Error(), testToken[:6]) {
			t.Errorf("%v", err)
		}
	}
}

func FuzzBoot(f *testing.F) {
	f.Add("#cloud-config\nruncmd: [kubeadm join --config k]\n", "kubeadm join", "YQ==", true)
	f.Add("#!/bin/sh\n"+carry(joinYAML(nil))+"kubeadm join --config x", "echo", "{}", false)
	f.Add(`{"files":[{"path":"pki/ca.crt","content":"x"}]}`, encoded("CustomData.bin bootstrap.ps1 kubeadm join"), "",
		true)
	f.Add(gzipOf("#cloud-config\nwrite_files:\n- {path: '', content: x, append: true}\n"), "powershell -e YQA=", "H4sI",
		false)
	f.Fuzz(func(t *testing.T, customData, command, script string, windows bool) {
		m := Machine{ComputerName: "m", Windows: windows, CustomData: []byte(customData), Extensions: []Extension{
			windowsExtension(command)[0], linuxExtension(map[string]any{"commandToExecute": command}, nil)[0],
			linuxExtension(nil, map[string]any{"script": script})[0],
		}}
		if script == "" {
			m.Extensions = m.Extensions[:2]
		}
		b, err := Boot(m)
		if err != nil && (b != nil || err.Error() == "") {
			t.Errorf("%v and %v", b, err)
		}
	})
}
