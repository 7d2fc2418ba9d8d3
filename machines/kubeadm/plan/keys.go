package plan

import (
	"fmt"
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/kubeadm/pki"
)

// Keys configures where the keys of a cluster come from, and which of them are in use. Texts are
// strings, [value.Unknown] if they are not known yet, or nil if they are not set. No finding shows
// one.
type Keys struct {
	// Secrets are the secrets that the keys are derived from, by generation. If there are none, they
	// are generated.
	Secrets []any `json:"-"`

	Cluster         Key `json:"cluster"`
	Etcd            Key `json:"etcd"`
	FrontProxy      Key `json:"frontProxy"`
	ServiceAccounts Key `json:"serviceAccounts"`
	Encryption      Key `json:"encryption"`
}

// Key configures which generations of one kind of key are in use.
type Key struct {
	// Generation is the number of the generation that signs, or encrypts.
	Generation int `json:"generation"`
	// Trusted are the other generations that are trusted.
	Trusted []int `json:"trusted"`
	// Pairs are the configured key pairs.
	Pairs []KeyPair `json:"-"`
}

// KeyPair is a configured pair: a certificate, or for service accounts a public key, and its
// private key.
type KeyPair struct {
	Generation              int
	Certificate, PrivateKey any
}

// ByKind returns the key of a kind.
func (k Keys) ByKind(kind pki.Kind) Key { return *k.of(kind) }

func (k *Keys) of(kind pki.Kind) *Key {
	switch kind {
	case pki.ClusterCA:
		return &k.Cluster
	case pki.EtcdCA:
		return &k.Etcd
	case pki.FrontProxyCA:
		return &k.FrontProxy
	case pki.ServiceAccounts:
		return &k.ServiceAccounts
	default:
		return &k.Encryption
	}
}

// Generations returns the number of generations up to the last one in use.
func (k Keys) Generations() int {
	last := 0
	for _, kind := range pki.Kinds() {
		last = max(last, slices.Max(k.ByKind(kind).used()))
	}
	return min(last, lastGeneration) + 1
}

// used returns the generations in use. The one that signs is the first.
func (k Key) used() []int { return append([]int{k.Generation}, k.Trusted...) }

// Rotated reports whether any key other than the first one is in use, or will be: then the machines
// of the control plane must get the keys.
func (k Keys) Rotated() bool {
	return slices.ContainsFunc(pki.Kinds(), func(kind pki.Kind) bool {
		return !slices.Equal(k.ByKind(kind).used(), []int{0})
	})
}

// joined returns the generations of the cluster's authority that a machine trusts which joins now.
func (k Key) joined() []int {
	return append([]int{k.Generation}, pki.Use{Generation: k.Generation, Trusted: k.Trusted}.Coming()...)
}

// lastGeneration is more than a cluster needs in its life.
const lastGeneration = 99

