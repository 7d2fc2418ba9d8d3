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

// token is the bootstrap token of a machine in one creation of it, whose ID Azure gives.
func (k keys) token(machine string, vmID pulumi.StringOutput) pulumi.StringOutput {
	return pulumi.All(k.material, vmID).ApplyT(func(values []any) string {
		return values[0].(material).secret.Token(machine, values[1].(string))
	}).(pulumi.StringOutput)
}

// join is the [bootstrap.Join] of a machine that is none of the control plane.
func (k keys) join(token pulumi.StringOutput) pulumi.Output {
	return token.ApplyT(func(token string) bootstrap.Join { return bootstrap.Join{Token: token} })
}

// createControlPlane is that of the first machine of the control plane, which creates the cluster
// and needs no token, and joinControlPlane that of another one.
func (k keys) createControlPlane() pulumi.Output {
	return from(k, func(m material) (bootstrap.Join, error) {
		return bootstrap.Join{Certificates: m.certificates, EncryptionKey: m.secret.EncryptionKey()}, nil
	})
}

func (k keys) joinControlPlane(token pulumi.StringOutput) pulumi.Output {
	return pulumi.All(k.createControlPlane(), token).ApplyT(func(values []any) bootstrap.Join {
		join := values[0].(bootstrap.Join)
		join.Token = values[1].(string)
		return join
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
