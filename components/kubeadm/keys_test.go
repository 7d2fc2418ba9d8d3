package kubeadm_test

import (
	"encoding/base64"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/kubeadm"
	"github.com/mixedkube/mixedkube/components/kubeadm/kubeadmtest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/internal/testkit/payload"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/kubeadm/pki"
)

// stack is a state that remembers the first inputs of stashes, as the engine's does.
type stack map[string]resource.PropertyValue

// option starts a run with the state, and lets an update add to it.
func (s stack) option(mode string) mocktest.Option {
	azure := kubeadmtest.Outputs()
	outputs := mocktest.Outputs(func(r mocktest.Resource) resource.PropertyMap {
		if r.Type != stashType {
			return azure(r)
		}
		if _, exists := s[r.Name]; !exists && mode == "update" {
			s[r.Name] = r.Inputs["input"]
		}
		if first, exists := s[r.Name]; exists {
			return resource.PropertyMap{"output": first}
		}
		return nil
	})
	return mocktest.All(mocktest.Calls(kubeadmtest.Call), outputs)
}

var originName = regexp.MustCompile(`-keys-\d+$`)

// origins returns the origins of keys in the state.
func origins(t *testing.T, s stack) map[string]map[string]any {
	t.Helper()
	all := map[string]map[string]any{}
	for name, value := range s {
		if !originName.MatchString(name) {
			continue
		}
		all[name] = mocktest.Revealed(resource.PropertyMap{"origin": value})["origin"].(map[string]any)
	}
	return all
}

// run runs the program once, in one of [modes].
func (s stack) run(mode string, args *kubeadm.ClusterArgs) (*mocktest.Graph, error) {
	return mocktest.Run(newCluster(args), append(slices.Clone(modes[mode]), s.option(mode))...)
}

// All keys come from one secret, which is generated once: no later run replaces it, and two
// clusters have different ones.
func TestTheSecretIsGeneratedOnce(t *testing.T) {
	t.Parallel()
	s := stack{}
	first, err := s.run("update", small(nil))
	if err != nil {
		t.Fatal(err)
	}
	made := origins(t, s)["shop-keys-0"]
	today := time.Now().UTC().Format(time.DateOnly)
	equal(t, "day", any(today), made["created"])
	equal(t, "salt", any("project/stack/shop"), made["salt"])
	secret, err := pki.Generated(made["drawn"].(string), "project/stack/shop")
	if err != nil {
		t.Fatal(err)
	}
	created, err := time.Parse(time.DateOnly, today)
	if err != nil {
		t.Fatal(err)
	}
	k := pki.Keys{Generations: []pki.Generation{{Secret: secret, Created: created}}}
	prints, err := k.Fingerprints(0)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{}
	for kind, print := range prints {
		want[string(kind)] = print
	}
	equal(t, "fingerprints", any(want), made["fingerprints"])
	for mode := range modes {
		again, err := s.run(mode, small(nil))
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "the secret after an "+mode, any(made), any(origins(t, s)["shop-keys-0"]))
		if mode == "update" {
			deleted, created, changed := differences(t, first, again)
			equal(t, "differences", [][]string{nil, nil, nil}, [][]string{deleted, created, changed})
		}
	}
	other := stack{}
	if _, err := other.run("update", small(nil)); err != nil {
		t.Fatal(err)
	}
	if origins(t, other)["shop-keys-0"]["drawn"] == made["drawn"] {
		t.Error("two clusters have the same secret")
	}
}

// phrase is a secret that an operator has configured.
const phrase = "ThisIsMyVerySecretClusterPassphrase2024Azur"

// authority returns the certificate of the authority of a cluster.
func authority(t *testing.T, graph *mocktest.Graph) any {
	t.Helper()
	return mocktest.Plain(graph.MustGet(t, clusterType, "shop").Outputs)["caCertificate"]
}

// registeredKeys returns the private and public keys of a cluster as its machines and clients get them in an update.
func registeredKeys(t *testing.T, graph *mocktest.Graph) map[string]any {
	t.Helper()
	all := map[string]any{"authority": authority(t, graph)}
	for _, vm := range graph.ByType(machineType) {
		all[vm.Name] = brought(t, vm, graph.MustGet(t, extensionType, vm.Name+"-bootstrap"))
	}
	return all
}

