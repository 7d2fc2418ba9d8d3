package preflight

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// volumes checks the volumes of Windows pods.
func (c *check) volumes(p *judged) {
	for i, v := range tree.List(p.Spec["volumes"]) {
		medium := tree.Map(tree.Map(v)["emptyDir"])["medium"]
		if text, _ := tree.Text(medium); strings.HasPrefix(text, string(corev1.StorageMediumHugePages)) {
			c.report(hugePagesOnWindows, rule.Problem{
				Path: p.Path("volumes", i, "emptyDir", "medium"), Value: medium,
				Detail: "Windows has no huge pages for containers", Fix: "remove it",
			})
		}
	}
}
