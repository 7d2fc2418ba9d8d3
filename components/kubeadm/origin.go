package kubeadm

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/kubeadm/pki"
)

// origin is what the stack remembers of a generation of keys, from when it was first used.
type origin struct {
	// Drawn are random bytes in base64: the secret, unless one is given.
	Drawn string `json:"drawn"`
	// Created is the day, and Fingerprints tell the keys apart.
	Created      string              `json:"created"`
	Fingerprints map[pki.Kind]string `json:"fingerprints"`

	created time.Time
	// isNew says that this run is the first.
	isNew bool
}

// keep has the stack remember the origin of a generation, an [origin]: a resource whose
// output is what its first input was. Nothing that the program draws later takes its place.
func (s clusterSpec) keep(
	ctx *pulumi.Context, g int, given pulumi.Output, opts ...pulumi.ResourceOption,
) (pulumi.Output, error) {
	drawn, err := drawSecret()
	if err != nil {
		return nil, err
	}
	today := s.now.UTC().Format(time.DateOnly)
	prints := given.ApplyT(func(value any) (map[string]string, error) {
		now := origin{Drawn: drawn, created: s.now.UTC()}
		return fingerprints(value.(givenKeys), s.ClusterName, g, now)
	}).(pulumi.StringMapOutput)
	name := fmt.Sprintf("%s-keys-%d", s.name, g)
	kept, err := keepFirst(ctx, name, pulumi.ToSecret(pulumi.Map{
		"drawn":        pulumi.String(drawn),
		"created":      pulumi.String(today),
		"fingerprints": prints,
	}).(pulumi.MapOutput), opts...)
	if err != nil {
		return nil, err
	}
	return pulumi.ToSecret(kept.ApplyT(func(value any) (origin, error) {
		o, err := readOrigin(value)
		if err != nil {
			return origin{}, fmt.Errorf("the state of %s cannot be read: %w", name, err)
		}
		o.isNew = o.Drawn == drawn
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

// fingerprints are those of one generation. Where the others are from does not matter.
func fingerprints(given givenKeys, cluster string, g int, now origin) (map[string]string, error) {
	origins := make([]origin, g+1)
	for i := range origins {
		origins[i] = now
	}
	k, err := given.keys(cluster, origins)
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

// keepFirst has the state keep what it was first given, and returns that.
func keepFirst(
	ctx *pulumi.Context, name string, first pulumi.Input, opts ...pulumi.ResourceOption,
) (pulumi.Output, error) {
	kept, err := pulumi.NewStash(ctx, name, &pulumi.StashArgs{Input: first},
		append(opts, pulumi.IgnoreChanges([]string{"input"}))...)
	if err != nil {
		return nil, err
	}
	if !ctx.RunningWithMocks() {
		return kept.Output, nil
	}
	// The SDK's mocks usually give the input back and no output. Under them each run is the first.
	return pulumi.All(kept.Output, first).ApplyT(func(values []any) any {
		if values[0] == nil {
			return values[1]
		}
		return values[0]
	}), nil
}

// drawSecret draws one at random, in base64.
func drawSecret() (string, error) {
	random := make([]byte, pki.DrawnBytes)
	_, err := rand.Read(random)
	return base64.StdEncoding.EncodeToString(random), err
}
