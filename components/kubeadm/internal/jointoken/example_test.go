package jointoken_test

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/kubeadm/internal/jointoken"
	"github.com/mixedkube/mixedkube/components/kubeadm/internal/kubeapi"
)

// printing is an API server without nodes that prints its requests.
type printing struct{}

func (printing) Get(context.Context, kubeapi.Object, any) error {
	return &kubeapi.StatusError{Code: 404}
}

func (printing) Create(_ context.Context, o kubeapi.Object, object any) error {
	fmt.Println("create", o.Namespace, o.Name, "until", string(object.(corev1.Secret).Data["expiration"]))
	return nil
}

func (printing) Replace(context.Context, kubeapi.Object, any) error { return nil }

func (printing) Delete(_ context.Context, o kubeapi.Object) error {
	fmt.Println("delete", o.Namespace, o.Name)
	return nil
}

// A token is in the cluster from the moment when the machine gets it until the machine has joined.
func Example() {
	ctx, now := context.Background(), time.Date(2026, time.January, 15, 12, 0, 0, 0, time.UTC)
	machine := jointoken.Machine{Name: "win22-0", Token: "tests0.notarealtoken000"}
	if err := jointoken.Issue(ctx, printing{}, machine, now); err != nil {
		fmt.Println(err)
	}
	if err := jointoken.Revoke(ctx, printing{}, machine); err != nil {
		fmt.Println(err)
	}
	// Output:
	// create kube-system bootstrap-token-tests0 until 2026-01-15T14:00:00Z
	// delete kube-system bootstrap-token-tests0
}
