package preflight

import (
	"regexp"
	"strings"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/structure"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var imageNameInvalid = rule.Rule{
	ID: "MK224", Severity: rule.Error, Title: "an image that is not a valid image reference",
	Reason: "The API server accepts any text, but the kubelet refuses this one on every node, with the reason " +
		"InvalidImageName. Texts that another program replaces first, such as {{inputs.parameters.image}} or " +
		"ko://example.com/shop, are not reported. A single word in capitals is a warning, because it can be a " +
		"placeholder.",
	Source: "pkg/kubelet/images/image_manager.go of Kubernetes 1.36.3, EnsureImageExists, and " +
		"pkg/util/parsers/parsers.go, ParseImageName; https://pkg.go.dev/github.com/distribution/reference",
}

// capitals matches words that may be placeholders of kustomize or a script.
var capitals = regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`)

// references reports image references that no container runtime accepts.
func (c *check) references(p *judged) {
	for i := range p.Containers {
		ctr := &p.Containers[i]
		ref, _ := tree.Text(ctr.Spec["image"])
		if _, valid := platform.NormalizeReference(ref); valid || ref == "" || structure.IsPlaceholder(ref) ||
			strings.HasPrefix(ref, "ko://") {
			continue
		}
		problem := rule.Problem{
			Path: p.In(ctr, "image"), Value: ctr.Spec["image"],
			Detail: "is not an image reference, and the kubelet refuses it (InvalidImageName)",
			Fix:    "write registry/name:tag, the name in lower case and without https://",
		}
		if capitals.MatchString(ref) {
			problem.Severity = rule.Warning
		}
		c.report(imageNameInvalid, problem)
	}
}