// Renaming a stack, a project or a cluster changes no key: the state records the names at the first use.
func TestRenamesChangeNoKey(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*kubeadm.ClusterArgs){"generated": nil, "configured": secrets(phrase)} {
		s := stack{}
		run := func(mode, project, named string, args *kubeadm.ClusterArgs) *mocktest.Graph {
			return mocktest.MustRun(t, newCluster(args),
				append(slices.Clone(modes[mode]), s.option(mode), mocktest.Project(project, named))...)
		}
		first := run("update", "project", "stack", small(change))
		made := origins(t, s)["shop-keys-0"]
		want := registeredKeys(t, first)
		for _, named := range [][2]string{{"project", "renamed"}, {"renamed", "stack"}} {
			preview := run("preview", named[0], named[1], small(change))
			equal(t, name+" keys in a preview", want["authority"], authority(t, preview))
			equal(t, name+" keys", want, registeredKeys(t, run("update", named[0], named[1], small(change))))
		}
		equal(t, "the record", made, origins(t, s)["shop-keys-0"])
	}
}

// Clusters of two stacks, or of two projects, have different keys, even with the same configured secret.
func TestStacksShareNoKey(t *testing.T) {
	t.Parallel()
	authorities := map[any]bool{}
	for _, named := range [][2]string{{"project", "dev"}, {"project", "prod"}, {"other", "dev"}} {
		s := stack{}
		graph := mocktest.MustRun(t, newCluster(small(secrets(phrase))), s.option("update"),
			mocktest.Project(named[0], named[1]))
		authorities[authority(t, graph)] = true
		equal(t, "salt", any(named[0]+"/"+named[1]+"/shop"), origins(t, s)["shop-keys-0"]["salt"])
	}
	equal(t, "different authorities", 3, len(authorities))
}

// States of earlier versions have no salt. These records and fingerprints are from commit 78ace420.
func TestStatesWithoutASaltKeepTheirKeys(t *testing.T) {
	t.Parallel()
	record := func(fingerprints map[string]string) stack {
		prints := resource.PropertyMap{}
		for kind, print := range fingerprints {
			prints[resource.PropertyKey(kind)] = resource.NewProperty(print)
		}
		return stack{"shop-keys-0": resource.MakeSecret(resource.NewProperty(resource.PropertyMap{
			"drawn":        resource.NewProperty(configuredSecret),
			"created":      resource.NewProperty("2026-11-20"),
			"fingerprints": resource.NewProperty(prints),
		}))}
	}
	for name, tt := range map[string]struct {
		change       func(*kubeadm.ClusterArgs)
		fingerprints map[string]string
	}{
		"generated": {nil, map[string]string{
			"cluster":         "5b1b3f21c9e7a8551734fce3350274812b21dd156ae0acd9f3516619601d4edd",
			"encryption":      "bdcd9a9521eba6c64793e5a10ac4cdc40e29c8b90d5344bef6eb9f62c76c406d",
			"etcd":            "fec286159004235854db4309eb3224666bdefecf01a111dec1fff0deb140ef7f",
			"frontProxy":      "fbca473f21b90835dc8929387d12e5eb009a9baf36713500d8bacb8970f8243f",
			"serviceAccounts": "c25e4582e10ef443feef1941b56a86bf8906a7b2dabf58dbb395bd7807fbc0d2",
		}},
		"configured": {secrets(phrase), map[string]string{
			"cluster":         "90ec9b474d947f9640c3e5e87d385f74fe67f21b61d1886e2b2dbc87f7fcf7ee",
			"encryption":      "1c505bda32ec92f5b1233105d0c9d2e5491850e0bade6ac535dfb302c9f713b5",
			"etcd":            "a3cb24f77e9a9eb2755fc8efac31a9bddcc5b478af047c210bf9f0df052f6bc1",
			"frontProxy":      "7684add0f3000b151ed57142d7046d86d73c813402118cf25c895bd8fa53534d",
			"serviceAccounts": "da03d8f4e9b7dc765ce93b2376193bfb840b120fbb7ca7fc59fcdd66b06899b1",
		}},
	} {
		for mode := range modes {
			// A key that differs from its fingerprint is an error.
			if _, err := record(tt.fingerprints).run(mode, small(tt.change)); err != nil {
				t.Errorf("%s keys, %s: %v", name, mode, err)
			}
		}
		tt.fingerprints["etcd"] = tt.fingerprints["cluster"]
		if _, err := record(tt.fingerprints).run("update", small(tt.change)); err == nil {
			t.Errorf("%s keys: another key is accepted", name)
		}
	}
	// Another name of the cluster would change the keys.
	s := record(map[string]string{"cluster": "5b1b3f21c9e7a8551734fce3350274812b21dd156ae0acd9f3516619601d4edd"})
	_, err := s.run("preview", small(func(a *kubeadm.ClusterArgs) { a.ClusterName = "shop2" }))
	if err == nil || !strings.Contains(err.Error(), "MK666") {
		t.Errorf("another name of the cluster: %v", err)
	}
}

