package plan_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
	"github.com/mixedkube/mixedkube/machines/kubeadm/pki"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

// wrongKeys are keys, and the paths and the rules of all findings about them.
func wrongKeys(t *testing.T) map[string]struct {
	keys plan.Keys
	want []string
} {
	t.Helper()
	certificates, err := keys(t).Certificates()
	if err != nil {
		t.Fatal(err)
	}
	ca, accounts := certificates.CA, certificates.ServiceAccount
	const longEnough = "0123456789abcdef0123456789abcdef"
	return map[string]struct {
		keys plan.Keys
		want []string
	}{
		"none are given": {plan.Keys{}, nil},
		"a rotation": {plan.Keys{
			Secrets: []any{longEnough, tree.Unknown{}, longEnough},
			Cluster: plan.Key{Generation: 1, Trusted: []int{0, 2}}, Encryption: plan.Key{Generation: 2},
		}, nil},
		"pairs": {plan.Keys{
			Cluster: plan.Key{Trusted: []int{1}, Pairs: []plan.KeyPair{
				{Generation: 0, Certificate: ca.Certificate, PrivateKey: ca.PrivateKey},
				{Generation: 1, Certificate: ca.Certificate},
			}},
			ServiceAccounts: plan.Key{Pairs: []plan.KeyPair{{
				Certificate: accounts.Certificate, PrivateKey: accounts.PrivateKey,
			}}},
			Etcd: plan.Key{Pairs: []plan.KeyPair{{Certificate: tree.Unknown{}, PrivateKey: tree.Unknown{}}}},
		}, nil},
		"generations": {plan.Keys{
			Cluster:    plan.Key{Generation: -1, Trusted: []int{100}},
			FrontProxy: plan.Key{Generation: 3, Trusted: []int{2, 3, 2}},
		}, []string{
			"keys.cluster.generation (MK665)",
			"keys.cluster.trusted[0] (MK665)",
			"keys.frontProxy.trusted[1] (MK665)",
			"keys.frontProxy.trusted[2] (MK665)",
		}},
		"secrets": {plan.Keys{
			Secrets: []any{nil, "hush"}, Etcd: plan.Key{Generation: 2}, Encryption: plan.Key{Trusted: []int{1, 3}},
		}, []string{
			"keys.encryption.trusted[1] (MK665)",
			"keys.etcd.generation (MK665)",
			"keys.secrets[0] (MK654)",
			"keys.secrets[1] (MK654)",
		}},
		"half of a pair": {plan.Keys{
			Cluster: plan.Key{Pairs: []plan.KeyPair{{Certificate: ca.Certificate}}},
			Etcd:    plan.Key{Pairs: []plan.KeyPair{{PrivateKey: ca.PrivateKey}}},
		}, []string{"keys.cluster.pairs[0].privateKey (MK654)", "keys.etcd.pairs[0].certificate (MK654)"}},
		"pairs that are wrong": {plan.Keys{
			Cluster: plan.Key{Pairs: []plan.KeyPair{
				{Generation: 0, Certificate: ca.Certificate, PrivateKey: accounts.PrivateKey},
				{Generation: 0, Certificate: ca.Certificate, PrivateKey: ca.PrivateKey},
				{Generation: 1, Certificate: "hush"},
			}},
			ServiceAccounts: plan.Key{Pairs: []plan.KeyPair{{Certificate: ca.Certificate, PrivateKey: ca.PrivateKey}}},
			Encryption:      plan.Key{Pairs: []plan.KeyPair{{PrivateKey: "hush"}}},
		}, []string{
			"keys.cluster.pairs[0].privateKey (MK661)",
			"keys.cluster.pairs[1].generation (MK665)",
			"keys.cluster.pairs[2].certificate (MK654)",
			"keys.cluster.pairs[2].generation (MK665)",
			"keys.encryption.pairs (MK654)",
			"keys.serviceAccounts.pairs[0].certificate (MK661)",
		}},
	}
}

func TestInvalidKeys(t *testing.T) {
	t.Parallel()
	for name, tt := range wrongKeys(t) {
		equal(t, name, tt.want, brief(tt.keys.Validate()))
	}
}

// The keys are compared with those that the stack remembers for the generations in use, and for all
// kinds at once.
func TestKeysMatchTheStack(t *testing.T) {
	t.Parallel()
	all := func(text string) map[pki.Kind]string {
		prints := map[pki.Kind]string{}
		for _, kind := range pki.Kinds() {
			prints[kind] = text
		}
		return prints
	}
	same := plan.RetainedKeys{Fingerprints: all("a"), Now: all("a")}
	changed := plan.RetainedKeys{Fingerprints: all("a"), Now: all("b")}
	for name, tt := range map[string]struct {
		keys       plan.Keys
		remembered []plan.RetainedKeys
		want       []string
	}{
		"the same": {plan.Keys{}, []plan.RetainedKeys{same}, nil},
		"another secret": {plan.Keys{}, []plan.RetainedKeys{changed}, []string{
			"keys.cluster", "keys.encryption", "keys.etcd", "keys.frontProxy", "keys.serviceAccounts",
		}},
		"of a generation that is not in use": {
			plan.Keys{Cluster: plan.Key{Trusted: []int{1}}},
			[]plan.RetainedKeys{same, changed},
			[]string{"keys.cluster"},
		},
		"of a kind that uses another generation": {
			plan.Keys{Cluster: plan.Key{Generation: 1}}, []plan.RetainedKeys{changed, same}, []string{
				"keys.encryption", "keys.etcd", "keys.frontProxy", "keys.serviceAccounts",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var paths []string
			for _, f := range tt.keys.CheckRetained(tt.remembered) {
				paths = append(paths, f.Path)
			}
			if diff := cmp.Diff(tt.want, paths); diff != "" {
				t.Errorf("paths (-want +got):\n%s", diff)
			}
		})
	}
}

