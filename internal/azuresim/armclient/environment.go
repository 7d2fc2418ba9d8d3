package armclient

import (
	"cmp"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
)

// The environment variables that select and configure the simulated Azure.
const (
	// DirVariable is the directory of the state.
	DirVariable = "MIXEDKUBE_AZURE_DIR"
	// KubeconfigVariable is the path of the kubeconfig of the cluster that simulates all clusters in Azure: each of
	// them returns it as its credentials, and the nodes of all of them are in that cluster.
	KubeconfigVariable = "MIXEDKUBE_AZURE_KUBECONFIG"
	// RetryDelayVariable is how long to wait before the first retry, 500ms by default.
	RetryDelayVariable = "MIXEDKUBE_AZURE_RETRY_DELAY"
	// OperationVariable is how long an operation on a cluster of AKS or one of its pools takes, 300ms by default. Other
	// changes of the cluster are refused meanwhile.
	OperationVariable = "MIXEDKUBE_AZURE_OPERATION"
	// MinuteVariable is how long a minute of Azure takes in drain timeouts and soak durations, 1s by default.
	MinuteVariable = "MIXEDKUBE_AZURE_MINUTE"
	// FeaturesVariable are the features that the subscription has registered for, separated by commas,
	// Microsoft.Compute/EncryptionAtHost for example. The default is none.
	FeaturesVariable = "MIXEDKUBE_AZURE_FEATURES"
	// WindowsUpgradeVariable is true if the subscription has the preview that makes pools of Windows Server 2022 to
	// pools of 2025. The default is false.
	WindowsUpgradeVariable = "MIXEDKUBE_AZURE_WINDOWS_UPGRADE"
)

// The identity of every caller in the simulated Azure.
const (
	// SubscriptionID is the ID of the only subscription.
	SubscriptionID = "00000000-0000-0000-0000-000000000000"
	// TenantID, ClientID and ObjectID are the identity of every caller.
	TenantID = "11111111-1111-1111-1111-111111111111"
	ClientID = "22222222-2222-2222-2222-222222222222"
	ObjectID = "33333333-3333-3333-3333-333333333333"
)

// FromEnvironment opens the Azure that the environment variables describe. The cluster of the kubeconfig simulates
// Azure's clusters, and connect returns the options that add nodes to it and remove them. Without a kubeconfig, or
// without connect, there are no nodes.
func FromEnvironment(connect func(kubeconfig string) arm.Options) (*Client, error) {
	return fromVariables(os.Getenv, connect)
}

// CloudFromEnvironment opens the same Azure without a client.
func CloudFromEnvironment(connect func(kubeconfig string) arm.Options) (*arm.Cloud, error) {
	return cloudFromVariables(os.Getenv, connect)
}

func fromVariables(get func(string) string, connect func(kubeconfig string) arm.Options) (*Client, error) {
	delay, err := duration(get, RetryDelayVariable, "500ms")
	if err != nil {
		return nil, err
	}
	cloud, err := cloudFromVariables(get, connect)
	if err != nil {
		return nil, err
	}
	return New(cloud, delay), nil
}

func cloudFromVariables(get func(string) string, connect func(kubeconfig string) arm.Options) (*arm.Cloud, error) {
	dir := get(DirVariable)
	if dir == "" {
		return nil, fmt.Errorf("%s is not set: set it to the directory of the simulated Azure", DirVariable)
	}
	operation, err := duration(get, OperationVariable, "300ms")
	if err != nil {
		return nil, err
	}
	minute, err := duration(get, MinuteVariable, "1s")
	if err != nil {
		return nil, err
	}
	kubeconfig := get(KubeconfigVariable)
	var options arm.Options
	if kubeconfig != "" && connect != nil {
		options = connect(kubeconfig)
	}
	options.Operation, options.Minute = operation, minute
	if features := get(FeaturesVariable); features != "" {
		options.Features = strings.Split(features, ",")
	}
	options.WindowsUpgrade = get(WindowsUpgradeVariable) == "true"
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
	return cloud, nil
}

func duration(get func(string) string, name, byDefault string) (time.Duration, error) {
	text := cmp.Or(get(name), byDefault)
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("%s: %q is not a duration: use %s for example", name, text, byDefault)
	}
	return d, nil
}
