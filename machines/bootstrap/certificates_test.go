package bootstrap

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// opensslCA and its hash are of openssl, by the command that Kubernetes documents for it
// (https://kubernetes.io/docs/reference/setup-tools/kubeadm/kubeadm-join/).
const (
	opensslCA = `-----BEGIN CERTIFICATE-----
MIIBgDCCASegAwIBAgIUaFAlTVWbQvmpTiBhktGbVWKVyCEwCgYIKoZIzj0EAwIw
FTETMBEGA1UEAwwKa3ViZXJuZXRlczAgFw0yNjExMjEyMzQ1MDhaGA8yMTI2MTAy
ODIzNDUwOFowFTETMBEGA1UEAwwKa3ViZXJuZXRlczBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABP8xlfzUfkjTzcSo1IwrBwySBqXSgGMFQONsmfioxDGh5rpc1nDD
MUwwffFNmzj/G55ZAr/dh3xm0gM6cE+NmxWjUzBRMB0GA1UdDgQWBBQrc500xzg4
NLhaBuQOwgIIlkOsnTAfBgNVHSMEGDAWgBQrc500xzg4NLhaBuQOwgIIlkOsnTAP
BgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0cAMEQCIF6xWz6ZZQdV1cVqmdo/
lFNJT9ghhWZXlryQ2OZySIDNAiAZMYVXkeva0Oq76SHfjxXE5Z7A/VBQnGeMz8HM
XvcZOQ==
-----END CERTIFICATE-----
`
	opensslHash = "sha256:11db8af239369cd65eefc6102eeb972536f8b902bd44330994d6afcc954713d2"
)

