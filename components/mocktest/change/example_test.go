package change_test

import (
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/mixedkube/mixedkube/components/mocktest/change"
)

// The provider changes the replicas of a Deployment in place. Another selector creates another Deployment.
func Example() {
	deployment := func(app string, replicas float64) property.Map {
		selector := map[string]property.Value{"matchLabels": property.New(map[string]property.Value{"app": property.New(app)})}
		return property.NewMap(map[string]property.Value{"spec": property.New(map[string]property.Value{
			"replicas": property.New(replicas), "selector": property.New(selector),
		})})
	}
	compare := func(before, after property.Map) {
		answer := change.Compare(change.Question{Type: "kubernetes:apps/v1:Deployment", Before: before, After: after})
		for _, d := range answer.Differences {
			fmt.Printf("%s %s: %q\n", d.Kind, d.Path, d.Why)
		}
		fmt.Println("replaced:", answer.Replaces())
	}
	compare(deployment("shop", 1), deployment("shop", 3))
	compare(deployment("shop", 1), deployment("store", 1))
	// Output:
	// changed spec.replicas: ""
	// replaced: false
	// changed spec.selector.matchLabels.app: "kubernetes replaces it for a change of spec.selector"
	// replaced: true
}
