package kubeadm

import (
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/bootstrap"
	"github.com/mixedkube/mixedkube/components/kubeadm/pki"
	"github.com/mixedkube/mixedkube/components/kubeadm/plan"
	"github.com/mixedkube/mixedkube/internal/refusal"
)

// keys are all keys of a cluster. Every output of theirs is a secret.
type keys struct{ material pulumi.Output }

// material is what all keys are made from.
type material struct {
	secret       pki.Secret
	certificates bootstrap.Certificates
}

// newKeys makes the keys from the secret and the authority that is given. What is wrong with
// these, and was not known before, fails what needs the keys.
func (s clusterSpec) newKeys() keys {
	ca := s.CertificateAuthority
	given := ca.Certificate != nil
	if !given {
		ca = CertificateAuthority{pulumi.String(""), pulumi.String("")}
	}
	all := pulumi.All(pulumi.ToSecret(s.Secret), ca.Certificate,
		pulumi.ToSecret(ca.PrivateKey)).ApplyT(func(values []any) (material, error) {
		text, pair := values[0].(string),
			bootstrap.KeyPair{Certificate: values[1].(string), PrivateKey: values[2].(string)}
		known := plan.Keys{Secret: text}
		if given {
			known.Certificate, known.PrivateKey = pair.Certificate, pair.PrivateKey
		}
		if _, err := refusal.Sift(s.subject(), plan.Rules(), s.Ignore, known.Validate(), nil); err != nil {
			return material{}, err
		}
		secret, err := pki.ParseSecret(text)
		if err != nil {
			return material{}, err
		}
		certificates, err := secret.Certificates(pair)
		return material{secret, certificates}, err
	})
	return keys{all}
}

// from makes something of the material.
func from[T any](k keys, of func(material) (T, error)) pulumi.Output {
	return k.material.ApplyT(func(value any) (T, error) { return of(value.(material)) })
}

// token is the bootstrap token of a machine.
func (k keys) token(machine string) pulumi.StringOutput {
	return from(k, func(m material) (string, error) { return m.secret.Token(machine), nil }).(pulumi.StringOutput)
}

// join is the [bootstrap.Join] of a machine that is none of the control plane.
func (k keys) join(machine string) pulumi.Output {
	return from(k, func(m material) (bootstrap.Join, error) {
		return bootstrap.Join{Token: m.secret.Token(machine)}, nil
	})
}

// joinControlPlane is that of one that is. The first, which creates the cluster, needs no
// token.
func (k keys) joinControlPlane(machine string, first bool) pulumi.Output {
	return from(k, func(m material) (bootstrap.Join, error) {
		join := bootstrap.Join{Certificates: m.certificates, EncryptionKeys: []string{m.secret.EncryptionKey()}}
		if !first {
			join.Token = m.secret.Token(machine)
		}
		return join, nil
	})
}

// payloadKeys is the [pki.Secret] that the payloads of the machines are encrypted with.
func (k keys) payloadKeys() pulumi.Output {
	return from(k, func(m material) (pki.Secret, error) { return m.secret, nil })
}

// caCertificate is the certificate of the authority, by which nodes find the cluster. It is
// no secret.
func (k keys) caCertificate() pulumi.StringOutput {
	certificate := from(k, func(m material) (string, error) { return m.certificates.CA.Certificate, nil })
	return pulumi.Unsecret(certificate).(pulumi.StringOutput)
}

// caCertHash pins the authority, and is no secret.
func (k keys) caCertHash() pulumi.StringOutput {
	hash := from(k, func(m material) (string, error) { return m.certificates.CA.CACertHash() }).(pulumi.StringOutput)
	return pulumi.Unsecret(hash).(pulumi.StringOutput)
}

// kubeconfig is that of an administrator, for a server host:port. The names of an API
// server are in its certificate whatever its addresses are.
func (k keys) kubeconfig(cluster string, server pulumi.StringOutput, now time.Time) pulumi.StringOutput {
	text := pulumi.All(k.material, server).ApplyT(func(values []any) (string, error) {
		m := values[0].(material)
		return m.secret.Kubeconfig(cluster, values[1].(string), "kubernetes", m.certificates.CA, now)
	})
	return pulumi.ToSecret(text).(pulumi.StringOutput)
}
