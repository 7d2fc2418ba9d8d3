package mutate

import (
	"cmp"
	"slices"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/internal/pods"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// Policy says how pods are taken of which the object does not say enough. What the caller
// says about their platform is in the [pods.Context].
type Policy struct {
	// Explicit is for pods whose author says their platform in the program: values that are
	// not known yet are the author's and count as missing, as the edits are made beside
	// them when they are known; and os.name is added also where the API server refuses
	// fields of Linux then, which the author can remove.
	Explicit bool
	// AssumeLinux takes pods of which nothing is known for Linux, unless something hints at
	// Windows, they name a RuntimeClass, or they could land on no Linux pool.
	AssumeLinux bool
	// RuntimeClasses names the platform's RuntimeClass where node selector and tolerations
	// can come from it. Those of a DaemonSet cannot.
	RuntimeClasses bool
	// Classes are the RuntimeClass objects that are known.
	Classes []map[string]any
}

// Outcome says how pods were taken.
type Outcome int

const (
	// Kept pods lack nothing, or may say what they are for in a value that is not known
	// yet, or contradict themselves, or there are none.
	Kept Outcome = iota
	// Completed pods get what they lack.
	Completed
	// TakenForLinux pods are completed by [Policy.AssumeLinux].
	TakenForLinux
	// Unsaid pods have images that say nothing, or contradict each other, and stay as they
	// are.
	Unsaid
	// Misannotated pods have a wrong annotation of the platform, as preflight reports, and
	// stay as they are.
	Misannotated
)

// Completes reports whether pods with the outcome get edits.
func (o Outcome) Completes() bool { return o == Completed || o == TakenForLinux }

// Decision is what is to be done with the pods of an object.
type Decision struct {
	// HasPods says that there are pods to look at.
	HasPods bool
	Outcome Outcome
	// Edits add what is missing, with paths in the object.
	Edits []Edit
	// OS is what the pods are for; "" if that is not known.
	OS platform.OS
	// Platform is that of completed pods; of Windows pods "" if it does not matter, or if
	// it is not known and the topology has several.
	Platform platform.Platform
	// Source says where the operating system is known from, "" if it is not.
	Source string
	// Unselected is the release of the images of host-process pods that are led to no
	// release: it does not matter to them, but a node of another release may not pull
	// an image index that names it.
	Unselected platform.Platform
	// ImagesDiffer says that the images contradict each other.
	ImagesDiffer bool
	// ImagesOfBoth says that registries have images for Linux and for Windows under the names.
	ImagesOfBoth bool
	// NotLinux says why pods of which nothing is known are not taken for Linux if that is
	// wanted, "Windows is mentioned in nodeSelector" for example.
	NotLinux string
	// Against is what contradicts what the caller says, or keeps it from being followed.
	Against *Obstacle
	// Foreign are the paths of pods that are not completed, in an object of a kind that is
	// not known, see [pods.Context.Foreign], and in an Argo Workflow whose templates need
	// different things. HasPods is false then.
	Foreign []string
	// Templates are what the templates of such a Workflow need, in the order of
	// [pods.Object.Templates]; none of other objects.
	Templates []Decision
}

// Obstacle is what keeps pods from being completed for what the caller says.
type Obstacle struct {
	// Path is the place in the object.
	Path string
	// Text names what is there.
	Text string
	// Contradicts says that it says something else; otherwise nothing can be added to it.
	Contradicts bool
}

// ByAssumption is the source of pods that are taken for Linux.
const ByAssumption = "the assumption"

// Decide decides what the pods of an object need.
func Decide(o *pods.Object, context *pods.Context, policy Policy) Decision {
	switch {
	case o.Pods != nil:
		return decide(o, o.Pods, context, policy)
	case len(o.Templates) > 0:
		return decideTemplates(o, context, policy)
	default:
		return Decision{Foreign: context.Foreign(o.Tree)}
	}
}

// decide decides what some pods of an object need.
func decide(o *pods.Object, p *pods.Pods, context *pods.Context, policy Policy) Decision {
	target := context.Target(p, p.ClassAmong(policy.Classes))
	d := decider{Context: context, policy: policy, object: o, Pods: p, images: target.Images}
	d.target = target
	if target.Guessed {
		d.target = context.Certain(p, &target)
	}
	return d.decide()
}

// decider is the question about one object.
type decider struct {
	*pods.Context
	*pods.Pods
	policy Policy
	object *pods.Object
	target pods.Target
	// images are those with what a word of a tag alone tells, which target has not.
	images []platform.Image
	// selected is what the selected nodes have, class what the RuntimeClass says.
	selected, class pods.Claim
}

func (d *decider) decide() Decision {
	out := Decision{HasPods: true}
	if at := d.closed(); at != "" {
		if !d.undecided() && d.OS != "" {
			out.Against = &Obstacle{Path: d.Path(at), Text: at + " of a wrong type"}
		}
		return out
	}
	if d.namesNode() {
		out.Source = pods.BySelector.String() // the node is known, whatever it is
		if d.OS != "" && !d.policy.Explicit {
			out.Against = &Obstacle{Path: d.Path("nodeName"), Text: "nodeName"}
		}
		return out
	}
	var annotation pods.Annotation
	if !d.policy.Explicit { // else preflight compares the two
		annotation = d.target.Annotation(d.Pods)
	}
	if len(annotation.Wrong) > 0 {
		out.Outcome = Misannotated
		if d.OS != "" {
			out.Against = &Obstacle{Path: annotation.Wrong[0].Path, Text: "an annotation that is wrong"}
		}
		return out
	}
	claims := d.claims(annotation.Claim)
	if len(claims) == 0 {
		if d.RequiresSeveralOS() {
			out.Source = pods.BySelector.String() // the pods are for each of them
			return out
		}
		return d.unsaid(out)
	}
	return d.follow(claims, out)
}

// follow completes pods for what the strongest claim says, if nothing contradicts it.
func (d *decider) follow(claims []pods.Claim, out Decision) Decision {
	against, contradicted := d.against(claims)
	if contradicted {
		out.Against = &Obstacle{Path: against.Path(d.Pods), Text: against.Text(d.Pods), Contradicts: true}
	}
	if contradicted && d.policy.Explicit && against.Source == pods.ByPools {
		// The pods get what the author says, so that rules tell which pools they miss.
		claims = slices.DeleteFunc(claims, func(c pods.Claim) bool { return c.Source == pods.ByPools })
		d.selected, contradicted = pods.Claim{}, false
	}
	first := claims[0]
	for _, c := range claims[1:] {
		if c.OS == first.OS {
			first.Release = cmp.Or(first.Release, c.Release)
		}
	}
	out.OS, out.Source = first.OS, first.Source.String()
	if contradicted {
		return out
	}
	differs := func(c pods.Claim) bool { return c.Source != pods.ByImages && c.Contradicts(first) }
	// Of several labels only the first is among the claims.
	if slices.ContainsFunc(slices.Concat(claims, d.target.Written()), differs) {
		return out // preflight says so
	}
	if first.OS == platform.LinuxOS {
		out.Platform = platform.Linux
		return d.completed(out, d.forLinux())
	}
	return d.forWindows(out, first.Release)
}

// claims are all that say what the pods are for, the strongest first. What the caller says
// comes after what is written, which it does not replace.
func (d *decider) claims(annotation pods.Claim) []pods.Claim {
	d.selected = d.Selected(d.Pods, &d.target)
	var before, after []pods.Claim
	for _, c := range d.target.Written() {
		switch c.Source {
		case pods.ByOSName:
			before = append(before, c)
		case pods.BySelector, pods.ByAffinity: // these are what is selected
		case pods.ByClass:
			if d.class.OS == "" {
				d.class = c
			}
			d.class.Release = cmp.Or(d.class.Release, c.Release)
			after = append(after, c)
		default:
			after = append(after, c)
		}
	}
	images := pods.Claim{Source: pods.ByImages}
	if image, said := pods.Agreed(d.images); said {
		images.OS = image.OS
		if !d.anyRelease() {
			images.Release = image.Release
		}
	}
	caller := pods.Claim{OS: d.OS, Source: pods.ByCaller}
	if d.Platform.IsWindows() {
		caller.Release = d.Platform
	}
	all := slices.Concat(before, []pods.Claim{d.selected}, after, []pods.Claim{annotation, caller, images})
	return slices.DeleteFunc(all, func(c pods.Claim) bool { return c.OS == "" })
}

// against is the claim that contradicts what the caller says. Images are compared by
// preflight.
func (d *decider) against(claims []pods.Claim) (pods.Claim, bool) {
	i := slices.IndexFunc(claims, func(c pods.Claim) bool { return c.Source == pods.ByCaller })
	if i < 0 {
		return pods.Claim{}, false
	}
	for _, c := range claims {
		if c.Source != pods.ByImages && c.Contradicts(claims[i]) {
			return c, true
		}
	}
	return pods.Claim{}, false
}

// closed is the field to which nothing can be added: it is of a type that the API server
// does not take, or not known yet.
func (d *decider) closed() string {
	if d.policy.Explicit {
		return ""
	}
	for _, key := range []string{"os", "runtimeClassName", "nodeName", "affinity", "securityContext"} {
		if tree.IsUnknown(d.Spec[key]) {
			return key
		}
	}
	if v := d.Spec["nodeSelector"]; v != nil && tree.Map(v) == nil {
		return "nodeSelector"
	}
	if v := d.Spec["tolerations"]; v != nil && tree.List(v) == nil {
		return "tolerations"
	}
	return ""
}

// undecided reports whether a field of the spec is not known yet: it may still be right.
func (d *decider) undecided() bool {
	for _, v := range d.Spec {
		if tree.IsUnknown(v) {
			return true
		}
	}
	return false
}

// namesNode reports whether the pods name their node. Empty is the same as left out.
func (d *decider) namesNode() bool {
	v := d.Spec["nodeName"]
	switch name, known := tree.Text(v); {
	case v == nil, known && name == "", d.policy.Explicit && tree.IsUnknown(v):
		return false
	default:
		return true
	}
}

// anyRelease says that the Windows release of the images does not matter.
func (d *decider) anyRelease() bool { return d.target.ReleaseMatters(d.Pods) == platform.No }

// completed has the edits, and os.name if the pods get others anyway or are for Windows.
func (d *decider) completed(out Decision, edits []Edit) Decision {
	if !d.namesOS() && (len(edits) > 0 || out.OS == platform.WindowsOS) {
		edits = d.withOSName(edits, out.OS)
	}
	if len(edits) > 0 {
		out.Outcome, out.Edits = Completed, edits
	}
	return out
}

// namesOS reports whether os has a name, or may have one that is not known yet.
func (d *decider) namesOS() bool {
	if !d.Has("os") {
		return true // nothing can be added
	}
	os := d.Spec["os"]
	if d.policy.Explicit && tree.IsUnknown(os) {
		return false
	}
	return os != nil && (tree.Map(os) == nil || pods.IsSet(tree.Map(os), "name"))
}

// withOSName adds os.name, unless the API server refuses another field then that its author
// does not know of.
func (d *decider) withOSName(edits []Edit, os platform.OS) []Edit {
	named := append(slices.Clip(edits), Edit{d.at("os", "name"), string(os)})
	if !d.policy.Explicit && preflight.Refused(pods.ReadObject(Apply(d.object.Tree, named))) {
		return edits
	}
	return named
}

func (d *decider) at(keys ...string) []string { return slices.Concat(d.SpecPath(), keys) }
