// Package jointoken keeps the bootstrap token of a machine in the cluster for as long as the
// machine needs it to join, and no longer.
package jointoken

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mixedkube/mixedkube/components/kubeadm/internal/kubeapi"
	"github.com/mixedkube/mixedkube/components/kubeadm/pki"
)

// Life is how long a token is valid. A machine that has not joined within an hour needs an
// administrator; another update creates the token again for two more hours.
const Life = 2 * time.Hour

// API is the part of the API server that this package uses.
type API interface {
	Get(ctx context.Context, o kubeapi.Object, into any) error
	Create(ctx context.Context, o kubeapi.Object, object any) error
	Replace(ctx context.Context, o kubeapi.Object, object any) error
	Delete(ctx context.Context, o kubeapi.Object) error
}

// Machine is a machine that joins.
type Machine struct {
	// Name is the name of its node.
	Name string
	// VMID is Azure's ID for this creation of the machine.
	VMID string
	// Token is the bootstrap token that the machine gets.
	Token string
}

// Issue lets a machine join with its token until [Life] from now, unless it has joined. An existing
// token of an earlier attempt gets the new expiration.
func Issue(ctx context.Context, api API, m Machine, now time.Time) error {
	joined, err := m.joined(ctx, api)
	if err != nil || joined {
		return err
	}
	secret, o := m.secret(now), m.object()
	err = api.Create(ctx, o, secret)
	if kubeapi.IsAlreadyExists(err) {
		err = api.Replace(ctx, o, secret)
	}
	return err
}

// Revoke removes the token of a machine. A token that does not exist is not an error.
func Revoke(ctx context.Context, api API, m Machine) error {
	if err := api.Delete(ctx, m.object()); err != nil && !kubeapi.IsNotFound(err) {
		return err
	}
	return nil
}

// joined reports whether the node of this creation of the machine exists. The node of an earlier
// creation with the same name does not count: it has another ID.
func (m Machine) joined(ctx context.Context, api API) (bool, error) {
	var node corev1.Node
	err := api.Get(ctx, kubeapi.Object{API: "v1", Resource: "nodes", Name: m.Name}, &node)
	if kubeapi.IsNotFound(err) {
		return false, nil
	}
	return err == nil && sameMachine(node.Status.NodeInfo.SystemUUID, m.VMID), err
}

func (m Machine) object() kubeapi.Object {
	return kubeapi.Object{
		API: "v1", Resource: "secrets", Namespace: metav1.NamespaceSystem,
		Name: "bootstrap-token-" + pki.TokenID(m.Token),
	}
}

// secret returns the token as a Secret in the format of Kubernetes
// (https://kubernetes.io/docs/reference/access-authn-authz/bootstrap-tokens/#bootstrap-token-secret-format).
// It does not sign cluster-info, which no machine reads.
func (m Machine) secret(now time.Time) corev1.Secret {
	return corev1.Secret{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Secret"},
		ObjectMeta: metav1.ObjectMeta{Name: m.object().Name, Namespace: metav1.NamespaceSystem},
		Type:       corev1.SecretTypeBootstrapToken,
		Data: map[string][]byte{
			"token-id":                       []byte(pki.TokenID(m.Token)),
			"token-secret":                   []byte(pki.TokenSecret(m.Token)),
			"expiration":                     []byte(now.Add(Life).UTC().Format(time.RFC3339)),
			"usage-bootstrap-authentication": []byte("true"),
			"auth-extra-groups":              []byte("system:bootstrappers:kubeadm:default-node-token"),
			"description":                    fmt.Appendf(nil, "Lets %s join.", m.Name),
		},
	}
}
