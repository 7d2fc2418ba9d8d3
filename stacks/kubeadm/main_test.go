package main

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/kubeadm/kubeadmtest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/rule/ruletest"
	_ "github.com/mixedkube/mixedkube/internal/system/clock/clocktest"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/stacks/stacktest"
)

const (
	machinePassword = "Correct-Horse-Battery-9"
)

// stack returns the options of the stack kubeadm with the values that its users set
// themselves, and changes to its section.
func stack(t *testing.T, change func(section map[string]any)) mocktest.Option {
	t.Helper()
	config := stacktest.Configuration(t, "../Pulumi.kubeadm.yaml")
	section := map[string]any{}
	if err := json.Unmarshal([]byte(config["mixedkube:kubeadm"]), &section); err != nil {
		t.Fatal(err)
	}
	hashes := map[string]any{}
	for _, d := range bootstrap.KnownReleases().All() {
		if d.SHA256 == "" {
			hashes[d.URL] = strings.Repeat("0", 64)
		}
	}
	section["hashes"] = hashes
	section["linuxAdmin"] = map[string]any{"sshPublicKey": "ssh-ed25519 AAAA someone"}
	if change != nil {
		change(section)
	}
	text, err := json.Marshal(section)
	if err != nil {
		t.Fatal(err)
	}
	maps.Copy(config, map[string]string{
		"mixedkube:kubeadm": string(text), "mixedkube:windowsPassword": machinePassword,
	})
	return mocktest.All(mocktest.Project("mixedkube", "kubeadm"), mocktest.Config(config), kubeadmtest.Azure())
}

// The secrets are checked with the rest of the configuration, before anything is created.
func TestRefusedSecretsAreFindings(t *testing.T) {
	t.Parallel()
	graph, err := mocktest.Run(guard.Program(program()), stack(t, nil), mocktest.Preview(),
		mocktest.Config(map[string]string{"mixedkube:windowsPassword": "Hush-1"}))
	want := `mixedkube:kubeadm:Cluster "kubeadm": windowsAdmin.password: … (MK658)`
	if err == nil || ruletest.WithoutSentences(err.Error()) != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
	if made := graph.Resources(); len(made) > 0 {
		t.Errorf("registered: %v", made)
	}
}

// Workloads are deployed into the cluster that the stack creates, when its nodes are ready.
func TestStacksOnMachinesDeployIntoTheirOwnCluster(t *testing.T) {
	t.Parallel()
	for mode, options := range map[string][]mocktest.Option{"update": nil, "preview": {mocktest.Preview()}} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			graph := mocktest.MustRun(t, guard.Program(program()), append(options, stack(t, nil))...)
			provider, err := graph.Get("pulumi:providers:kubernetes", "kubeadm-kubernetes")
			if err != nil {
				t.Fatal(err)
			}
			deployed := 0
			for _, r := range graph.Resources() {
				// The objects of the cluster itself are children of its component.
				if !strings.HasPrefix(r.Type, "kubernetes:") ||
					strings.Contains(string(r.URN), "mixedkube:kubeadm:Cluster") {
					continue
				}
				deployed++
				if r.Provider != provider.URN {
					t.Errorf("%s has the provider %q", r, r.Provider)
				}
			}
			// Three platforms, with a class, a Deployment and a Service each, and linux-web.
			if want := 3*3 + 1; deployed != want {
				t.Errorf("%d Kubernetes resources, want %d", deployed, want)
			}
			exports := mocktest.Plain(graph.Exports())
			delete(exports, "workloads")
			if diff := cmp.Diff(map[string]any{"endpoint": "10.240.0.4:6443", "kubeconfig": mocktest.SecretValue},
				exports); diff != "" {
				t.Errorf("exports (-want +got):\n%s", diff)
			}
		})
	}
}

