package kubeadm_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"gopkg.in/yaml.v3"

	"github.com/mixedkube/mixedkube/components/kubeadm"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/internal/testkit/payload"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
	"github.com/mixedkube/mixedkube/machines/kubeadm/pki"
)

// clusters returns the clusters whose secrets the tests look for.
func clusters() map[string]*kubeadm.ClusterArgs {
	all := map[string]*kubeadm.ClusterArgs{"full": full()}
	for _, k := range inAzure {
		all[string(k)] = kind(k)
	}
	return all
}

// No password, key or token is in a value that is not a secret, however it is encoded, nor in the
// log and the text of the graph.
func TestNoSecretIsShown(t *testing.T) {
	t.Parallel()
	for name, args := range clusters() {
		for mode, option := range modes {
			t.Run(name+" in "+mode, func(t *testing.T) {
				t.Parallel()
				graph := mocktest.MustRun(t, newCluster(args), append(option, azure())...)
				secrets := hidden(t, args, graph.ByType(machineType)...)
				for _, r := range graph.Resources() {
					for _, properties := range []resource.PropertyMap{r.Inputs, r.Outputs} {
						equal(t, "secrets of "+r.String()+" that show", []string(nil),
							mentions(strings.Join(texts(properties, false), "\n"), secrets))
					}
				}
				equal(t, "secrets in the graph", []string(nil), mentions(graph.String(), secrets))
				for _, l := range graph.Logs() {
					equal(t, "secrets in the log", []string(nil), mentions(l.Message, secrets))
				}
			})
		}
	}
}

// Conversely, the secret values contain all of them. So the test above would find them.
func TestSecretPropertiesContainTheSecrets(t *testing.T) {
	t.Parallel()
	args := full()
	graph := made(t, args)
	k := keysOf(args)
	c := certificates(k)
	keys := []string{c.CA.PrivateKey, c.EtcdCA.PrivateKey, c.FrontProxyCA.PrivateKey, c.ServiceAccount.PrivateKey}
	for i, key := range keys {
		keys[i] = strings.Split(key, "\n")[1]
	}
	keys = append(keys, k.EncryptionKeys()...)
	for _, vm := range graph.ByType(machineType) {
		machine := at(t, vm.Plain(), "osProfile", "computerName").(string)
		token := pki.TokenSecret(tokenOf(k, vm))
		extension := graph.MustGet(t, extensionType, vm.Name+"-bootstrap")
		inside := brought(t, vm, extension)
		controlPlane := strings.HasPrefix(machine, "control-plane-")
		if controlPlane {
			equal(t, "keys of "+machine, keys, mentions(inside, keys))
		} else {
			equal(t, "keys of "+machine, []string(nil), mentions(inside, keys))
		}
		if machine == "control-plane-0" {
			equal(t, "tokens of the first machine", []string(nil), mentions(inside, []string{token}))
			continue
		}
		equal(t, "token of "+machine, []string{token}, mentions(inside, []string{token}))
		for _, other := range graph.ByType(machineType) {
			if other.URN != vm.URN {
				equal(t, "token of "+other.Name+" on "+machine, []string(nil),
					mentions(inside, []string{pki.TokenSecret(tokenOf(k, other))}))
			}
		}
	}
	for _, vm := range graph.ByType(machineType) {
		if strings.HasPrefix(vm.Name, "shop-win") {
			equal(t, "password of "+vm.String(), password, revealed(t, vm.Inputs, "osProfile", "adminPassword"))
		}
	}
}

// The customData alone and the settings of the extension alone, which the WireServer serves, give
// away no secret. Both together give away all secrets of the machine.
func TestNeitherCustomDataNorSettingsExposeSecrets(t *testing.T) {
	t.Parallel()
	for name, args := range clusters() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			graph := made(t, args)
			secrets := hidden(t, args, graph.ByType(machineType)...)
			keys := map[string]string{}
			for _, vm := range graph.ByType(machineType) {
				extension := graph.MustGet(t, extensionType, vm.Name+"-bootstrap")
				data, protected := unfolded(customData(t, vm)), settings(extension)
				equal(t, "secrets in the customData of "+vm.String(), []string(nil), mentions(data, secrets))
				equal(t, "secrets in the settings of "+extension.String(), []string(nil), mentions(protected, secrets))
				equal(t, "payload in the customData of "+vm.String(), "", payload.In(data))
				key := payload.KeyIn(data)
				for line := range strings.Lines(key) {
					if strings.Contains(protected, strings.TrimSpace(line)) {
						t.Errorf("%s: half of the key is in the settings as well", extension)
					}
				}
				if other, twice := keys[key]; twice {
					t.Errorf("%s has the key of %s", vm, other)
				}
				keys[key] = vm.String()
				if both := mentions(brought(t, vm, extension), secrets); both == nil {
					t.Errorf("%s brings no secret at all", extension)
				}
			}
		})
	}
}