// A changed secret or pair fails the preview, before any machine gets it.
func TestKeysThatHaveChangedFailThePreview(t *testing.T) {
	t.Parallel()
	ca, other := ownCA(), certificates(madeFrom(configuredSecret, "elsewhere")).CA
	configured := func(text string) func(*kubeadm.ClusterArgs) { return secrets(text) }
	pair := own
	for name, tt := range map[string]struct {
		before, after func(*kubeadm.ClusterArgs)
		kinds         []string
	}{
		"another secret": {
			configured(configuredSecret), configured(otherSecret),
			[]string{"cluster", "encryption", "etcd", "frontProxy", "serviceAccounts"},
		},
		"a configured secret instead of the generated one": {
			nil, configured(configuredSecret),
			[]string{"cluster", "encryption", "etcd", "frontProxy", "serviceAccounts"},
		},
		"another authority": {
			pair(ca.Certificate, ca.PrivateKey), pair(other.Certificate, other.PrivateKey), []string{"cluster"},
		},
		"an authority that is removed": {pair(ca.Certificate, ca.PrivateKey), nil, []string{"cluster"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := stack{}
			if _, err := s.run("update", small(tt.before)); err != nil {
				t.Fatal(err)
			}
			for mode := range modes {
				graph, err := s.run(mode, small(tt.after))
				if err == nil {
					t.Fatalf("the %s accepts it", mode)
				}
				text := err.Error()
				var kinds []string
				for _, kind := range pki.Kinds() {
					if strings.Contains(brief(text), "keys."+string(kind)+": … (MK666)") {
						kinds = append(kinds, string(kind))
					}
				}
				slices.Sort(kinds)
				equal(t, "kinds in the error of the "+mode, tt.kinds, kinds)
				if !strings.Contains(text, `mixedkube:kubeadm:Cluster "shop":`) {
					t.Errorf("the error is %v", err)
				}
				equal(t, "machines", 0, len(graph.ByType(machineType)))
				equal(t, "secrets in the error", []string(nil), mentions(text, hidden(t, small(nil))))
			}
		})
	}
}

// rotate returns the small cluster in a step of a rotation.
func rotate(cluster kubeadm.Key) *kubeadm.ClusterArgs {
	return small(func(a *kubeadm.ClusterArgs) { a.Keys.Cluster = cluster })
}

// A new generation is trusted in one update, and signs in a later one.
func TestANewGenerationHasToBeTrustedFirst(t *testing.T) {
	t.Parallel()
	s := stack{}
	steps := []kubeadm.Key{{}, {Trusted: []int{1}}, {Generation: 1, Trusted: []int{0}}, {Generation: 1}}
	if _, err := s.run("update", rotate(steps[0])); err != nil {
		t.Fatal(err)
	}
	_, err := s.run("preview", rotate(steps[2]))
	if err == nil || !strings.HasSuffix(brief(err.Error()), "keys.cluster.generation: … (MK667)") {
		t.Errorf("the error is %v", err)
	}
	for i, step := range steps[1:] {
		if _, err := s.run("update", rotate(step)); err != nil {
			t.Errorf("%+v: %v", step, err)
		}
		if i == 0 {
			_, err := s.run("preview", rotate(steps[3]))
			if err == nil || !strings.HasSuffix(brief(err.Error()), "keys.cluster.trusted: … (MK667)") {
				t.Errorf("the error is %v", err)
			}
		}
	}
	// Another kind must go through the same steps.
	if _, err := s.run("preview", small(func(a *kubeadm.ClusterArgs) {
		a.Keys.Cluster, a.Keys.Etcd = steps[3], steps[2]
	})); err == nil || !strings.HasSuffix(brief(err.Error()), "keys.etcd.generation: … (MK667)") {
		t.Errorf("the error is %v", err)
	}
	equal(t, "generations", 2, len(origins(t, s)))
}

// If the state cannot be read, the error names the resource.
func TestAStateOfKeysThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`hush`: "the state of shop-keys-0 cannot be read: json: cannot unmarshal string",
	} {
		s := stack{"shop-keys-0": resource.MakeSecret(resource.NewProperty(text))}
		if _, err := s.run("update", small(nil)); err == nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "hush") {
			t.Errorf("the error is %v", err)
		}
	}
}

// Renaming a stack keeps the keys: they follow from the cluster's name.
func TestKeysDoNotFollowFromTheStack(t *testing.T) {
	t.Parallel()
	hashes := map[string]string{}
	for _, name := range []string{"dev", "prod"} {
		graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
			c, err := kubeadm.NewCluster(ctx, "shop", small(secrets(configuredSecret)))
			if err == nil {
				ctx.Export("hash", c.CACertHash)
			}
			return err
		}, azure(), mocktest.Project("mixedkube", name))
		hashes[name] = mocktest.Plain(graph.Exports())["hash"].(string)
	}
	equal(t, "hash", hashes["dev"], hashes["prod"])
}

const runCommandType = "azure-native:compute:VirtualMachineRunCommandByVirtualMachine"

