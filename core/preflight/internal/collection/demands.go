package collection

import (
	"slices"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// demands are what the pods of an object require of other objects.
type demands struct {
	// namespace is the namespace of the object, "" if it is unknown.
	namespace string
	// classes are the names of RuntimeClasses, and claims those of PersistentVolumeClaims; "" is an unknown name.
	classes, claims []string
	// makesClaims means that claims are created for the pods.
	makesClaims bool
	// windows means that the pods may be for Windows without their RuntimeClass, knative that Knative creates them.
	windows, knative bool
}

func demandsIn(o *pods.Object) *demands {
	a := &demands{makesClaims: o.Kind == "StatefulSet" && tree.At(o.Tree["spec"], "volumeClaimTemplates") != nil}
	a.namespace, _ = subject.Namespace(o.Tree)
	return a
}

// anything reports whether any other object can concern the pods.
func (a *demands) anything() bool {
	return len(a.classes)+len(a.claims) > 0 || a.makesClaims || a.windows || a.knative
}

// add adds what pods require that are for the target if their class is unknown.
func (a *demands) add(p *pods.Pods, target *pods.Target) {
	if name := p.ClassName(); name != "" && !slices.Contains(a.classes, name) {
		a.classes = append(a.classes, name)
	}
	for _, v := range tree.List(p.Spec["volumes"]) {
		if claim := tree.Map(tree.Map(v)["persistentVolumeClaim"])["claimName"]; claim != nil {
			name, _ := tree.Text(claim)
			a.claims = append(a.claims, name)
		}
		a.makesClaims = a.makesClaims || tree.Map(v)["ephemeral"] != nil
	}
	a.windows = a.windows || target.Guessed || target.OS() == platform.WindowsOS
	a.knative = a.knative || ofKnative(p)
}