// Only these properties of a resource are secret: further ones would hide changes from a user who
// runs a preview.
func TestSecretProperties(t *testing.T) {
	t.Parallel()
	for name, args := range clusters() {
		for mode, option := range modes {
			t.Run(name+" in "+mode, func(t *testing.T) {
				t.Parallel()
				graph := mocktest.MustRun(t, newCluster(args), append(option, azure())...)
				for _, r := range graph.Resources() {
					var want []string
					switch r.Type {
					case machineType:
						want = []string{"osProfile.customData"}
						if strings.HasPrefix(r.Name, "shop-win") {
							want = []string{"osProfile.adminPassword", "osProfile.customData"}
						}
					case extensionType:
						want = []string{"protectedSettings.script"}
						if strings.HasPrefix(r.Name, "shop-win") {
							want = []string{"protectedSettings.commandToExecute"}
						}
						if _, ok := r.Plain()["settings"]; ok {
							t.Errorf("%s has settings that everyone sees", r)
						}
					case stashType:
						if strings.Contains(r.Name, "-keys-") {
							want = []string{"input"}
						}
					case providerType:
						want = []string{"kubeconfig"}
					}
					equal(t, "secrets of "+r.String(), want, r.Secrets())
				}
			})
		}
	}
}

var (
	commandMark = regexp.MustCompile(`[0-9a-fA-F]{64}`)
	payloadMark = regexp.MustCompile(`[A-Za-z0-9+/]{200,}={0,2}`)
)

// The customData of a machine consists of the public files of its node and its key, and it matches
// what the extension brings: a command for another script fails on the machine.
func TestCustomData(t *testing.T) {
	t.Parallel()
	args := full()
	graph := made(t, args)
	c := description(args)
	addresses := map[string]netip.Addr{}
	for _, nic := range graph.ByType(interfaceType) {
		text := at(t, azureOutputs(nic), "ipConfigurations", 0, "privateIPAddress").(string)
		addresses[strings.TrimPrefix(nic.Plain()["networkInterfaceName"].(string),
			"shop-prod-")] = netip.MustParseAddr(text)
	}
	for _, m := range c.Machines() {
		pool := m.Name
		if !m.ControlPlane {
			pool = m.Pool.Name + "-" + m.Name
		}
		vm := graph.MustGet(t, machineType, "shop-"+pool)
		extension := graph.MustGet(t, extensionType, "shop-"+pool+"-bootstrap")
		data := customData(t, vm)
		cluster := c.Bootstrap(map[string]netip.Addr{m.Name: addresses[m.Name]})
		cluster.CACertificate = ownCA().Certificate
		public, err := bootstrap.PublicFiles(cluster, m.Name)
		if err != nil {
			t.Fatal(err)
		}
		var want, got []string
		for _, f := range public {
			want = append(want, f.Path)
		}
		key := bootstrap.NewPayloadKey(keysOf(args).PayloadKey(m.Name, m.ControlPlane)).File(m.Pool.Platform)
		want = append(want, key.Path)
		equal(t, "key of "+m.Name, key.Content, payload.KeyIn(unfolded(data)))
		if m.Pool.Platform.IsWindows() {
			var payload struct {
				Files []struct {
					Path   string
					Secret bool
				}
			}
			text := unfolded(payloadMark.FindString(data))
			if err := json.Unmarshal([]byte(text[strings.Index(text, "\n"):strings.LastIndex(text, "]}")+2]),
				&payload); err != nil {
				t.Fatal(err)
			}
			for _, f := range payload.Files {
				got = append(got, f.Path)
				if f.Secret != (f.Path == key.Path) {
					t.Errorf("%s: %s is secret", m.Name, f.Path)
				}
			}
			command := unfolded(revealed(t, extension.Inputs, "protectedSettings", "commandToExecute"))
			sum := sha256.Sum256([]byte(data))
			if !slices.Contains(commandMark.FindAllString(command, -1), hex.EncodeToString(sum[:])) {
				t.Errorf("the command of %s is for another customData", m.Name)
			}
		} else {
			var config struct {
				WriteFiles []struct{ Path, Permissions string } `yaml:"write_files"`
			}
			if !strings.HasPrefix(data, "#cloud-config\n") {
				t.Errorf("cloud-init ignores %.40q", data)
			}
			if err := yaml.Unmarshal([]byte(data), &config); err != nil {
				t.Fatal(err)
			}
			for _, f := range config.WriteFiles {
				got = append(got, f.Path)
				public := f.Permissions == "0644" || f.Permissions == "0755"
				if public == (f.Path == key.Path) {
					t.Errorf("%s: %s has the mode %s", m.Name, f.Path, f.Permissions)
				}
			}
		}
		equal(t, "files of "+m.Name, want, got)
	}
}

