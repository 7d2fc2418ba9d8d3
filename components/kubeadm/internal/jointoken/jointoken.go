// Package jointoken keeps the bootstrap token of a machine in the cluster for as long as the
// machine needs it to join, and no longer. Whether it needs one is for the caller to know: a node
// writes its own object, and so can claim anything.
package jointoken

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mixedkube/mixedkube/components/kubeadm/internal/kubeapi"
	"github.com/mixedkube/mixedkube/machines/kubeadm/pki"
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
	// Token is the bootstrap token that the machine gets.
	Token string
}

// Issue lets a machine join with its token until [Life] from now. An existing token of an earlier
// attempt gets the new expiration.
func Issue(ctx context.Context, api API, m Machine, now time.Time) error {
	secret, o := m.secret(now), m.object()
	err := api.Create(ctx, o, secret)
	if kubeapi.IsAlreadyExists(err) {
		err = api.Replace(ctx, o, secret)
	}
	return err
}

// Confirm returns an error if the node of a machine exists with another UID than the one that it
// first had: the node was deleted and registered again.
func Confirm(ctx context.Context, api API, node, uid string) error {
	var now corev1.Node
	err := api.Get(ctx, kubeapi.Object{API: "v1", Resource: "nodes", Name: node}, &now)
	if kubeapi.IsNotFound(err) {
		return nil
	}
	if err == nil && string(now.UID) != uid {
		err = AnotherNodeError{Node: node, First: uid, Now: string(now.UID)}
	}
	return err
}

// AnotherNodeError is the error for a node that is not the one that its machine joined as.
type AnotherNodeError struct {
	// Node is the name of the node. First is the UID that the state records, and Now the present one.
	Node, First, Now string
}

// Error describes the two nodes, and what to do.
func (e AnotherNodeError) Error() string {
	return fmt.Sprintf("node %s has the UID %q, but its machine has joined as the node with the UID %q, which the "+
		"state records: the node was deleted and registered again. Do not trust the machine: create it again with "+
		"`pulumi up --replace` and the URN of the virtual machine", e.Node, e.Now, e.First)
}

// Revoke removes the token of a machine. A token that does not exist is not an error.
func Revoke(ctx context.Context, api API, m Machine) error {
	if err := api.Delete(ctx, m.object()); err != nil && !kubeapi.IsNotFound(err) {
		return err
	}
	return nil
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
