package sources

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	nodev1 "k8s.io/api/node/v1"

	"github.com/mixedkube/mixedkube/core/topology"
)

// Kubectl reads a cluster with the kubeconfig, and so the permissions, of the user.
type Kubectl struct {
	// Kubeconfig is the path of the kubeconfig. The default is kubectl's own: the environment variable KUBECONFIG, or
	// ~/.kube/config.
	Kubeconfig string
	// Context is the context in it. The default is the current one.
	Context string
}

// requestTimeout limits how long kubectl waits for the response to one request.
const requestTimeout = "--request-timeout=30s"

// Run runs kubectl, and returns its output. The value of a flag is in the same argument as the flag, so that it cannot
// become another flag.
func (k Kubectl) Run(ctx context.Context, args ...string) ([]byte, error) {
	all := []string{requestTimeout}
	if k.Kubeconfig != "" {
		all = append(all, "--kubeconfig="+k.Kubeconfig)
	}
	if k.Context != "" {
		all = append(all, "--context="+k.Context)
	}
	text, messages, err := Program{Name: "kubectl"}.Run(ctx, append(all, args...)...)
	switch {
	case errors.Is(err, ErrNotOnPath):
		return nil, errors.New("a cluster is read with kubectl, and there is no kubectl on PATH: install it, or save " +
			"the output of `kubectl get nodes -o json` on another machine, and name that file")
	case err != nil:
		return nil, failure("kubectl "+strings.Join(args, " "), withoutLog(messages), err)
	}
	return text, nil
}

// logLine is a line of kubectl's log. Its last message repeats the log.
var logLine = regexp.MustCompile(`^[IWEF]\d{4} \d\d:\d\d:`)

// withoutLog removes lines of the log, unless there is nothing else.
func withoutLog(messages []string) []string {
	if rest := slices.DeleteFunc(slices.Clone(messages), logLine.MatchString); len(rest) > 0 {
		return rest
	}
	return messages
}

// Nodes returns the list of the nodes, as kubectl get nodes -o json prints it.
func (k Kubectl) Nodes(ctx context.Context) ([]byte, error) {
	return k.Run(ctx, "get", "nodes", "--output=json")
}

// RuntimeClasses returns the RuntimeClasses of the cluster, sorted by name. It is not nil if there are none.
func (k Kubectl) RuntimeClasses(ctx context.Context) ([]topology.RuntimeClass, error) {
	const resource = "runtimeclasses.node.k8s.io"
	text, err := k.Run(ctx, "get", resource, "--output=json")
	if err != nil {
		return nil, err
	}
	var list nodev1.RuntimeClassList
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("kubectl get %s: %w", resource, err)
	}
	classes := make([]topology.RuntimeClass, len(list.Items))
	for i, object := range list.Items {
		classes[i] = topology.ReadRuntimeClass(object)
	}
	slices.SortFunc(classes, func(a, b topology.RuntimeClass) int { return strings.Compare(a.Name, b.Name) })
	return classes, nil
}

// Version returns the version of the control plane from the API server.
func (k Kubectl) Version(ctx context.Context) (string, error) {
	text, err := k.Run(ctx, "get", "--raw=/version")
	if err != nil {
		return "", err
	}
	var version struct {
		GitVersion string `json:"gitVersion"`
	}
	if err := json.Unmarshal(text, &version); err != nil {
		return "", fmt.Errorf("kubectl get --raw=/version: %w", err)
	}
	return version.GitVersion, nil
}
