package armclient

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"time"

	"github.com/mixedkube/mixedkube/internal/lab/azure"
)

// The variables of the environment that say which Azure it is.
const (
	// DirVariable is the folder of the state.
	DirVariable = "MIXEDKUBE_AZURE_DIR"
	// KubeconfigVariable is the path of the kubeconfig of the lab's cluster: every
	// cluster answers it for its credentials, and the nodes of all pools go there.
	KubeconfigVariable = "MIXEDKUBE_AZURE_KUBECONFIG"
	// RetryDelayVariable is how long to wait before the first repetition, 1s for
	// example.
	RetryDelayVariable = "MIXEDKUBE_AZURE_RETRY_DELAY"
)

// Who the simulated Azure takes everybody for.
const (
	// Subscription is the one that there is.
	Subscription = "00000000-0000-0000-0000-000000000000"
	// Tenant, Client and Object are the identity of whoever asks.
	Tenant = "11111111-1111-1111-1111-111111111111"
	Client = "22222222-2222-2222-2222-222222222222"
	Object = "33333333-3333-3333-3333-333333333333"
)

// FromEnvironment opens the Azure that the environment says.
func FromEnvironment() (*ARM, error) { return fromVariables(os.Getenv) }

func fromVariables(get func(string) string) (*ARM, error) {
	dir := get(DirVariable)
	if dir == "" {
		return nil, fmt.Errorf("%s is not set: set it to the folder of the simulated Azure", DirVariable)
	}
	text := cmp.Or(get(RetryDelayVariable), "500ms")
	delay, err := time.ParseDuration(text)
	if err != nil || delay < 0 {
		return nil, fmt.Errorf("%s: %q is not a duration: use 500ms for example", RetryDelayVariable, text)
	}
	kubeconfig := get(KubeconfigVariable)
	options := azure.Options{Kubeconfig: func() ([]byte, error) {
		if kubeconfig == "" {
			return nil, fmt.Errorf("%s is not set: set it to the path of the cluster's kubeconfig", KubeconfigVariable)
		}
		return os.ReadFile(kubeconfig)
	}}
	if kubeconfig != "" {
		options.Nodes = func(ctx context.Context, pools []azure.Pool) error { return Register(ctx, kubeconfig, pools) }
		options.Join = func(ctx context.Context, j azure.Join) error { return Join(ctx, kubeconfig, j) }
		options.Gone = func(ctx context.Context, nodes []string) error { return Gone(ctx, kubeconfig, nodes) }
	}
	cloud, err := azure.Open(dir, options)
	if err != nil {
		return nil, fmt.Errorf("open the simulated Azure in %s: %w", dir, err)
	}
	return New(cloud, delay), nil
}
