package mutate

import (
	"cmp"
	"slices"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Policy determines how Decide treats pods whose object does not indicate enough. The platform that the caller
// passes is in the [pods.Context].
type Policy struct {
	// Explicit is for pods whose author sets their platform in the program. Values that are not known yet are then
	// the author's, and count as missing: the edits are added to them when they are known. And os.name is added even
	// if the API server then refuses fields of Linux, because the author can remove these.
	Explicit bool
	// AssumeLinux treats pods without any indication as pods for Linux, unless something hints at
	// Windows, they name a RuntimeClass, or no Linux pool can run them.
	AssumeLinux bool
	// RuntimeClasses sets the name of the platform's RuntimeClass if the node selector and tolerations
	// can come from it. For a DaemonSet, they cannot.
	RuntimeClasses bool
	// EachNode is for pods that belong to their nodes, such as host-process pods of a DaemonSet: they run on each node
	// of the platforms, or on each Windows node if there are none, those of reserved pools included. They are completed
	// even if they contradict that, so that rules report it. It needs Explicit.
	EachNode bool
	// Platforms are the platforms of EachNode.
	Platforms []platform.Platform
	// Mark marks pods that are placed on Windows nodes with [pods.PlacedAnnotation], so that they follow the topology.
	// Objects that have the mark keep it anyway.
	Mark bool
	// marked is true for pods with a mark, which were placed on Windows nodes.
	marked bool
	// MovePins treats the node selectors that versions of mixedkube without marks have written as marked.
	MovePins bool
	// Classes are the known RuntimeClass objects.
	Classes []map[string]any
}

// Outcome is what Decide does with pods.
type Outcome int

const (
	// Unchanged pods stay unchanged: nothing is missing, a value that is not known yet may indicate their platform,
	// they contradict themselves, or there are none.
	Unchanged Outcome = iota
	// Completed pods get the missing fields.
	Completed
	// AssumedLinux pods are completed because of [Policy.AssumeLinux].
	AssumedLinux
	// Unknown pods have images that indicate no operating system, or contradict each other. They stay unchanged.
	Unknown
	// Misannotated pods have a wrong annotation of the platform, which preflight reports. They stay unchanged.
	Misannotated
)

// Completes reports whether pods with the outcome get edits.
func (o Outcome) Completes() bool { return o == Completed || o == AssumedLinux }

// Decision is the decision about the pods of an object.
type Decision struct {
	// HasPods is true if the object has pods that were checked.
	HasPods bool
	Outcome Outcome
	// Edits add what is missing, with paths in the object.
	Edits []Edit
	// OS is the operating system of the pods; "" if it is not known.
	OS platform.OS
	// Platform is the platform of completed pods. For Windows pods, it is "" if the release does not matter, or if
	// it is not known and the topology has several releases.
	Platform platform.Platform
	// Images is the release that the images of Windows pods are for, "" if it does not matter or is not known.
	Images platform.Platform
	// Guessed is true if Images is the release of the only Windows nodes, because nothing else indicates one.
	Guessed bool
	// Decided is true if the pods have, with the edits, all that they need.
	Decided bool
	// Source is where the operating system is known from, "" if it is not known.
	Source string
	// Unselected is the release of the images of host-process pods that select no
	// release: it does not matter to them, but a node of another release may not pull
	// an image index that names it.
	Unselected platform.Platform
	// ImagesDiffer is true if the images contradict each other.
	ImagesDiffer bool
	// ImagesOfBoth is true if registries have images for both Linux and Windows under the names.
	ImagesOfBoth bool
	// NotLinux is why [Policy.AssumeLinux] does not apply to pods without any indication, for example
	// "Windows is mentioned in nodeSelector".
	NotLinux string
	// Pin is a selection that keeps the pods off all pools, although some run their images. It has no mark.
	Pin *pods.Pin
	// Against contradicts the platform that the caller passes, or prevents the edits for it.
	Against *Obstacle
	// Unsupported has the paths of pods that are not completed: in an object of an unknown kind, see
	// [pods.Context.UnclaimedSpecs], and in an Argo Workflow whose templates need different edits. HasPods is false
	// then.
	Unsupported []string
	// Templates are the decisions about the templates of such a Workflow, in the order of
	// [pods.Object.Templates]; nil for other objects.
	Templates []Decision
}

// Obstacle is what prevents edits of pods for the platform that the caller passes.
type Obstacle struct {
	// Path is the path in the object.
	Path string
	// Text names the value at the path.
	Text string
	// Contradicts is true if the value contradicts the platform; otherwise nothing can be added to it.
	Contradicts bool
}

// ByAssumption is the source of pods that are assumed to be for Linux.
const ByAssumption = "the assumption"

// Decide decides what the pods of an object need.
func Decide(o *pods.Object, context *pods.Context, policy Policy) Decision {
	if len(o.All()) == 0 {
		return Decision{Unsupported: context.UnclaimedSpecs(o.Tree)}
	}
	return placed(o, context, policy)
}

// decideAll decides what the pods of an object need, which must have some.
func decideAll(o *pods.Object, context *pods.Context, policy Policy, release platform.Platform) Decision {
	if o.Pods != nil {
		return decide(o, o.Pods, context, policy, release)
	}
	return decideTemplates(o, context, policy, release)
}

// decide decides what pods of an object need. The release is the one of their images if nothing else tells it.
func decide(
	o *pods.Object, p *pods.Pods, context *pods.Context, policy Policy, release platform.Platform,
) Decision {
	target := context.Target(p, p.ClassAmong(policy.Classes))
	d := decider{Context: context, policy: policy, object: o, Pods: p, images: target.Images, marked: release}
	d.target = target
	if target.Guessed {
		d.target = context.Certain(p, &target)
	}
	return d.decide()
}

// decider decides about the pods of one object.
type decider struct {
	*pods.Context
	*pods.Pods
	policy Policy
	object *pods.Object
	target pods.Target
	// images include what only a word of a tag indicates, unlike the images of target.
	images []platform.Image
	// marked is the release of a mark.
	marked platform.Platform
	// selected is the claim of the selected nodes, class the claim of the RuntimeClass.
	selected, class pods.Claim
}

func (d *decider) decide() Decision {
	out := Decision{HasPods: true}
	if d.policy.EachNode {
		out.OS, out.Source = platform.WindowsOS, pods.ByCaller.String()
		return d.completed(out, d.onEachNode())
	}
	if at := d.closed(); at != "" {
		if !d.undecided() && d.OS != "" {
			out.Against = &Obstacle{Path: d.Path(at), Text: at + " of a wrong type"}
		}
		return out
	}
	if d.namesNode() {
		out.Source = pods.BySelector.String() // the node is known, but not its operating system
		if d.OS != "" && !d.policy.Explicit {
			out.Against = &Obstacle{Path: d.Path("nodeName"), Text: "nodeName"}
		}
		return out
	}
	var annotation pods.Annotation
	if !d.policy.Explicit { // otherwise preflight compares the two
		annotation = d.target.Annotation(d.Pods)
	}
	if len(annotation.Wrong) > 0 {
		out.Outcome = Misannotated
		if d.OS != "" {
			out.Against = &Obstacle{Path: annotation.Wrong[0].Path, Text: "a wrong annotation"}
		}
		return out
	}
	claims := d.withMark(d.claims(annotation.Claim))
	if len(claims) == 0 {
		if d.RequiresSeveralOS() {
			out.Source = pods.BySelector.String() // the pods are for each of them
			return out
		}
		return d.withoutClaims(out)
	}
	return d.follow(claims, out)
}

// follow completes pods for the strongest claim, if nothing contradicts it.
func (d *decider) follow(claims []pods.Claim, out Decision) Decision {
	against, contradicted := d.against(claims)
	if contradicted {
		out.Against = &Obstacle{Path: against.Path(d.Pods), Text: against.Text(d.Pods), Contradicts: true}
	}
	if contradicted && d.policy.Explicit && against.Source == pods.ByPools {
		// The pods are completed for the author's platform, so that rules report which pools do not run them.
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
	differs := func(c pods.Claim) bool { return c.Source != pods.ByImages && c.Contradicts(first, d.Matching) }
	// If there are several labels, only the first one is in claims.
	if slices.ContainsFunc(slices.Concat(claims, d.target.Written()), differs) {
		return out // preflight reports it
	}
	if first.OS == platform.LinuxOS {
		out.Platform = platform.Linux
		return d.completed(out, d.forLinux())
	}
	return d.forWindows(out, first.Release)
}

// claims returns all claims about the pods, the strongest first.
func (d *decider) claims(annotation pods.Claim) []pods.Claim {
	e := d.Evidence(d.Pods, &d.target, d.images, annotation)
	d.selected, d.class = e.Selected, e.Class
	return e.Claims
}

// withMark adds the claim of a mark, which only pods for Windows have, if nothing else tells a release, or, for a mark
// without a release, an operating system: what it says is older than the object.
func (d *decider) withMark(claims []pods.Claim) []pods.Claim {
	mark := pods.Claim{OS: platform.WindowsOS, Release: d.marked, Source: pods.ByMark}
	tells := func(c pods.Claim) bool { return d.marked == "" || c.Release != "" || c.OS != mark.OS }
	if !d.policy.marked || d.marked != "" && d.tellRelease() || slices.ContainsFunc(claims, tells) {
		return claims
	}
	return append(claims, mark)
}

// tellRelease reports whether an image shows for which releases it is.
func (d *decider) tellRelease() bool {
	return slices.ContainsFunc(d.images, func(image platform.Image) bool { return image.TellsRelease() })
}

// against returns the claim that contradicts the caller's platform. Preflight compares the
// images.
func (d *decider) against(claims []pods.Claim) (pods.Claim, bool) {
	i := slices.IndexFunc(claims, func(c pods.Claim) bool { return c.Source == pods.ByCaller })
	if i < 0 {
		return pods.Claim{}, false
	}
	for _, c := range claims {
		if c.Source != pods.ByImages && c.Contradicts(claims[i], d.Matching) {
			return c, true
		}
	}
	return pods.Claim{}, false
}

// closed returns a field to which nothing can be added: it has a type that the API server
// does not accept, or it is not known yet.
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

// undecided reports whether a field of the spec is not known yet: its value may be valid.
func (d *decider) undecided() bool {
	for _, v := range d.Spec {
		if tree.IsUnknown(v) {
			return true
		}
	}
	return false
}

// namesNode reports whether the pods name their node. An empty name is the same as no name.
func (d *decider) namesNode() bool {
	v := d.Spec["nodeName"]
	switch name, known := tree.Text(v); {
	case v == nil, known && name == "", d.policy.Explicit && tree.IsUnknown(v):
		return false
	default:
		return true
	}
}

// anyRelease reports whether the Windows release of the images does not matter.
func (d *decider) anyRelease() bool { return d.target.ReleaseMatters(d.Pods) == platform.No }

// completed returns out with edits. It adds os.name if there are edits, or if the pods are for Windows.
func (d *decider) completed(out Decision, edits []Edit) Decision {
	if !d.namesOS() && (len(edits) > 0 || out.OS == platform.WindowsOS) {
		edits = d.withOSName(edits, out.OS)
	}
	if len(edits) > 0 {
		out.Outcome, out.Edits = Completed, edits
	}
	out.Decided = true
	return out
}

// namesOS reports whether os has a name, or may have a name that is not known yet.
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

// withOSName adds os.name, unless the API server then refuses another field, which the author has not chosen
// for this platform.
func (d *decider) withOSName(edits []Edit, os platform.OS) []Edit {
	named := append(slices.Clip(edits), Edit{Path: d.at("os", "name"), Value: string(os)})
	if !d.policy.Explicit && preflight.Refused(pods.ReadObject(Apply(d.object.Tree, named))) {
		return edits
	}
	return named
}

func (d *decider) at(keys ...string) []string { return slices.Concat(d.SpecPath(), keys) }
