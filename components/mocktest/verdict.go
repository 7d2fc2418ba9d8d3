package mocktest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"

	"github.com/mixedkube/mixedkube/components/mocktest/change"
)

// wishes are options that say more than a [Resource] does.
type wishes struct {
	deleteBeforeReplace *bool // nil leaves it to the provider
	trigger             resource.PropertyValue
}

func wishesOf(in registration) (wishes, error) {
	full, ok := in.(*pulumirpc.RegisterResourceRequest)
	if !ok {
		return wishes{}, nil
	}
	var w wishes
	if full.GetDeleteBeforeReplaceDefined() || full.GetDeleteBeforeReplace() {
		w.deleteBeforeReplace = &full.DeleteBeforeReplace
	}
	if given := full.GetReplacementTrigger(); given != nil {
		trigger, err := plugin.UnmarshalPropertyValue("replacementTrigger", given, wireOptions())
		if err != nil || trigger == nil {
			return w, err
		}
		w.trigger = *trigger
	}
	return w, nil
}

// verdict is what becomes of a registered resource, and what the earlier run has left of it.
type verdict struct {
	*Change
	old     Resource
	left    remains
	inputs  resource.PropertyMap // those of now, with what IgnoreChanges keeps
	perhaps []string             // reasons for a replacement of which nobody knows whether they hold
}

// is reports whether one of the operations happens to a resource that was there before.
func (v verdict) is(ops ...Op) bool { return v.Change != nil && slices.Contains(ops, v.Op) }

// decide says what becomes of a resource, in the order of the engine's step_generator.go. Its dependencies were decided
// before.
func (r *recorder) decide(res Resource, w wishes) verdict {
	r.mu.Lock()
	defer r.mu.Unlock()
	v := verdict{inputs: res.Inputs}
	if r.past == nil {
		return v
	}
	v.Change = &Change{URN: res.URN, Type: res.Type, Name: res.Name, Op: firstOp(res)}
	r.past.changes[res.URN] = v.Change
	old, found := r.find(res)
	if !found {
		return v
	}
	v.old, v.left, v.Was = old, r.past.remains[old.URN], r.past.were[res.URN]
	root, condemned := r.past.condemned[old.URN]
	switch {
	case res.Read && !old.Read && old.ID != res.ID:
		v.Op, v.Reasons = OpReplace, []string{"the program reads another one in its place"}
	case res.Read, old.Read:
	case condemned && r.dependsOn(res, root):
		v.Op, v.DeletedFirst = OpReplace, true
		v.Reasons = []string{fmt.Sprintf("it depends on %s, which goes before the new one comes", root)}
	case firstOp(res) == OpImport && res.ImportID != cmpOr(old.ImportID, old.ID):
		v.Op, v.Reasons = OpReplace, []string{fmt.Sprintf("the program imports %q in its place", res.ImportID)}
	default:
		v.Op = OpSame
		r.compare(&v, res, w)
	}
	v.Retained = v.Op == OpReplace && old.RetainOnDelete
	r.refuseReplacement(v, res)
	return v
}

func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// refuseReplacement remembers what the engine says against one.
func (r *recorder) refuseReplacement(v verdict, res Resource) {
	if v.Op != OpReplace {
		return
	}
	if res.Protect && v.old.Protect {
		r.refused = append(r.refused, fmt.Errorf("mocktest: unable to replace resource %q as it is currently marked "+
			"for protection. To unprotect the resource, remove the `protect` flag from the resource in your Pulumi "+
			"program and run `pulumi up`", res.URN))
	}
	if res.ImportID != "" && res.ImportID == cmpOr(v.old.ImportID, v.old.ID) {
		r.refused = append(r.refused, fmt.Errorf("mocktest: %s: previously-imported resources that still specify an "+
			"ID may not be replaced; please remove the `import` declaration from your program", res))
	}
}