// The keys of the configuration are the component's arguments.
func TestTheSectionOfAStackOnMachinesIsItsArguments(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, guard.Program(program()), stack(t, func(section map[string]any) {
		maps.Copy(section, map[string]any{
			"resourceGroupName": "shop-group", "clusterName": "shop", "location": "northeurope", "unprotected": true,
			"controlPlane": map[string]any{
				"count": 1, "size": "Standard_D8s_v5", "osDiskSizeGB": 200,
				"zones": []string{"2"},
			},
			"network": map[string]any{
				"kind": "host-gateway", "nodeCIDR": "10.240.0.0/24",
				"podCIDR": "10.9.0.0/16", "serviceCIDR": "10.8.0.0/16", "nodeMaskSize": 25,
				"blockedEgress": []any{map[string]any{"cidr": "203.0.113.0/24", "tcpPorts": []int{443}}},
			},
			"podsReachInstanceMetadata": true,
			"linuxAdmin": map[string]any{
				"username": "operator", "sshPublicKey": "ssh-ed25519 BBBB other",
			},
			"windowsAdmin":    map[string]any{"username": "winoperator", "licenseType": "Windows_Server"},
			"apiServer":       map[string]any{"authorizedIPRanges": []string{"203.0.113.7"}, "private": true},
			"nodePortSources": []string{"198.51.100.7"},
		})
	}))
	machine, err := graph.Get("azure-native:compute:VirtualMachine", "shop-control-plane-0")
	if err != nil {
		t.Fatal(err)
	}
	if machine.Protect {
		t.Error("the control plane is protected")
	}
	in := machine.Plain()
	profile := in["osProfile"].(map[string]any)
	// The profile contains the key of the machine's payload, so it is a secret.
	profileInputs := machine.Inputs["osProfile"].ObjectValue()
	userData, err := base64.StdEncoding.DecodeString(profileInputs["customData"].SecretValue().Element.StringValue())
	if err != nil {
		t.Fatal(err)
	}
	var rules []string
	for line := range strings.Lines(string(userData)) {
		if strings.Contains(line, "ip daddr ") && strings.HasSuffix(line, " drop\n") {
			rules = append(rules, strings.TrimSpace(line))
		}
	}
	if diff := cmp.Diff([]string{
		"ip daddr 203.0.113.0/24 tcp dport { 443 } drop", "ip daddr 168.63.129.16/32 tcp dport { 80, 32526 } drop",
	}, rules); diff != "" {
		t.Errorf("rules for pods (-want +got):\n%s", diff)
	}
	delete(profile, "customData")
	want := map[string]any{
		"resourceGroupName": "shop-group", "location": "northeurope", "vmName": "shop-control-plane-0",
		"zones":           []any{"2"},
		"hardwareProfile": map[string]any{"vmSize": "Standard_D8s_v5"},
		"osProfile": map[string]any{
			"adminUsername": "operator", "computerName": "control-plane-0",
			"linuxConfiguration": map[string]any{
				"disablePasswordAuthentication": true, "provisionVMAgent": true,
				"ssh": map[string]any{"publicKeys": []any{
					map[string]any{"keyData": "ssh-ed25519 BBBB other", "path": "/home/operator/.ssh/authorized_keys"},
				}},
			},
		},
	}
	for key, value := range want {
		if diff := cmp.Diff(value, in[key]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", key, diff)
		}
	}
	all := graph.String()
	for _, text := range []string{
		"diskSizeGB: 200", "adminUsername: winoperator", "licenseType: Windows_Server",
		"sourceAddressPrefix: 203.0.113.7", "sourceAddressPrefix: 198.51.100.7",
		"addressPrefix: 10.9.", "routeTableName: shop-pods",
	} {
		if !strings.Contains(all, text) {
			t.Errorf("%s is nowhere", text)
		}
	}
	if strings.Contains(all, "shop-public") {
		t.Error("there is a public load balancer")
	}
}

func TestNoSecretOfAStackOnMachinesIsShown(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, guard.Program(program()), stack(t, nil))
	for _, secret := range []string{machinePassword, kubeadmtest.GeneratedSecret("kubeadm-keys-0")} {
		if strings.Contains(graph.String(), secret) {
			t.Errorf("%s shows", secret)
		}
	}
}