// Azure takes at most 64 KB of customData and 256 KB of a script
// (https://learn.microsoft.com/azure/virtual-machines/custom-data).
func TestCustomDataAndScriptsFit(t *testing.T) {
	t.Parallel()
	for name, args := range clusters() {
		graph := made(t, args)
		for _, vm := range graph.ByType(machineType) {
			if n := len(revealed(t, vm.Inputs, "osProfile", "customData")); n > 87_380 {
				t.Errorf("%s: the customData of %s has %d characters of base64", name, vm, n)
			}
		}
		for _, extension := range graph.ByType(extensionType) {
			for _, text := range texts(extension.Inputs, true) {
				if len(text) > 256<<10 {
					t.Errorf("%s: the script of %s has %d characters", name, extension, len(text))
				}
			}
		}
	}
}

// A preview that does not know its secret yet knows nothing derived from it, and shows nothing.
func TestASecretThatIsNotKnownYet(t *testing.T) {
	t.Parallel()
	unknown := pulumi.ToSecret(mocktest.Unknown[pulumi.StringOutput]()).(pulumi.StringOutput)
	graph := mocktest.MustRun(t, newCluster(small(func(a *kubeadm.ClusterArgs) {
		a.Keys.Secrets, a.WindowsAdmin.Password = []pulumi.StringInput{unknown}, unknown
		a.Keys.Etcd.Pairs = []kubeadm.KeyPair{{
			Certificate: mocktest.Unknown[pulumi.StringOutput](), PrivateKey: unknown,
		}}
	})), mocktest.Preview(), azure())
	known := mocktest.MustRun(t, newCluster(small(nil)), mocktest.Preview(), azure())
	var want, got []string
	for _, r := range known.Resources() {
		want = append(want, string(r.URN))
	}
	for _, r := range graph.Resources() {
		got = append(got, string(r.URN))
	}
	equal(t, "resources", want, got)
	for _, extension := range graph.ByType(extensionType) {
		settings := extension.Inputs["protectedSettings"].ObjectValue()
		for key, value := range settings {
			if !value.IsSecret() || !value.SecretValue().Element.IsComputed() {
				t.Errorf("%s of %s is %v", key, extension, value)
			}
		}
	}
}

// Another secret changes only secret values, and the certificate of the authority that each machine
// knows.
func TestAnotherSecretChangesKeysOnly(t *testing.T) {
	t.Parallel()
	a := made(t, kind(network.UpstreamL3))
	args := kind(network.UpstreamL3)
	args.Keys.Secrets = []pulumi.StringInput{pulumi.String(otherSecret)}
	b := made(t, args)
	for _, r := range a.Resources() {
		other, ok := b.ByURN(r.URN)
		if !ok {
			t.Errorf("%s is missing", r)
			continue
		}
		before, after := r.Plain(), other.Plain()
		if r.Type == machineType {
			delete(before["osProfile"].(map[string]any), "customData")
			delete(after["osProfile"].(map[string]any), "customData")
		}
		if diff := cmp.Diff(before, after); diff != "" {
			t.Errorf("%s:\n%s", r, diff)
		}
		if r.Type == extensionType && cmp.Equal(texts(r.Inputs, true), texts(other.Inputs, true)) {
			t.Errorf("the settings of %s are the same", r)
		}
	}
}
