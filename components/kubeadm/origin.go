package kubeadm

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/machines/kubeadm/pki"
)

// origin is what the stack remembers of a generation of keys, since its first use.
type origin struct {
	// Secret is random bytes in base64, from which the keys are derived unless a secret is configured.
	Secret string `json:"drawn"`
	// Salt is the salt of the keys at their first use, [pki.Salt]. States of earlier versions have none:
	// their salt is the name of the cluster.
	Salt string `json:"salt"`
	// Created is the day of the first use; Fingerprints identify the keys.
	Created      string              `json:"created"`
	Fingerprints map[pki.Kind]string `json:"fingerprints"`

	created time.Time
	// isNew is true in the run that creates the origin.
	isNew bool
}

// keep stores the origin of a generation, an [origin], in the stack: a resource whose output stays
// equal to its first input. The random bytes of later runs do not replace it.
func (s clusterSpec) keep(
	ctx *pulumi.Context, g int, configured pulumi.Output, opts ...pulumi.ResourceOption,
) (pulumi.Output, error) {
	generated, err := generateSecret()
	if err != nil {
		return nil, err
	}
	today, salt := s.now.UTC().Format(time.DateOnly), pki.Salt(ctx.Project(), ctx.Stack(), s.ClusterName)
	prints := configured.ApplyT(func(value any) (map[string]string, error) {
		now := origin{Secret: generated, Salt: salt, created: s.now.UTC()}
		return fingerprints(value.(configuredKeys), s.ClusterName, g, now)
	}).(pulumi.StringMapOutput)
	name := fmt.Sprintf("%s-keys-%d", s.name, g)
	stored, err := keepFirst(ctx, name, pulumi.ToSecret(pulumi.Map{
		"drawn":        pulumi.String(generated),
		"salt":         pulumi.String(salt),
		"created":      pulumi.String(today),
		"fingerprints": prints,
	}).(pulumi.MapOutput), opts...)
	if err != nil {
		return nil, err
	}
	return pulumi.ToSecret(stored.ApplyT(func(value any) (origin, error) {
		o, err := readOrigin(value)
		if err != nil {
			return origin{}, fmt.Errorf("the state of %s cannot be read: %w", name, err)
		}
		o.isNew = o.Secret == generated
		return o, nil
	})), nil
}

func readOrigin(value any) (origin, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return origin{}, err
	}
	var o origin
	if err := json.Unmarshal(text, &o); err != nil {
		return origin{}, err
	}
	o.created, err = time.Parse(time.DateOnly, o.Created)
	return o, err
}

// fingerprints returns the fingerprints of one generation. It does not depend on the other origins.
func fingerprints(configured configuredKeys, cluster string, g int, now origin) (map[string]string, error) {
	origins := make([]origin, g+1)
	for i := range origins {
		origins[i] = now
	}
	k, err := configured.keys(cluster, origins)
	if err != nil {
		return nil, err
	}
	prints, err := k.Fingerprints(g)
	texts := map[string]string{}
	for kind, text := range prints {
		texts[string(kind)] = text
	}
	return texts, err
}

// keepFirst stores its first input in the state, and returns it in each run.
func keepFirst(
	ctx *pulumi.Context, name string, first pulumi.Input, opts ...pulumi.ResourceOption,
) (pulumi.Output, error) {
	stash, err := pulumi.NewStash(ctx, name, &pulumi.StashArgs{Input: first},
		append(opts, pulumi.IgnoreChanges([]string{"input"}))...)
	if err != nil {
		return nil, err
	}
	if !ctx.RunningWithMocks() {
		return stash.Output, nil
	}
	// The SDK's mocks usually return the input and no output. Under them each run is the first.
	return pulumi.All(stash.Output, first).ApplyT(func(values []any) any {
		if values[0] == nil {
			return values[1]
		}
		return values[0]
	}), nil
}

// generateSecret returns random bytes in base64.
func generateSecret() (string, error) {
	random := make([]byte, pki.GeneratedBytes)
	_, err := rand.Read(random)
	return base64.StdEncoding.EncodeToString(random), err
}
