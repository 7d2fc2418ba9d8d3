package plan_test

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

// A pool identifies a cluster by the certificate of its authority, or by the hash of the
// certificate.
func TestPoolsIdentifyTheAuthority(t *testing.T) {
	t.Parallel()
	certificates, err := keys(t).Certificates()
	if err != nil {
		t.Fatal(err)
	}
	hash := []string{"sha256:" + strings.Repeat("0", 64)}
	for name, tt := range map[string]struct {
		hashes      []string
		certificate any
		want        string
	}{
		"a hash":                              {hash, nil, ""},
		"a certificate":                       {nil, certificates.CA.Certificate, ""},
		"a certificate that is not known yet": {nil, tree.Unknown{}, ""},
		"neither": {
			nil, nil,
			"caCertHashes: Required value: without it the node would trust any server that answers: give the " +
				"hash that `kubeadm token create --print-join-command` shows (MK661)",
		},
		"an invalid certificate": {
			nil, "ca", "caCertificate: Invalid value: must be a certificate in PEM (MK661)",
		},
		"the key as well": {
			nil, certificates.CA.Certificate + certificates.CA.PrivateKey,
			"caCertificate: Invalid value: has a private key: give the certificate alone, which everyone may see " +
				"(MK661)",
		},
		"an invalid hash": {
			[]string{"sha1:00"},
			certificates.CA.Certificate,
			`caCertHashes[0]: Invalid value: "sha1:00": must be sha256: and 64 lower-case hexadecimal digits (MK661)`,
		},
	} {
		findings := joining(func(j *plan.Joining) {
			j.CACertHashes, j.CACertificate = tt.hashes, tt.certificate
		}).Validate()
		equal(t, name, tt.want, text(joined(findings)))
	}
}