// Machines that would not trust the next authority are replaced twice in a rotation: when it
// becomes trusted, and when it signs. The control plane stays.
func TestStepsOfARotationThatReplaceMachines(t *testing.T) {
	t.Parallel()
	machines := func(k plan.Keys) string {
		var names []string
		for _, m := range good(network.FlannelVXLAN, func(c *plan.Cluster) { c.Keys = k }).Machines() {
			names = append(names, m.Name)
		}
		if !slices.Contains(names, "control-plane-0") {
			t.Errorf("the control plane has other names: %s", names)
		}
		return strings.Join(names, " ")
	}
	before := machines(plan.Keys{})
	trusted := machines(plan.Keys{Cluster: plan.Key{Trusted: []int{1}}})
	signs := machines(plan.Keys{Cluster: plan.Key{Generation: 1, Trusted: []int{0}}})
	if before == trusted || trusted == signs || before == signs {
		t.Errorf("the machines are the same: %s, %s, %s", before, trusted, signs)
	}
	for name, k := range map[string]plan.Keys{
		"the old one goes": {Cluster: plan.Key{Generation: 1}},
		"another kind as well": {
			Cluster: plan.Key{Generation: 1}, Etcd: plan.Key{Trusted: []int{1}},
			ServiceAccounts: plan.Key{Generation: 1},
			FrontProxy:      plan.Key{Generation: 1}, Encryption: plan.Key{Generation: 1},
		},
	} {
		if got := machines(k); got != signs {
			t.Errorf("%s: %s, want %s", name, got, signs)
		}
	}
}

// WithTexts assigns the texts in order.
func TestTextsThatBecomeKnown(t *testing.T) {
	t.Parallel()
	k := plan.Keys{
		Secrets: []any{tree.Unknown{}, tree.Unknown{}},
		Etcd:    plan.Key{Pairs: []plan.KeyPair{{Certificate: tree.Unknown{}, PrivateKey: tree.Unknown{}}}},
		ServiceAccounts: plan.Key{
			Trusted: []int{1}, Pairs: []plan.KeyPair{{Generation: 1, Certificate: tree.Unknown{}}},
		},
	}
	got := k.WithTexts([]any{"a", "b", "c", "d", "e", ""})
	if diff := cmp.Diff(plan.Keys{
		Secrets:         []any{"a", "b"},
		Etcd:            plan.Key{Pairs: []plan.KeyPair{{Certificate: "c", PrivateKey: "d"}}},
		ServiceAccounts: plan.Key{Trusted: []int{1}, Pairs: []plan.KeyPair{{Generation: 1, Certificate: "e"}}},
	}, got); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(tree.Unknown{}, k.Secrets[0]); diff != "" {
		t.Errorf("the others have changed too: %s", diff)
	}
}

// Azure never runs the same command again, not even one that has failed.
func TestFailedCommandsGetANewName(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ last, state, want string }{
		{"", "", "1"},
		{"1", "Succeeded", "1"},
		{"1", "Failed", "2"},
		{"9", "Canceled", "10"},
		{"2", "Updating", "2"},
		{"one", "Failed", "1"},
	} {
		if got := plan.NextAttempt(tt.last, tt.state); got != tt.want {
			t.Errorf("after %s, which has %s: %s, want %s", tt.last, tt.state, got, tt.want)
		}
	}
}

// Each step of a replacement requires the step before, for each kind separately.
func TestStepsOfAReplacement(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name            string
		key             plan.Key
		needed, reached []string
	}{
		{"the first generation", plan.Key{}, nil, nil},
		{"trusted", plan.Key{Trusted: []int{1}}, nil, []string{"etcd-1-trusted"}},
		{"signs", plan.Key{Generation: 1, Trusted: []int{0}}, []string{"etcd-1-trusted"}, []string{"etcd-1-signs"}},
		{"alone", plan.Key{Generation: 1}, []string{"etcd-1-trusted", "etcd-1-signs"}, nil},
		{
			"the next is trusted",
			plan.Key{Generation: 1, Trusted: []int{2}},
			[]string{"etcd-1-trusted", "etcd-1-signs"},
			[]string{"etcd-2-trusted"},
		},
		{
			"the next is trusted while the old one still is",
			plan.Key{Generation: 1, Trusted: []int{0, 2}},
			[]string{"etcd-1-trusted"},
			[]string{"etcd-2-trusted", "etcd-1-signs"},
		},
		{
			"the next signs",
			plan.Key{Generation: 2, Trusted: []int{1}},
			[]string{"etcd-2-trusted"},
			[]string{"etcd-2-signs"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			k := plan.Keys{Etcd: tt.key}
			names := func(steps []plan.Step) []string {
				var names []string
				for _, step := range steps {
					names = append(names, step.String())
				}
				return names
			}
			if diff := cmp.Diff([2][]string{tt.needed, tt.reached},
				[2][]string{names(k.StepsNeeded()), names(k.StepsReached())}); diff != "" {
				t.Errorf("needed and reached (-want +got):\n%s", diff)
			}
		})
	}
}

// missingSteps returns findings about steps that were left out.
func missingSteps() []rule.Finding {
	k := plan.Keys{Etcd: plan.Key{Generation: 1}, Cluster: plan.Key{Generation: 2, Trusted: []int{1}}}
	return k.CheckSteps([]plan.Step{{Kind: pki.ClusterCA, Generation: 2}, {pki.EtcdCA, 1, true}})
}

func TestMissingSteps(t *testing.T) {
	t.Parallel()
	want := []string{"keys.cluster.generation (MK667)", "keys.etcd.trusted (MK667)"}
	equal(t, "findings", want, brief(missingSteps()))
}