var (
	keysMalformed = engine.Rule{
		Rule: rule.Rule{
			ID: "MK654", Severity: rule.Error,
			Title: "a secret that could be guessed, or half of a key pair", Page: rulepages.Kubeadm,
			Reason: "All keys of the cluster without a configured pair are derived from the secret. An authority " +
				"signs with its private key.",
			Source:    "https://kubernetes.io/docs/tasks/administer-cluster/kubeadm/kubeadm-certs/#custom-certificates",
			Mandatory: true,
		},
		Checks: []engine.Check{engine.On(allKeys, malformedKeys)},
	}
	generationImpossible = engine.Rule{
		Rule: rule.Rule{
			ID: "MK665", Severity: rule.Error, Title: "a generation of a key that cannot be in use",
			Page: rulepages.Kubeadm,
			Reason: "Generations are numbered from 0. One of them signs, and others are trusted too while " +
				"certificates and tokens of both are in use.",
			Source:    ownSource,
			Mandatory: true,
		},
		Checks: []engine.Check{engine.On(allKeys, impossibleGenerations)},
	}
	// keyChanged is about keys that were in use before: the state has their fingerprints.
	keyChanged = engine.Rule{
		Rule: rule.Rule{
			ID: "MK666", Severity: rule.Error, Title: "a changed key of a generation that is in use",
			Page: rulepages.Kubeadm,
			Reason: "Machines and clients trust the key of that generation. With another one they would trust no " +
				"one, and no one would trust them.",
			Source:    ownSource,
			Mandatory: true,
		},
		Checks: []engine.Check{engine.On(retained, changedKeys)},
	}
	stepMissing = engine.Rule{
		Rule: rule.Rule{
			ID: "MK667", Severity: rule.Error, Title: "a missing step in the replacement of a key",
			Page: rulepages.Kubeadm,
			Reason: "A machine refuses a signature of a new key until it has got the key, and signatures of the old " +
				"key stay in use until everything is signed again. So one update makes the new key trusted, another " +
				"one makes it sign, and a third one ends the trust in the old key, each after the one before has " +
				"succeeded.",
			Source:    "https://kubernetes.io/docs/tasks/tls/manual-rotation-of-ca-certificates/",
			Mandatory: true,
		},
		Checks: []engine.Check{engine.On(missing, stepsMissing)},
	}
)

var keysPath = field.NewPath("keys")

// malformedKeys finds secrets that are missing or could be guessed, and halves of key pairs. A pair that is only
// trusted needs no private key.
func malformedKeys(k Keys) []rule.Problem {
	var found []rule.Problem
	for i, secret := range k.Secrets {
		at := keysPath.Child("secrets").Index(i)
		if secret == nil {
			found = append(found, required(at, "set the secret of each generation up to the last one in use"))
		} else if text, known := secret.(string); known {
			if err := pki.CheckConfigured(text); err != nil {
				found = append(found, hidden(at, err.Error(), ""))
			}
		}
	}
	if len(k.Encryption.Pairs) > 0 {
		found = append(found, hidden(keysPath.Child(string(pki.Encryption), "pairs"),
			"the key of Secrets in etcd is derived from the secret", "leave it out"))
	}
	k.eachPair(func(pair KeyPair, kind pki.Kind, at *field.Path) {
		certificate, known := pair.Certificate.(string)
		switch {
		case pair.Certificate == nil:
			found = append(found, required(at.Child("certificate"), "give the certificate, or the public key"))
		case pair.PrivateKey == nil && pair.Generation == k.ByKind(kind).Generation:
			found = append(found, required(at.Child("privateKey"), "it signs: give its private key"))
		case pair.PrivateKey == nil && known:
			if _, err := pki.Fingerprint(certificate); err != nil {
				found = append(found, hidden(at.Child("certificate"), err.Error(), ""))
			}
		}
	})
	return found
}

// eachPair visits the configured pairs of the kinds that can have some.
func (k Keys) eachPair(visit func(pair KeyPair, kind pki.Kind, at *field.Path)) {
	for _, kind := range pki.Kinds() {
		if kind == pki.Encryption {
			continue
		}
		for i, pair := range k.ByKind(kind).Pairs {
			visit(pair, kind, keysPath.Child(string(kind), "pairs").Index(i))
		}
	}
}

// pairErrors returns what is wrong with the pairs whose halves are known.
func (k Keys) pairErrors() field.ErrorList {
	var errs field.ErrorList
	k.eachPair(func(pair KeyPair, kind pki.Kind, at *field.Path) {
		certificate, known := pair.Certificate.(string)
		key, keyKnown := pair.PrivateKey.(string)
		if !known || !keyKnown {
			return
		}
		validate := bootstrap.KeyPair.ValidateCA
		if kind == pki.ServiceAccounts {
			validate = bootstrap.KeyPair.ValidateServiceAccount
		}
		errs = append(errs, validate(bootstrap.KeyPair{Certificate: certificate, PrivateKey: key}, at)...)
	})
	return errs
}

