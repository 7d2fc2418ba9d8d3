package bootstrap

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// KeysParameter is the name of the environment variable by which [KeysScript] gets the
// [KeysPayload]. A managed Run Command of Azure has a protected parameter of that name
// (https://learn.microsoft.com/azure/virtual-machines/linux/run-command-managed).
const KeysParameter = "MIXEDKUBE_PAYLOAD"

// newKeys is the directory from which replace-keys.sh takes keys. They are in a directory next to it until all are
// there.
const newKeys = linuxConfig + "/new-keys"

// KeysScript returns a bash script that gives a machine of the control plane other keys of the cluster, if all of the
// cluster's first keys were in [Join.Certificates]. It is the same for all machines and has no secret: the keys are in
// [KeysParameter].
//
// It must run as root. It installs the keys, lets kubeadm create the certificates whose signer has changed, and
// restarts etcd, kube-apiserver, kube-controller-manager, kube-scheduler and the kubelet, each if it has one of these
// keys in memory and only when the previous one is healthy. If nothing differs, it does nothing. It fails, and reports
// why, if a component is not healthy within 5 minutes; run again, it continues. If the machine stops in between, it
// continues by itself at the next boot (mixedkube-replace-keys.service).
//
// Give the keys to one machine after the other, and each change to all machines before the next: first trust the new
// key in addition to the old one, which stays the first; then put the new one first; then leave the old one out. So
// every machine accepts the old and the new key at any time
// (https://kubernetes.io/docs/tasks/tls/manual-rotation-of-ca-certificates/).
//
// kube-controller-manager signs with /etc/kubernetes/pki/signer.crt, which has the first certificate of ca.crt. The
// script cannot do the following:
//
//   - Pods have the authorities in the ConfigMap kube-root-ca.crt, which is updated automatically, but most programs
//     read them only when they start: restart workloads that call the API server after each step except the last.
//   - Machines outside of the control plane keep the authorities that they were created with: replace the machines
//     before you leave the old authority out.
//   - Secrets in etcd keep the key that they were written with: write all of them again before you leave the old key
//     out, with `kubectl get secrets --all-namespaces --output=json | kubectl replace --filename=-`.
func KeysScript() string { return selfContained("deliver-keys.sh") }

// KeysPayload encrypts keys for a machine of the control plane, whose key is key. All four
// pairs of the certificates are needed; the encryption keys are as in [Join.EncryptionKeys],
// and the options those of [Cluster.APIServer]. The error lists everything that is wrong, with
// paths below "keys", and shows no secret.
func KeysPayload(
	o APIServerOptions, certificates Certificates, encryptionKeys []string, key PayloadKey,
) (string, error) {
	path := field.NewPath("keys")
	var errs field.ErrorList
	for _, pair := range certificates.pairs() {
		at := path.Child("certificates", pair.field)
		if pair.KeyPair == (KeyPair{}) {
			errs = append(errs, field.Required(at, "give all four key pairs, those that stay as well"))
		} else {
			errs = append(errs, pair.check(at)...)
		}
	}
	errs = append(errs, checkEncryptionKeys(encryptionKeys, path.Child("encryptionKeys"))...)
	if err := fielderrors.Join("bootstrap", errs); err != nil {
		return "", err
	}
	const dir = newKeys + ".part"
	files := append(certificates.files(dir), File{
		Path:    dir + strings.TrimPrefix(encryptionFile, apiServerDir),
		Content: o.encryption(encryptionKeys), Secret: true,
	})
	return key.encrypt(linuxPayload(files)), nil
}
