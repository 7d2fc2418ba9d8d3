package kubeapi_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/components/kubeadm/internal/kubeapi"
)

// The client is for the kubeconfig that a program creates, whose user has a certificate.
func ExampleNewClient() {
	_, err := kubeapi.NewClient("apiVersion: v1\nkind: Config\n")
	fmt.Println(err)
	// Output:
	// the kubeconfig has no cluster for its current context ""
}

// Errors of the API server are told apart by their codes.
func ExampleIsNotFound() {
	err := fmt.Errorf("looking for the node: %w", &kubeapi.StatusError{Code: 404})
	fmt.Println(kubeapi.IsNotFound(err), kubeapi.IsConflict(err))
	// Output:
	// true false
}