// impossibleGenerations finds generations that cannot be in use, or that are named twice.
func impossibleGenerations(k Keys) []rule.Problem {
	var found []rule.Problem
	for _, kind := range pki.Kinds() {
		key, path := k.ByKind(kind), keysPath.Child(string(kind))
		for i, g := range key.used() {
			at := path.Child("generation")
			if i > 0 {
				at = path.Child("trusted").Index(i - 1)
			}
			if g < 0 || g > lastGeneration {
				found = append(found, invalid(at, g, fmt.Sprintf("must be from 0 to %d", lastGeneration), ""))
			}
			if slices.Contains(key.used()[:i], g) {
				found = append(found, rule.Problem{
					Path: at.String(), Type: field.ErrorTypeDuplicate, Value: g,
					Detail: "it is in use already", Fix: "leave it out",
				})
			}
			if len(k.Secrets) > 0 && g >= len(k.Secrets) && g <= lastGeneration {
				found = append(found, invalid(at, g, "does not have a secret",
					fmt.Sprintf("add secrets up to keys.secrets[%d]", g)))
			}
		}
	}
	return append(found, generationsOfPairs(k)...)
}

// generationsOfPairs finds pairs of generations that have another pair, or that are not in use.
func generationsOfPairs(k Keys) []rule.Problem {
	var found []rule.Problem
	seen := map[pki.Kind][]int{}
	k.eachPair(func(pair KeyPair, kind pki.Kind, at *field.Path) {
		switch {
		case slices.Contains(seen[kind], pair.Generation):
			found = append(found, rule.Problem{
				Path: at.Child("generation").String(), Type: field.ErrorTypeDuplicate, Value: pair.Generation,
				Detail: "a generation has one pair", Fix: "leave one of the two out",
			})
		case !slices.Contains(k.ByKind(kind).used(), pair.Generation):
			found = append(found, invalid(at.Child("generation"), pair.Generation,
				"neither signs nor is trusted",
				"leave it out, or add the generation to "+keysPath.Child(string(kind), "trusted").String()))
		}
		seen[kind] = append(seen[kind], pair.Generation)
	})
	return found
}

// WithTexts returns the keys with texts in place of the unknown ones: the secrets first, then the
// certificate and the private key of each pair, by kind. An empty text becomes nil.
func (k Keys) WithTexts(texts []any) Keys {
	next := func() any {
		text := texts[0]
		texts = texts[1:]
		if text == "" {
			return nil
		}
		return text
	}
	k.Secrets = slices.Clone(k.Secrets)
	for i := range k.Secrets {
		k.Secrets[i] = next()
	}
	for _, kind := range pki.Kinds() {
		key := k.of(kind)
		key.Pairs = slices.Clone(key.Pairs)
		for i := range key.Pairs {
			key.Pairs[i].Certificate, key.Pairs[i].PrivateKey = next(), next()
		}
	}
	return k
}

// Uses returns the uses of all kinds with the configured pairs. All texts must be known.
func (k Keys) Uses() pki.Keys {
	return pki.Keys{
		Cluster: k.Cluster.use(), Etcd: k.Etcd.use(), FrontProxy: k.FrontProxy.use(),
		ServiceAccounts: k.ServiceAccounts.use(), Encryption: k.Encryption.use(),
	}
}

func (k Key) use() pki.Use {
	use := pki.Use{Generation: k.Generation, Trusted: k.Trusted, Configured: map[int]bootstrap.KeyPair{}}
	for _, pair := range k.Pairs {
		certificate, _ := pair.Certificate.(string)
		key, _ := pair.PrivateKey.(string)
		use.Configured[pair.Generation] = bootstrap.KeyPair{Certificate: certificate, PrivateKey: key}
	}
	return use
}

// NextAttempt returns the number of the next attempt at a Run Command, from the number of the last
// one and its state, which is Azure's provisioningState. An attempt that has succeeded is not
// repeated.
func NextAttempt(last, state string) string {
	number, err := strconv.Atoi(last)
	switch {
	case err != nil:
		return "1"
	case state == "Failed" || state == "Canceled":
		return strconv.Itoa(number + 1)
	default:
		return last
	}
}