// Once a key is replaced, the machines of the control plane get the keys one after the other,
// before machines of pools join. In a cluster with its first keys no machine gets a command.
func TestMachinesThatReceiveReplacedKeys(t *testing.T) {
	t.Parallel()
	three := func(change func(*kubeadm.Keys)) *kubeadm.ClusterArgs {
		return small(func(a *kubeadm.ClusterArgs) {
			a.ControlPlane.Count = 3
			change(&a.Keys)
		})
	}
	equal(t, "commands of first keys", []string(nil), names(made(t, three(func(*kubeadm.Keys) {})), runCommandType))
	for name, change := range map[string]func(*kubeadm.Keys){
		"a cluster's authority is trusted": func(k *kubeadm.Keys) { k.Cluster.Trusted = []int{1} },
		"etcd's signs":                     func(k *kubeadm.Keys) { k.Etcd.Generation, k.Etcd.Trusted = 1, []int{0} },
		"the front proxy's is alone":       func(k *kubeadm.Keys) { k.FrontProxy.Generation = 1 },
		"the accounts' signs":              func(k *kubeadm.Keys) { k.ServiceAccounts.Generation = 1 },
		"Secrets have another key":         func(k *kubeadm.Keys) { k.Encryption.Generation = 1 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := three(change)
			graph := made(t, args)
			equal(t, "commands", []string{
				"shop-control-plane-0-keys", "shop-control-plane-1-keys", "shop-control-plane-2-keys",
			}, names(graph, runCommandType))
			for i, machine := range []string{"control-plane-0", "control-plane-1", "control-plane-2"} {
				command := graph.MustGet(t, runCommandType, "shop-"+machine+"-keys")
				wantDependency(t, command, "shop-"+machine+"-bootstrap")
				if i > 0 {
					before := []string{"", "control-plane-0", "control-plane-1"}[i]
					wantDependency(t, graph.MustGet(t, extensionType, "shop-"+machine+"-bootstrap"),
						"shop-"+before+"-keys")
				}
				in := command.Plain()
				equal(t, "script", any(bootstrap.KeysScript()), at(t, in, "source", "script"))
				equal(t, "failures fail", any(true), in["treatFailureAsDeploymentFailure"])
				equal(t, "secrets", []string{"protectedParameters[0].value"}, command.Secrets())
				wantKeys(t, graph, machine, args)
			}
			for _, extension := range graph.ByType(extensionType) {
				if !strings.Contains(extension.Name, "control-plane") {
					wantDependency(t, extension, "shop-control-plane-2-keys")
				}
			}
		})
	}
}

func wantDependency(t *testing.T, r mocktest.Resource, name string) {
	t.Helper()
	for _, d := range r.Dependencies {
		if d.Name() == name {
			return
		}
	}
	t.Errorf("%s does not depend on %s", r, name)
}

// wantKeys compares the keys that a machine gets, decrypted with the key of its customData, with
// the keys in use.
func wantKeys(t *testing.T, graph *mocktest.Graph, machine string, args *kubeadm.ClusterArgs) {
	t.Helper()
	command := graph.MustGet(t, runCommandType, "shop-"+machine+"-keys")
	parameters := mocktest.Revealed(command.Inputs)["protectedParameters"].([]any)
	equal(t, "parameter", any(bootstrap.KeysParameter), at(t, parameters[0], "name"))
	vm := graph.MustGet(t, machineType, "shop-"+machine)
	plain, err := payload.Decrypt(at(t, parameters[0], "value").(string), payload.KeyIn(unfolded(customData(t, vm))))
	if err != nil {
		t.Fatal(err)
	}
	k := keysOf(args)
	k.Generations = append(k.Generations, madeFrom(kubeadmtest.GeneratedSecret("shop-keys-1"), "shop").Generations...)
	of := func(key kubeadm.Key) pki.Use { return pki.Use{Generation: key.Generation, Trusted: key.Trusted} }
	k.Cluster, k.Etcd, k.FrontProxy = of(args.Keys.Cluster), of(args.Keys.Etcd), of(args.Keys.FrontProxy)
	k.ServiceAccounts, k.Encryption = of(args.Keys.ServiceAccounts), of(args.Keys.Encryption)
	c := certificates(k)
	inside := unfolded(base64.StdEncoding.EncodeToString(plain))
	for _, text := range append([]string{
		c.CA.Certificate, c.CA.PrivateKey, c.EtcdCA.Certificate, c.EtcdCA.PrivateKey, c.FrontProxyCA.Certificate,
		c.FrontProxyCA.PrivateKey, c.ServiceAccount.Certificate, c.ServiceAccount.PrivateKey,
	}, k.EncryptionKeys()...) {
		if !strings.Contains(inside, text) {
			t.Errorf("%s does not get:\n%s", machine, text)
		}
	}
}