// compare asks what differs, and what follows from that.
func (r *recorder) compare(v *verdict, res Resource, w wishes) {
	v.inputs = ignoring(res.IgnoreChanges, v.left.inputs, res.Inputs)
	answer := change.Answer{Differences: change.Differences(
		resource.FromResourcePropertyMap(v.left.inputs), resource.FromResourcePropertyMap(v.inputs))}
	if res.Custom && v.old.Custom {
		answer = change.Compare(r.question(*v, res))
	}
	for _, d := range answer.Differences {
		r.weigh(v, res, d)
	}
	slices.SortFunc(v.Differences, func(a, b Difference) int { return strings.Compare(a.Path, b.Path) })

	replaced := len(v.Reasons) > 0
	v.DeletedFirst = replaced && answer.DeleteFirst
	// For these the engine does not ask the provider, nor which one goes first.
	others, providerKnown := r.otherReasons(v, res, w)
	if len(others) > 0 {
		v.Reasons, v.DeletedFirst, replaced = append(others, v.Reasons...), false, true
	}
	switch {
	case replaced:
		v.Op = OpReplace
		if w.deleteBeforeReplace != nil {
			v.DeletedFirst = *w.deleteBeforeReplace
		}
		if v.DeletedFirst {
			r.condemn(v.old, res.URN)
		}
	case !providerKnown, len(v.perhaps) > 0, len(v.Differences) > 0 && res.Custom && !change.Known(res.Type):
		v.Op, v.Reasons = OpNotKnown, v.perhaps
	case len(v.Differences) > 0:
		v.Op = OpUpdate
	}
}

// weigh adds a difference to a verdict, unless nobody can tell.
func (r *recorder) weigh(v *verdict, res Resource, d change.Difference) {
	ignored := within(res.IgnoreChanges, d.Path)
	switch {
	case ignored && (d.Before.HasComputed() || strings.HasPrefix(res.Type, "kubernetes:")):
		// pulumi-kubernetes ignores what comes and goes, too; the engine ignores only what is on both sides.
		return
	case d.Why == "" && within(res.ReplaceOnChanges, d.Path):
		d.Why = "matches ReplaceOnChanges"
	}
	if !res.Custom {
		d.Why = "" // A component is never replaced.
	}
	reason := d.Path.String() + ": " + d.Why
	switch told := r.tell(res, d); {
	case told != differ:
		v.NotCompared = append(v.NotCompared, d.Path.String())
		if told == perhapsDiffer && d.Why != "" {
			v.perhaps = append(v.perhaps, reason)
		}
	default:
		v.Differences = append(v.Differences, newDifference(d, v.old.hidden(v.left.inputs), res.hidden(v.inputs)))
		if d.Why != "" {
			v.Reasons = append(v.Reasons, reason)
		}
	}
}

// told is what can be said of the two values of a difference.
type told int

const (
	differ told = iota
	// stay is said of what is unknown, where all that it comes from stays.
	stay
	// perhapsDiffer is said of a secret that was not kept.
	perhapsDiffer
)

// tell reports whether the values of a difference differ.
func (r *recorder) tell(res Resource, d change.Difference) told {
	before, after := d.Before.HasComputed(), d.After.HasComputed()
	switch {
	case d.Kind == change.Removed, !before && !after:
		return differ
	case !after:
		return perhapsDiffer
	}
	name, _ := d.Path[0].(string)
	from := res.PropertyDependencies[name]
	if len(from) == 0 && before {
		return perhapsDiffer
	}
	if len(from) == 0 {
		return differ
	}
	says := stay
	for _, urn := range from {
		switch found := r.past.changes[urn]; {
		case found == nil, found.Op == OpSame, found.Op == OpRead:
		case found.Op == OpNotKnown && len(found.Differences) == 0:
			says = perhapsDiffer
		default:
			return differ
		}
	}
	return says
}