// RetainedKeys contains the fingerprints of one generation.
type RetainedKeys struct {
	// Fingerprints are the fingerprints that the stack remembers from when the keys were new; Now
	// are those of today. A kind without a remembered fingerprint is not compared.
	Fingerprints, Now map[pki.Kind]string
}

// retainedKeys are keys, and the fingerprints that the stack remembers, by generation.
type retainedKeys struct {
	Keys
	remembered []RetainedKeys
}

func changedKeys(k retainedKeys) []rule.Problem {
	var found []rule.Problem
	for _, kind := range pki.Kinds() {
		for _, g := range k.ByKind(kind).used() {
			before, now := k.remembered[g].Fingerprints[kind], k.remembered[g].Now[kind]
			if before == "" || before == now {
				continue
			}
			found = append(found, rule.Problem{
				Path: keysPath.Child(string(kind)).String(), Type: field.ErrorTypeForbidden,
				Detail: fmt.Sprintf("generation %d has another key: its SHA-256 was %s, and is %s now", g, before, now),
				Fix: "restore the secret, the key pair and the name of the cluster of that time, or replace the " +
					"generation",
			})
		}
	}
	return found
}

// Step is a part of the replacement of a key, after which the next may begin.
type Step struct {
	Kind       pki.Kind
	Generation int
	// Signs is true if everything is signed by the generation, and false if all only trust it.
	Signs bool
}

// String returns "cluster-1-trusted" or "cluster-1-signs", for example.
func (s Step) String() string {
	end := "trusted"
	if s.Signs {
		end = "signs"
	}
	return fmt.Sprintf("%s-%d-%s", s.Kind, s.Generation, end)
}

// StepsNeeded returns the steps that earlier updates must have completed: a generation may sign
// when all trust it, and may be the only one when everything is signed by it. The first generation
// of a cluster needs no step.
func (k Keys) StepsNeeded() []Step {
	var steps []Step
	for _, kind := range pki.Kinds() {
		key := k.ByKind(kind)
		if key.Generation == 0 {
			continue
		}
		steps = append(steps, Step{Kind: kind, Generation: key.Generation})
		if !key.trustsFormer() {
			steps = append(steps, Step{kind, key.Generation, true})
		}
	}
	return steps
}

// StepsReached returns the steps that an update completes.
func (k Keys) StepsReached() []Step {
	var steps []Step
	for _, kind := range pki.Kinds() {
		key := k.ByKind(kind)
		for _, g := range key.use().Coming() {
			steps = append(steps, Step{Kind: kind, Generation: g})
		}
		if key.Generation > 0 && key.trustsFormer() {
			steps = append(steps, Step{kind, key.Generation, true})
		}
	}
	return steps
}

// trustsFormer reports whether a generation that has signed before is trusted.
func (k Key) trustsFormer() bool {
	return slices.ContainsFunc(k.Trusted, func(g int) bool { return g < k.Generation })
}

// missingSteps are keys, and the steps that earlier updates have not completed.
type missingSteps struct {
	Keys
	steps []Step
}

func stepsMissing(k missingSteps) []rule.Problem {
	var found []rule.Problem
	for _, step := range k.steps {
		at := keysPath.Child(string(step.Kind))
		if step.Signs {
			found = append(found, rule.Problem{
				Path: at.Child("trusted").String(), Type: field.ErrorTypeInvalid,
				Value:  append([]int{}, k.ByKind(step.Kind).Trusted...),
				Detail: fmt.Sprintf("not everything is signed by generation %d yet", step.Generation),
				Fix:    "keep the generation that has signed before, and update; leave it out after that",
			})
			continue
		}
		found = append(found, invalid(at.Child("generation"), step.Generation, "not all machines and clients "+
			"trust this generation yet",
			fmt.Sprintf("keep the generation that signs, add %d to %s, and update; let it sign after that",
				step.Generation, at.Child("trusted"))))
	}
	return found
}
