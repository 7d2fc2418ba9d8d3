package kubeadm

import (
	"cmp"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/internal/components/refusal"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/kubeadm/pki"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

// keys contains all keys of a cluster, a [pki.Keys], and the [origin] of the first generation. Every
// output derived from them is a secret.
type keys struct{ all, first pulumi.Output }

// newKeys creates the keys from the configured secrets and pairs, and from those that the stack
// remembers. An error that shows only then fails the resources that use the keys.
func (s clusterSpec) newKeys(ctx *pulumi.Context, hooks hookNames, parent pulumi.ResourceOption) (keys, error) {
	configured := s.configured()
	from := []any{configured}
	for g := range s.azure.Keys.Generations() {
		origin, err := s.keep(ctx, g, configured, parent, pulumi.Protect(!s.Unprotected))
		if err != nil {
			return keys{}, err
		}
		from = append(from, origin)
	}
	steps, err := s.stepsNeeded(ctx, hooks, from[1].(pulumi.Output), parent)
	if err != nil {
		return keys{}, err
	}
	all := pulumi.All(append(from, steps...)...).ApplyT(func(values []any) (pki.Keys, error) {
		var origins []origin
		var steps []plan.Step
		for _, value := range values[1:] {
			switch value := value.(type) {
			case origin:
				origins = append(origins, value)
			case missing:
				if value.is {
					steps = append(steps, value.Step)
				}
			}
		}
		if err := s.refuseSteps(origins[0].isNew, steps); err != nil {
			return pki.Keys{}, err
		}
		return s.made(values[0].(configuredKeys), origins)
	})
	return keys{all, from[1].(pulumi.Output)}, nil
}

// made returns the keys if they match the fingerprints that the stack remembers.
func (s clusterSpec) made(configured configuredKeys, origins []origin) (pki.Keys, error) {
	k, err := configured.keys(s.ClusterName, origins)
	if err != nil {
		return pki.Keys{}, err
	}
	remembered := make([]plan.RetainedKeys, len(origins))
	for g, origin := range origins {
		now, err := k.Fingerprints(g)
		if err != nil {
			return pki.Keys{}, err
		}
		remembered[g] = plan.RetainedKeys{Fingerprints: origin.Fingerprints, Now: now}
	}
	_, err = refusal.Sift(s.subject(), plan.Rules(), s.Ignore, s.azure.Keys.CheckRetained(remembered), nil)
	return k, err
}

// configuredKeys are the configured secrets and pairs.
type configuredKeys struct {
	secrets []string
	plan.Keys
}

// configured returns an output with the configured secrets and pairs, a [configuredKeys].
func (s clusterSpec) configured() pulumi.Output {
	var texts []any
	for _, secret := range s.Keys.Secrets {
		texts = append(texts, pulumi.ToSecret(secret))
	}
	for _, kind := range pki.Kinds() {
		for _, pair := range s.Keys.of(kind).Pairs {
			texts = append(texts, optionalText(pair.Certificate), pulumi.ToSecret(optionalText(pair.PrivateKey)))
		}
	}
	return pulumi.All(texts...).ApplyT(func(values []any) (configuredKeys, error) {
		configured := configuredKeys{Keys: s.azure.Keys.WithTexts(values)}
		_, err := refusal.Sift(s.subject(), plan.Rules(), s.Ignore, configured.Validate(), nil)
		if err != nil {
			return configuredKeys{}, err
		}
		for _, text := range configured.Secrets {
			configured.secrets = append(configured.secrets, text.(string))
		}
		return configured, nil
	})
}

// keys returns the configured keys, and those derived from configured or generated secrets. The
// salt of an origin without one is the name of the cluster.
func (k configuredKeys) keys(cluster string, origins []origin) (pki.Keys, error) {
	all := k.Uses()
	for g, origin := range origins {
		text, derive := origin.Secret, pki.Generated
		if len(k.secrets) > 0 {
			// A generation that is not in use needs no secret; none of its keys is used.
			text, derive = k.secrets[min(g, len(k.secrets)-1)], pki.Configured
		}
		secret, err := derive(text, cmp.Or(origin.Salt, cluster))
		if err != nil {
			return pki.Keys{}, err
		}
		all.Generations = append(all.Generations, pki.Generation{Secret: secret, Created: origin.created})
	}
	return all, nil
}

// from applies a function to the keys. The result is a secret.
func from[T any](k keys, of func(pki.Keys) (T, error)) pulumi.Output {
	return pulumi.ToSecret(k.all.ApplyT(func(value any) (T, error) { return of(value.(pki.Keys)) }))
}

// token returns the bootstrap token of a machine for one creation of it, which Azure's vmID
// identifies.
func (k keys) token(machine string, vmID pulumi.StringOutput) pulumi.StringOutput {
	return pulumi.ToSecret(pulumi.All(k.all, vmID).ApplyT(func(values []any) string {
		return values[0].(pki.Keys).Token(machine, values[1].(string))
	})).(pulumi.StringOutput)
}

// join returns the [bootstrap.Join] of a machine of a pool.
func (k keys) join(token pulumi.StringOutput) pulumi.Output {
	return token.ApplyT(func(token string) bootstrap.Join { return bootstrap.Join{Token: token} })
}

// createControlPlane returns the join of the first machine of the control plane, which creates the
// cluster and needs no token. joinControlPlane returns the join of any other one.
func (k keys) createControlPlane() pulumi.Output {
	return from(k, func(k pki.Keys) (bootstrap.Join, error) {
		certificates, err := k.Certificates()
		return bootstrap.Join{Certificates: certificates, EncryptionKeys: k.EncryptionKeys()}, err
	})
}

func (k keys) joinControlPlane(token pulumi.StringOutput) pulumi.Output {
	return pulumi.All(k.createControlPlane(), token).ApplyT(func(values []any) bootstrap.Join {
		join := values[0].(bootstrap.Join)
		join.Token = values[1].(string)
		return join
	})
}

// payloadKey returns the [bootstrap.PayloadKey] of a machine.
func (k keys) payloadKey(m plan.Machine) pulumi.Output {
	return from(k, func(k pki.Keys) (bootstrap.PayloadKey, error) {
		return bootstrap.NewPayloadKey(k.PayloadKey(m.Name, m.ControlPlane)), nil
	})
}

// caCertificate returns the certificate of the authority, by which nodes find the cluster, and the
// certificates of authorities that will sign later. It is not a secret.
func (k keys) caCertificate() pulumi.StringOutput {
	certificate := from(k, func(k pki.Keys) (string, error) { return k.CACertificate() })
	return pulumi.Unsecret(certificate).(pulumi.StringOutput)
}

// caCertHash returns the hash that pins the authority. It is not a secret.
func (k keys) caCertHash() pulumi.StringOutput {
	hash := from(k, func(k pki.Keys) (string, error) {
		certificates, err := k.Certificates()
		if err != nil {
			return "", err
		}
		return certificates.CA.CACertHash()
	}).(pulumi.StringOutput)
	return pulumi.Unsecret(hash).(pulumi.StringOutput)
}

// kubeconfig returns the kubeconfig of an administrator, for a server host:port. The server's
// certificate is checked for the name kubernetes, which it has whatever its addresses are.
func (k keys) kubeconfig(cluster string, server pulumi.StringOutput, now time.Time) pulumi.StringOutput {
	text := pulumi.All(k.all, server).ApplyT(func(values []any) (string, error) {
		return values[0].(pki.Keys).Kubeconfig(cluster, values[1].(string), "kubernetes", now)
	})
	return pulumi.ToSecret(text).(pulumi.StringOutput)
}
