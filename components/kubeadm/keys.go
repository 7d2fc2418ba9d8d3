package kubeadm

import (
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/bootstrap"
	"github.com/mixedkube/mixedkube/components/kubeadm/pki"
	"github.com/mixedkube/mixedkube/components/kubeadm/plan"
	"github.com/mixedkube/mixedkube/internal/refusal"
)

// keys are all keys of a cluster: a [pki.Keys]. Every output of theirs is a secret.
type keys struct{ all pulumi.Output }

// newKeys makes the keys from what is given and what the stack remembers. What is wrong with
// these, and was not known before, fails what needs the keys.
func (s clusterSpec) newKeys(ctx *pulumi.Context, hooks hookNames, parent pulumi.ResourceOption) (keys, error) {
	given := s.given()
	from := []any{given}
	for g := range s.azure.Keys.Generations() {
		origin, err := s.keep(ctx, g, given, parent, pulumi.Protect(!s.Unprotected))
		if err != nil {
			return keys{}, err
		}
		from = append(from, origin)
	}
	steps, err := s.stepsNeeded(ctx, hooks, from[1].(pulumi.Output), parent)
	if err != nil {
		return keys{}, err
	}
	return keys{pulumi.All(append(from, steps...)...).ApplyT(func(values []any) (pki.Keys, error) {
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
		return s.made(values[0].(givenKeys), origins)
	})}, nil
}

// made are the keys, if they are those that the stack remembers.
func (s clusterSpec) made(given givenKeys, origins []origin) (pki.Keys, error) {
	k, err := given.keys(s.ClusterName, origins)
	if err != nil {
		return pki.Keys{}, err
	}
	kept := make([]plan.Kept, len(origins))
	for g, origin := range origins {
		now, err := k.Fingerprints(g)
		if err != nil {
			return pki.Keys{}, err
		}
		kept[g] = plan.Kept{Fingerprints: origin.Fingerprints, Now: now}
	}
	_, err = refusal.Sift(s.subject(), plan.Rules(), s.Ignore, s.azure.Keys.CheckKept(kept), nil)
	return k, err
}

// givenKeys are the secrets and pairs that are given.
type givenKeys struct {
	// secrets are stretched.
	secrets []pki.Secret
	plan.Keys
}

// given awaits what is given: a [givenKeys]. Stretching takes a while, and is done once.
func (s clusterSpec) given() pulumi.Output {
	var texts []any
	for _, secret := range s.Keys.Secrets {
		texts = append(texts, pulumi.ToSecret(secret))
	}
	for _, kind := range pki.Kinds() {
		for _, pair := range s.Keys.of(kind).Pairs {
			texts = append(texts, optionalText(pair.Certificate), pulumi.ToSecret(optionalText(pair.PrivateKey)))
		}
	}
	return pulumi.All(texts...).ApplyT(func(values []any) (givenKeys, error) {
		given := givenKeys{Keys: s.azure.Keys.WithTexts(values)}
		_, err := refusal.Sift(s.subject(), plan.Rules(), s.Ignore, given.Validate(), nil)
		if err != nil {
			return givenKeys{}, err
		}
		for _, text := range given.Secrets {
			secret, err := pki.Given(text.(string), s.ClusterName)
			if err != nil {
				return givenKeys{}, err
			}
			given.secrets = append(given.secrets, secret)
		}
		return given, nil
	})
}

// keys are those that are given, and those made from what was drawn.
func (k givenKeys) keys(cluster string, origins []origin) (pki.Keys, error) {
	all := k.Uses()
	for g, origin := range origins {
		made := pki.Generation{Created: origin.created}
		if len(k.secrets) > 0 {
			// A generation that is not in use needs no secret; it is never asked for.
			made.Secret = k.secrets[min(g, len(k.secrets)-1)]
		} else {
			secret, err := pki.Drawn(origin.Drawn, cluster)
			if err != nil {
				return pki.Keys{}, err
			}
			made.Secret = secret
		}
		all.Generations = append(all.Generations, made)
	}
	return all, nil
}

// from makes something of the keys.
func from[T any](k keys, of func(pki.Keys) (T, error)) pulumi.Output {
	return pulumi.ToSecret(k.all.ApplyT(func(value any) (T, error) { return of(value.(pki.Keys)) }))
}

// token is the bootstrap token of a machine in one creation of it, whose ID Azure gives.
func (k keys) token(machine string, vmID pulumi.StringOutput) pulumi.StringOutput {
	return pulumi.ToSecret(pulumi.All(k.all, vmID).ApplyT(func(values []any) string {
		return values[0].(pki.Keys).Token(machine, values[1].(string))
	})).(pulumi.StringOutput)
}

// join is the [bootstrap.Join] of a machine that is none of the control plane.
func (k keys) join(token pulumi.StringOutput) pulumi.Output {
	return token.ApplyT(func(token string) bootstrap.Join { return bootstrap.Join{Token: token} })
}

// createControlPlane is that of the first machine of the control plane, which creates the cluster
// and needs no token, and joinControlPlane that of another one.
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

// payloadKey is the [bootstrap.PayloadKey] of a machine.
func (k keys) payloadKey(m plan.Machine) pulumi.Output {
	return from(k, func(k pki.Keys) (bootstrap.PayloadKey, error) {
		return bootstrap.NewPayloadKey(k.PayloadKey(m.Name, m.ControlPlane)), nil
	})
}

// caCertificate is the certificate of the authority, by which nodes find the cluster, with
// those that are to sign later. It is no secret.
func (k keys) caCertificate() pulumi.StringOutput {
	certificate := from(k, func(k pki.Keys) (string, error) { return k.CACertificate() })
	return pulumi.Unsecret(certificate).(pulumi.StringOutput)
}

// caCertHash pins the authority, and is no secret.
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

// kubeconfig is that of an administrator, for a server host:port. The names of an API
// server are in its certificate whatever its addresses are.
func (k keys) kubeconfig(cluster string, server pulumi.StringOutput, now time.Time) pulumi.StringOutput {
	text := pulumi.All(k.all, server).ApplyT(func(values []any) (string, error) {
		return values[0].(pki.Keys).Kubeconfig(cluster, values[1].(string), "kubernetes", now)
	})
	return pulumi.ToSecret(text).(pulumi.StringOutput)
}
