package images

import (
	"regexp"
	"strings"

	"github.com/mixedkube/mixedkube/core/preflight/internal/structure"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/placeholder"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var referenceRules = []engine.Rule{imageNameInvalid}

var imageNameInvalid = engine.Rule{
	Rule: rule.Rule{
		ID: "MK224", Severity: rule.Error, Title: "an image that is not a valid image reference",
		Page: rulepages.Images,
		Reason: "The API server accepts any text, but the kubelet refuses this one on every node, with the reason " +
			"InvalidImageName. A placeholder, such as app:${VERSION}, <name> or a single word in capitals, is a " +
			"warning: another program may replace it. Nothing is reported about parameters of an Argo Workflow, " +
			"variables in the configuration of a GitLab Runner, ko://example.com/shop, and a blank that a trigger of " +
			"OpenShift replaces.",
		Fix: "write registry/name:tag, the name in lower case and without https://",
		Source: "pkg/kubelet/images/image_manager.go of Kubernetes 1.36.3, EnsureImageExists, and " +
			"pkg/util/parsers/parsers.go, ParseImageName; https://pkg.go.dev/github.com/distribution/reference",
	},
	Checks: []engine.Check{engine.On(subject.AnyPods, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		for i := range p.Containers {
			ref, _ := tree.Text(p.Containers[i].Spec["image"])
			if p.ImageName(i).Reference != "" || ref == "" || strings.HasPrefix(ref, "ko://") || isTriggered(p, ref) {
				continue
			}
			invalid := problem(p, i, "is not an image reference, and the kubelet refuses it (InvalidImageName)")
			if placeholder.In(ref) || capitals.MatchString(ref) {
				if p.OfRunnerConfig() {
					continue // the runner replaces variables
				}
				invalid.Severity, invalid.Fix = rule.Warning, structure.PutAValue
			}
			found = append(found, invalid)
		}
		return found
	})},
}

// isTriggered reports whether OpenShift writes the image before pods are created.
//
// Source: docs.openshift.com/container-platform/4.16/openshift_images/triggering-updates-on-imagestream-changes.html.
func isTriggered(p *subject.Pods, image string) bool {
	triggers := tree.At(p.Object["metadata"], "annotations", "image.openshift.io/triggers")
	return strings.TrimSpace(image) == "" && triggers != nil
}

// capitals matches words that may be placeholders of kustomize or a script.
var capitals = regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`)