func TestCACertHash(t *testing.T) {
	t.Parallel()
	pair := testPair(t, "kubernetes")
	key, err := parsePrivateKey(pair.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	// This hash is computed from the key, without the certificate.
	der, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(der)
	for text, want := range map[string]string{
		opensslCA:                    opensslHash,
		pair.Certificate:             "sha256:" + hex.EncodeToString(sum[:]),
		"a comment\n" + opensslCA:    opensslHash,
		opensslCA + pair.Certificate: opensslHash,
	} {
		got, err := KeyPair{Certificate: text}.CACertHash()
		if err != nil || got != want {
			t.Errorf("%s, %v, want %s", got, err, want)
		}
	}
	got, err := KeyPair{Certificate: opensslCA + pair.Certificate}.CACertHashes()
	if want := []string{opensslHash, "sha256:" + hex.EncodeToString(sum[:])}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
	for _, text := range []string{
		"", "secret", pair.PrivateKey,
		"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
	} {
		if got, err := (KeyPair{Certificate: text}).CACertHash(); got != "" ||
			message(err) != "the key pair's certificate must be a certificate in PEM" {
			t.Errorf("%q: %s, %v", text, got, err)
		}
	}
}

func TestInvalidCertificates(t *testing.T) {
	t.Parallel()
	right := testCertificates(t)
	const (
		allFour = "Required value: set all four key pairs: an additional node of the control plane needs those of " +
			"the existing nodes"
		orCA = "Required value: give all four key pairs, or the CA alone: kubeadm then creates the others"
		both = "join.certificateKey: Invalid value: cannot be combined with certificates, which has the key " +
			"pairs that this key decrypts: leave one of the two out"
		workers = "join.certificates: Invalid value: only nodes of the control plane may have the cluster's keys: " +
			"leave it out"
	)
	for _, tt := range []struct {
		name, node string
		change     func(*Join)
		want       string
	}{
		{"all, for the first node", "cp-1", func(*Join) {}, ""},
		{"all, for a further node", "cp-2", func(*Join) {}, ""},
		{"the CA alone, for the first node", "cp-1", func(j *Join) { j.Certificates = Certificates{CA: right.CA} }, ""},
		{
			"the CA alone with a key, for the first node", "cp-1",
			func(j *Join) { j.Certificates, j.CertificateKey = Certificates{CA: right.CA}, testKey },
			"",
		},
		{
			"the CA alone, for a further node", "cp-2",
			func(j *Join) { j.Certificates = Certificates{CA: right.CA} },
			"\n  join.certificates.etcdCA: " + allFour + "\n  join.certificates.frontProxyCA: " + allFour +
				"\n  join.certificates.serviceAccount: " + allFour,
		},
		{
			"the CA alone with a key, for a further node", "cp-2",
			func(j *Join) { j.Certificates, j.CertificateKey = Certificates{CA: right.CA}, testKey },
			"\n  " + both + "\n  join.certificates.etcdCA: " + allFour + "\n  join.certificates.frontProxyCA: " +
				allFour + "\n  join.certificates.serviceAccount: " + allFour,
		},
		{
			"two, for the first node", "cp-1",
			func(j *Join) { j.Certificates.EtcdCA, j.Certificates.ServiceAccount = KeyPair{}, KeyPair{} },
			"\n  join.certificates.etcdCA: " + orCA + "\n  join.certificates.serviceAccount: " + orCA,
		},
		{
			"another than the CA alone, for the first node", "cp-1",
			func(j *Join) { j.Certificates = Certificates{EtcdCA: right.EtcdCA} },
			"\n  join.certificates.ca: " + orCA + "\n  join.certificates.frontProxyCA: " + orCA +
				"\n  join.certificates.serviceAccount: " + orCA,
		},
		{
			"a bundle as the CA alone, for the first node", "cp-1",
			func(j *Join) {
				j.Certificates = Certificates{CA: right.CA}
				j.Certificates.CA.Certificate += right.EtcdCA.Certificate
			},
			"join.certificates.ca.certificate: Invalid value: has several certificates, and kube-controller-manager " +
				"signs with one: give all four key pairs, or one certificate",
		},
		{
			"a bundle, for a further node", "cp-2",
			func(j *Join) { j.Certificates.CA.Certificate += right.EtcdCA.Certificate }, "",
		},
		{"all and a key, for the first node", "cp-1", func(j *Join) { j.CertificateKey = testKey }, both},
		{"all and a key, for a further node", "cp-2", func(j *Join) { j.CertificateKey = testKey }, both},
		{"a Linux worker", "linux-1", func(*Join) {}, workers},
		{
			"a Windows worker", "win2022-1",
			func(j *Join) { j.Certificates = Certificates{CA: KeyPair{"secret", "secret"}} }, workers,
		},
		{
			"a pin of another CA", "cp-2", func(j *Join) { j.CACertHashes = []string{testHash} },
			`join.caCertHashes: Invalid value: ["` + testHash + `"]: does not contain the hash of ` +
				"certificates.ca, which is " + joinWith(t, right).CACertHashes[0] +
				": use hashes and certificates of the same cluster",
		},
		{
			"the pin among others", "cp-2",
			func(j *Join) { j.CACertHashes = append([]string{testHash}, j.CACertHashes...) }, "",
		},
		{
			"a pin of another CA, which the first node does not use", "cp-1",
			func(j *Join) { j.CACertHashes = []string{testHash} }, "",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			j := joinWith(t, right)
			tt.change(&j)
			_, err := NodeFiles(testCluster(network.FlannelVXLAN, "1.36"), tt.node, j)
			if diff := cmp.Diff(tt.want, message(err)); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}

// No message shows the invalid value, because it may be a key in the wrong place.
func TestInvalidKeyPairs(t *testing.T) {
	t.Parallel()
	right := testCertificates(t)
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	_, ed, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	ec, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	authority := certificateFor(t, "x", key, true, x509.KeyUsageCertSign)
	expiredKey := privatePEM(t, key)
	expiredCA := certificateUntil(t, time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC), key)
	const (
		noCertificate = ": Invalid value: must be a certificate in PEM"
		noCA          = ": Invalid value: must be the certificate of a certificate authority, which may sign others"
		noPublic      = ": Invalid value: must be a public key in PEM, a block PUBLIC KEY: a service account has no " +
			"certificate"
		noPrivate = ": Invalid value: must be a private key in PEM, without a password"
		expired   = " expired on 2020-01-02: replace or remove it, because nothing that it signed is accepted"

		otherKind = ": Invalid value: must be a key of RSA or ECDSA: kubeadm takes no other"
	)
	ca := func(p KeyPair) Certificates { c := right; c.CA = p; return c }
	sa := func(p KeyPair) Certificates { c := right; c.ServiceAccount = p; return c }
	for name, tt := range map[string]struct {
		certificates Certificates
		want         []string
	}{
		"a certificate without a key": {
			ca(KeyPair{Certificate: authority}),
			[]string{"ca.privateKey: Required value: required together with the certificate: set both"},
		},
		"a key without a certificate": {
			ca(KeyPair{PrivateKey: privatePEM(t, key)}),
			[]string{"ca.certificate: Required value: required together with the private key: set both"},
		},
		"no PEM": {
			ca(KeyPair{"secret", "secret"}),
			[]string{"ca.certificate" + noCertificate, "ca.privateKey" + noPrivate},
		},
		"a bundle": {ca(KeyPair{authority + right.CA.Certificate, privatePEM(t, key)}), nil},
		"a bundle in another order": {
			ca(KeyPair{right.CA.Certificate + right.EtcdCA.Certificate + authority, privatePEM(t, key)}),
			[]string{
				"ca.certificate: Invalid value: the private key belongs to certificate 3: put this certificate " +
					"first, because it signs",
			},
		},
		"a bundle without the key's": {
			ca(KeyPair{right.CA.Certificate + right.EtcdCA.Certificate, privatePEM(t, key)}),
			[]string{"ca.privateKey: Invalid value: does not match the public key of join.certificates.ca.certificate"},
		},
		"a bundle with a server's and one that may not sign": {
			ca(KeyPair{
				authority + certificateFor(t, "x", key, false, 0) +
					certificateFor(t, "x", key, true, x509.KeyUsageCRLSign),
				privatePEM(t, key),
			}),
			[]string{
				"ca.certificate: Invalid value: certificate 2 must be the certificate of a certificate authority, " +
					"which may sign others",
				"ca.certificate: Invalid value: certificate 3 must be the certificate of a certificate authority, " +
					"which may sign others",
			},
		},
		"a bundle with an old one": {
			ca(KeyPair{authority + expiredCA, privatePEM(t, key)}),
			[]string{"ca.certificate: Invalid value: certificate 2" + expired},
		},
		"an old one": {
			ca(KeyPair{expiredCA, expiredKey}),
			[]string{"ca.certificate: Invalid value:" + expired},
		},
		"a bundle with its key": {
			ca(KeyPair{authority + privatePEM(t, key), privatePEM(t, key)}),
			[]string{
				"ca.certificate: Invalid value: has a private key: give the certificate alone, which everyone may " +
					"see",
			},
		},
		"the two exchanged": {
			ca(KeyPair{privatePEM(t, key), authority}),
			[]string{"ca.certificate" + noCertificate, "ca.privateKey" + noPrivate},
		},
		"a certificate that is cut": {
			ca(KeyPair{pemText("CERTIFICATE", []byte("x")), privatePEM(t, key)}),
			[]string{"ca.certificate" + noCertificate},
		},
		"a chain whose second is cut": {ca(KeyPair{
			authority + pemText("CERTIFICATE", []byte("x")),
			privatePEM(t, key),
		}), []string{"ca.certificate" + noCertificate}},
		"a certificate of a server": {
			ca(KeyPair{certificateFor(t, "x", key, false, 0), privatePEM(t, key)}),
			[]string{"ca.certificate" + noCA},
		},
		"a CA that may not sign": {ca(KeyPair{
			certificateFor(t, "x", key, true, x509.KeyUsageCRLSign),
			privatePEM(t, key),
		}), []string{"ca.certificate" + noCA}},
		"a CA that says no usage": {ca(KeyPair{certificateFor(t, "x", key, true, 0), privatePEM(t, key)}), nil},
		"the key of another": {
			ca(KeyPair{authority, right.CA.PrivateKey}),
			[]string{
				"ca.privateKey: Invalid value: does not match the public key of join.certificates.ca.certificate",
			},
		},
		"a key of RSA for a certificate of ECDSA": {
			ca(KeyPair{authority, right.ServiceAccount.PrivateKey}),
			[]string{
				"ca.privateKey: Invalid value: does not match the public key of join.certificates.ca.certificate",
			},
		},
		"Ed25519": {ca(KeyPair{
			certificateFor(t, "x", ed, true, x509.KeyUsageCertSign),
			privatePEM(t, ed),
		}), []string{"ca.privateKey" + otherKind}},
		"a key with a password": {
			ca(KeyPair{authority, pemText("ENCRYPTED PRIVATE KEY", []byte("x"))}),
			[]string{"ca.privateKey" + noPrivate},
		},
		"a key that is cut": {
			ca(KeyPair{authority, pemText("PRIVATE KEY", []byte("x"))}),
			[]string{"ca.privateKey" + noPrivate},
		},
		"a key of ECDSA's own form": {ca(KeyPair{authority, pemText("EC PRIVATE KEY", ec)}), nil},
		"a key after its parameters": {ca(KeyPair{
			authority,
			pemText("EC PARAMETERS", []byte("x")) + pemText("EC PRIVATE KEY", ec),
		}), nil},
		"an account with a certificate": {
			sa(KeyPair{authority, privatePEM(t, key)}),
			[]string{"serviceAccount.certificate" + noPublic},
		},
		"an account with a cut key": {
			sa(KeyPair{pemText("PUBLIC KEY", []byte("x")), privatePEM(t, key)}),
			[]string{"serviceAccount.certificate" + noPublic},
		},
		"an account with a key by another name": {
			sa(KeyPair{
				strings.ReplaceAll(publicPEM(t, key.Public()), "PUBLIC KEY", "EC PUBLIC KEY"),
				privatePEM(t, key),
			}),
			[]string{"serviceAccount.certificate" + noPublic},
		},
		"an account with two keys": {sa(KeyPair{
			publicPEM(t, key.Public()) + right.ServiceAccount.Certificate,
			privatePEM(t, key),
		}), nil},
		"an account with two keys in another order": {
			sa(KeyPair{right.ServiceAccount.Certificate + publicPEM(t, key.Public()), privatePEM(t, key)}),
			[]string{"serviceAccount.certificate: Invalid value: the private key belongs to certificate 2: put this " +
				"certificate first, because it signs"},
		},
		"an account with a second key that is cut": {
			sa(KeyPair{publicPEM(t, key.Public()) + pemText("PUBLIC KEY", []byte("x")), privatePEM(t, key)}),
			[]string{"serviceAccount.certificate" + noPublic},
		},
		"an account with a private key beside the public one": {
			sa(KeyPair{publicPEM(t, key.Public()) + privatePEM(t, key), privatePEM(t, key)}),
			[]string{"serviceAccount.certificate" + noPublic},
		},
		"an account with a second key of Ed25519": {
			sa(KeyPair{publicPEM(t, key.Public()) + publicPEM(t, ed.Public()), privatePEM(t, key)}),
			[]string{
				"serviceAccount.certificate: Invalid value: certificate 2 must be a key of RSA or ECDSA: kubeadm " +
					"takes no other",
			},
		},
		"an account with another's key": {
			sa(KeyPair{right.ServiceAccount.Certificate, privatePEM(t, key)}),
			[]string{
				"serviceAccount.privateKey: Invalid value: does not match the public key of " +
					"join.certificates.serviceAccount.certificate",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := NodeFiles(testCluster(network.FlannelVXLAN, "1.36"), "cp-1", Join{Certificates: tt.certificates})
			var want string
			for _, line := range tt.want {
				want += "\n  join.certificates." + line
			}
			if len(tt.want) == 1 {
				want = strings.TrimPrefix(want, "\n  ")
			}
			if diff := cmp.Diff(want, message(err)); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}

// The files are those that kubeadm has, and all of them are secret.
func TestFilesOfCertificates(t *testing.T) {
	t.Parallel()
	right := testCertificates(t)
	right.CA.Certificate += right.EtcdCA.Certificate
	// As they may come from a file of Windows.
	windows := right
	windows.CA.Certificate = strings.TrimRight(strings.ReplaceAll(right.CA.Certificate, "\n", "\r\n"), "\r\n")
	var want []File
	for path, content := range map[string]string{
		"ca.crt": right.CA.Certificate, "ca.key": right.CA.PrivateKey,
		"etcd/ca.crt": right.EtcdCA.Certificate, "etcd/ca.key": right.EtcdCA.PrivateKey,
		"front-proxy-ca.crt": right.FrontProxyCA.Certificate, "front-proxy-ca.key": right.FrontProxyCA.PrivateKey,
		"sa.pub": right.ServiceAccount.Certificate, "sa.key": right.ServiceAccount.PrivateKey,
		// One alone, as kube-controller-manager wants it.
		"signer.crt": strings.TrimSuffix(right.CA.Certificate, right.EtcdCA.Certificate),
	} {
		want = append(want, File{Path: "/etc/mixedkube/pki/" + path, Content: content, Secret: true})
	}
	slices.SortFunc(want, byPath)
	for _, node := range []string{"cp-1", "cp-2"} {
		files, err := SecretFiles(testCluster(network.FlannelVXLAN, "1.36"), node, joinWith(t, windows))
		if err != nil {
			t.Fatal(err)
		}
		files = slices.DeleteFunc(files, func(f File) bool {
			return f.Path == linuxKubeadm || f.Path == encryptionFile
		})
		if diff := cmp.Diff(want, files); diff != "" {
			t.Errorf("%s (-want +got):\n%s", node, diff)
		}
	}
}

func TestACertificateKeyIsLeftOut(t *testing.T) {
	t.Parallel()
	c := testCluster(network.FlannelVXLAN, "1.36")
	for _, node := range []string{"cp-1", "cp-2"} {
		if config := kubeadmConfig(testMachineJoining(t, c, node,
			joinWith(t, testCertificates(t)))); strings.Contains(config, "certificateKey") {
			t.Errorf("%s:\n%s", node, config)
		}
	}
}
