package armclient

import (
	"cmp"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
)

// The variables of the environment that say which Azure it is.
const (
	// DirVariable is the folder of the state.
	DirVariable = "MIXEDKUBE_AZURE_DIR"
	// KubeconfigVariable is the path of the kubeconfig of the cluster that plays all those in
	// Azure: each of them answers it for its credentials, and the nodes of all go there.
	KubeconfigVariable = "MIXEDKUBE_AZURE_KUBECONFIG"
	// RetryDelayVariable is how long to wait before the first repetition, 1s for
	// example.
	RetryDelayVariable = "MIXEDKUBE_AZURE_RETRY_DELAY"
	// OperationVariable is how long an operation on a cluster of AKS or one of its pools
	// takes, 300ms by default: other changes of the cluster are refused meanwhile.
	OperationVariable = "MIXEDKUBE_AZURE_OPERATION"
	// FeaturesVariable are the features that the subscription has registered for, with
	// commas between them, Microsoft.Compute/EncryptionAtHost for example; none by default.
	FeaturesVariable = "MIXEDKUBE_AZURE_FEATURES"
)

// The identity that every caller has in the simulated Azure.
const (
	// SubscriptionID is the one that there is.
	SubscriptionID = "00000000-0000-0000-0000-000000000000"
	// TenantID, ClientID and ObjectID are the identity of whoever asks.
	TenantID = "11111111-1111-1111-1111-111111111111"
	ClientID = "22222222-2222-2222-2222-222222222222"
	ObjectID = "33333333-3333-3333-3333-333333333333"
)

// FromEnvironment opens the Azure that the environment says. The cluster of the kubeconfig
// plays Azure's: play says how nodes get into it and out of it. Without a kubeconfig, or
// without play, pools and machines have nodes that nobody sees.
func FromEnvironment(play func(kubeconfig string) arm.Options) (*Client, error) {
	return fromVariables(os.Getenv, play)
}

func fromVariables(get func(string) string, play func(kubeconfig string) arm.Options) (*Client, error) {
	dir := get(DirVariable)
	if dir == "" {
		return nil, fmt.Errorf("%s is not set: set it to the folder of the simulated Azure", DirVariable)
	}
	delay, err := duration(get, RetryDelayVariable, "500ms")
	if err != nil {
		return nil, err
	}
	operation, err := duration(get, OperationVariable, "300ms")
	if err != nil {
		return nil, err
	}
	kubeconfig := get(KubeconfigVariable)
	var options arm.Options
	if kubeconfig != "" && play != nil {
		options = play(kubeconfig)
	}
	options.Operation = operation
	if features := get(FeaturesVariable); features != "" {
		options.Features = strings.Split(features, ",")
	}
	options.Kubeconfig = func() ([]byte, error) {
		if kubeconfig == "" {
			return nil, fmt.Errorf("%s is not set: set it to the path of the cluster's kubeconfig", KubeconfigVariable)
		}
		return os.ReadFile(kubeconfig)
	}
	cloud, err := arm.Open(dir, options)
	if err != nil {
		return nil, fmt.Errorf("open the simulated Azure in %s: %w", dir, err)
	}
	return New(cloud, delay), nil
}

func duration(get func(string) string, name, otherwise string) (time.Duration, error) {
	text := cmp.Or(get(name), otherwise)
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("%s: %q is not a duration: use %s for example", name, text, otherwise)
	}
	return d, nil
}