// otherReasons are those for a replacement that do not come from the inputs. It says also whether what the provider
// does is known.
func (r *recorder) otherReasons(v *verdict, res Resource, w wishes) (reasons []string, providerKnown bool) {
	const trigger = "ReplacementTrigger has changed"
	switch before, after := plainly(v.left.trigger), plainly(w.trigger); {
	case after.IsNull(), before.IsNull() && !after.ContainsUnknowns():
	case before.ContainsUnknowns():
		v.perhaps = append(v.perhaps, trigger)
	case !before.DeepEquals(after):
		reasons = append(reasons, trigger)
	}
	for _, urn := range res.ReplaceWith {
		const named = "%s is replaced, and the option ReplaceWith names it"
		switch with := r.past.changes[urn]; {
		case with == nil:
		case with.Op == OpReplace:
			reasons = append(reasons, fmt.Sprintf(named, urn))
		case with.Op == OpNotKnown:
			v.perhaps = append(v.perhaps, fmt.Sprintf(named, urn))
		}
	}
	provider, providerKnown := r.otherProvider(res, v.old)
	switch {
	case provider == "":
	case providerKnown:
		reasons = append(reasons, provider)
	default:
		v.perhaps = append(v.perhaps, provider)
	}
	return reasons, providerKnown
}

// otherProvider says why another provider replaces the resource: providerChanged in the engine's step_generator.go. It
// is empty if it does not; known is false where it is not known whether it does.
func (r *recorder) otherProvider(res, old Resource) (reason string, known bool) {
	if res.Custom != old.Custom {
		return "it was a component, or is one now", true
	}
	if !res.Custom {
		return "", true
	}
	now := r.past.changes[res.Provider]
	if was, ok := r.past.heirs[old.Provider]; res.Provider == old.Provider || ok && was == res.Provider {
		if now == nil || now.Op != OpReplace && now.Op != OpNotKnown {
			return "", true
		}
	}
	typ := "pulumi:providers:" + string(res.URN.Type().Package())
	answer := change.Compare(change.Question{
		Type:   typ,
		Before: resource.FromResourcePropertyMap(r.providerBefore(old)),
		After:  resource.FromResourcePropertyMap(r.providerNow(res)),
	})
	provider := Resource{Type: typ}
	if found := r.records[res.Provider]; found != nil {
		provider = found.Resource
	}
	known = true
	for _, d := range answer.Differences {
		why := fmt.Sprintf("its provider has changed: %s: %s", d.Path, d.Why)
		switch told := r.tell(provider, d); {
		case told == stay, d.Why == "" && change.Known(typ):
		case told == differ && d.Why != "":
			return why, true
		case d.Why != "":
			reason, known = why, false
		default:
			known = false
		}
	}
	return reason, known
}

// question is what the resource's provider is asked.
func (r *recorder) question(v verdict, res Resource) change.Question {
	return change.Question{
		Type:           res.Type,
		Before:         resource.FromResourcePropertyMap(v.left.inputs),
		After:          resource.FromResourcePropertyMap(v.inputs),
		State:          resource.FromResourcePropertyMap(v.left.state),
		ProviderBefore: resource.FromResourcePropertyMap(r.providerBefore(v.old)),
		ProviderAfter:  resource.FromResourcePropertyMap(r.providerNow(res)),
	}
}

// providerNow are the inputs of a resource's provider.
func (r *recorder) providerNow(res Resource) resource.PropertyMap {
	if found, ok := r.records[res.Provider]; ok {
		return found.left.inputs
	}
	return r.defaultProvider(res)
}

// providerBefore are the inputs that an earlier resource's provider had.
func (r *recorder) providerBefore(old Resource) resource.PropertyMap {
	if left, ok := r.past.remains[old.Provider]; ok {
		return left.inputs
	}
	return r.defaultProvider(old)
}

// defaultProvider are the inputs of a default provider: the configuration of its package.
func (r *recorder) defaultProvider(res Resource) resource.PropertyMap {
	inputs := resource.PropertyMap{}
	for key, value := range r.qualifiedConfig() {
		if name, ok := strings.CutPrefix(key, string(res.URN.Type().Package())+":"); ok {
			inputs[resource.PropertyKey(name)] = resource.NewProperty(value)
		}
	}
	return inputs
}
