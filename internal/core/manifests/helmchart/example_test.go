package helmchart_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/internal/core/manifests/helmchart"
)

// The provider deploys the objects of a Release, and Pulumi sees none of them: the finding shows how to check them.
func Example() {
	for _, finding := range helmchart.Check(helmchart.ReleaseType, "shop", map[string]any{
		"chart": "shop", "repositoryOpts": map[string]any{"repo": "https://charts.example.com"},
	}, nil) {
		fmt.Println(finding.Severity, finding)
	}
	// Output:
	// warning the objects that a Release deploys, including hooks, are not checked: check it with `helm template shop shop --repo https://charts.example.com | mixedkube check --topology CLUSTER.yaml -` (MK581)
}