// The machines download the known releases, with the files and the hashes of the section.
func TestTheMachinesDownloadTheReleasesOfTheSection(t *testing.T) {
	t.Parallel()
	const url = "https://downloads.example.com/kubernetes/v1.36.3/kubelet"
	graph := mocktest.MustRun(t, guard.Program(program()), stack(t, func(section map[string]any) {
		hash := strings.Repeat("5a", 32)
		for _, program := range []string{"kubeadm", "kubectl"} {
			section["hashes"].(map[string]any)["https://dl.k8s.io/v1.36.3/bin/linux/amd64/"+program] = hash
		}
		for _, program := range []string{"kubeadm.exe", "kube-proxy.exe", "kubelet.exe"} {
			section["hashes"].(map[string]any)["https://dl.k8s.io/v1.36.3/bin/windows/amd64/"+program] = hash
			delete(section["hashes"].(map[string]any), "https://dl.k8s.io/v1.36.4/bin/windows/amd64/"+program)
		}
		section["releases"] = map[string]any{
			"kubernetes": []any{map[string]any{
				"version": "1.36.3",
				"kubelet": map[string]any{"linux": map[string]any{"url": url, "sha256": strings.Repeat("ab", 32)}},
			}},
			"pauseImage": "registry.example.com/pause:3.10.2",
		}
	}))
	machine, err := graph.Get("azure-native:compute:VirtualMachine", "kubeadm-control-plane-0")
	if err != nil {
		t.Fatal(err)
	}
	customData := machine.Inputs["osProfile"].ObjectValue()["customData"].SecretValue().Element.StringValue()
	userData, err := base64.StdEncoding.DecodeString(customData)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		strings.Repeat("ab", 32) + "\t" + url + "\t",
		strings.Repeat("5a", 32) + "\thttps://dl.k8s.io/v1.36.3/bin/linux/amd64/kubeadm\t",
		"registry.example.com/pause:3.10.2",
	} {
		if !strings.Contains(string(userData), text) {
			t.Errorf("%q is nowhere", text)
		}
	}
}

// Mistakes are reported before anything is registered.
func TestABadConfigurationOfMachinesIsRefused(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change func(section map[string]any)
		want   string
	}{
		"a hash of an unknown address": {
			func(section map[string]any) {
				section["hashes"] = map[string]any{"https://dl.k8s.io/v1.36.4/bin/windows/amd64/kublet.exe": strings.Repeat("0", 64), "https://example.com/x": "1"}
			},
			"stack configuration:\n" +
				`  mixedkube:kubeadm.hashes[https://dl.k8s.io/v1.36.4/bin/windows/amd64/kublet.exe]: Invalid value: ` +
				`"https://dl.k8s.io/v1.36.4/bin/windows/amd64/kublet.exe": ` +
				"no download has this address: did you mean " +
				"https://dl.k8s.io/v1.36.4/bin/windows/amd64/kubelet.exe?\n" +
				`  mixedkube:kubeadm.hashes[https://example.com/x]: Invalid value: "https://example.com/x": no ` +
				`download has this address: remove it`,
		},
		"what the component checks": {
			func(section map[string]any) {
				section["controlPlane"], section["linuxAdmin"] = map[string]any{"count": 2}, map[string]any{}
			},
			`mixedkube:kubeadm:Cluster "kubeadm":
  controlPlane.count: … (MK641)
  linuxAdmin.sshPublicKey: … (MK655)`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			graph, err := mocktest.Run(guard.Program(program()), stack(t, tt.change), mocktest.Preview())
			if err == nil || ruletest.WithoutSentences(err.Error()) != tt.want {
				t.Errorf("the error is %v, want %s", err, tt.want)
			}
			if registered := graph.Resources(); len(registered) != 0 {
				t.Errorf("registered %v, want nothing", registered)
			}
		})
	}
}

func TestOtherClustersAreRefused(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"aks": "stack configuration: mixedkube:aks: Forbidden: this program creates clusters on virtual machines " +
			"only: run pulumi in the root of the repository",
		"lab-given": "stack configuration: mixedkube:kubeadm: Required value: this program creates clusters on " +
			"virtual machines only: describe how to create this one, or run pulumi in the root of the repository for " +
			"an existing cluster",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := mocktest.Config(stacktest.Configuration(t, "../Pulumi."+name+".yaml"))
			graph, err := mocktest.Run(guard.Program(program()), mocktest.Project("mixedkube", name), config,
				mocktest.Preview())
			if err == nil || err.Error() != want {
				t.Errorf("the error is %v, want %s", err, want)
			}
			if registered := graph.Resources(); len(registered) != 0 {
				t.Errorf("registered %v, want nothing", registered)
			}
		})
	}
}
