package sources

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Kubectl asks a cluster with the kubeconfig, and so the permissions, of the user.
type Kubectl struct {
	// Kubeconfig is the path of the configuration. The default is kubectl's own: that of the
	// environment variable KUBECONFIG, or ~/.kube/config.
	Kubeconfig string
	// Context is the context in it. The default is the current one.
	Context string
}

// patience is how long kubectl waits for an answer to one request.
const patience = "--request-timeout=30s"

// Run runs kubectl, and returns what it writes. A value of a flag is in one argument with it, so that
// none becomes another flag.
func (k Kubectl) Run(ctx context.Context, args ...string) ([]byte, error) {
	all := []string{patience}
	if k.Kubeconfig != "" {
		all = append(all, "--kubeconfig="+k.Kubeconfig)
	}
	if k.Context != "" {
		all = append(all, "--context="+k.Context)
	}
	text, said, err := Program{Name: "kubectl"}.Run(ctx, append(all, args...)...)
	switch {
	case errors.Is(err, ErrNotOnPath):
		return nil, errors.New("a cluster is read with kubectl, and there is no kubectl on PATH: install it, or save " +
			"what `kubectl get nodes -o json` prints elsewhere and name that file")
	case err != nil:
		return nil, failure("kubectl "+strings.Join(args, " "), withoutLog(said), err)
	}
	return text, nil
}

// logLine is a line of kubectl's log, which repeats what it says at the end.
var logLine = regexp.MustCompile(`^[IWEF]\d{4} \d\d:\d\d:`)

// withoutLog leaves out lines of the log, unless there is nothing else.
func withoutLog(said []string) []string {
	if kept := slices.DeleteFunc(slices.Clone(said), logLine.MatchString); len(kept) > 0 {
		return kept
	}
	return said
}

// Nodes is the list of the nodes, as kubectl get nodes -o json prints it.
func (k Kubectl) Nodes(ctx context.Context) ([]byte, error) {
	return k.Run(ctx, "get", "nodes", "--output=json")
}

// Version is that of the control plane, as the API server says it.
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
