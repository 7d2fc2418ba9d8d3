package mocktest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"

	"github.com/mixedkube/mixedkube/components/mocktest/change"
)

// wishes are options that a [Resource] does not have.
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
	if trigger := full.GetReplacementTrigger(); trigger != nil {
		value, err := plugin.UnmarshalPropertyValue("replacementTrigger", trigger, wireOptions())
		if err != nil || value == nil {
			return w, err
		}
		w.trigger = *value
	}
	return w, nil
}

// verdict is the operation for a registered resource, with the state that the earlier run has left of it.
type verdict struct {
	*Change
	old     Resource
	left    remains
	inputs  resource.PropertyMap // the current ones, after IgnoreChanges
	perhaps []string             // reasons for a replacement that may or may not apply
}

// is reports whether the resource existed before and has one of the operations.
func (v verdict) is(ops ...Op) bool { return v.Change != nil && slices.Contains(ops, v.Op) }

// decide returns the operation for a resource, in the order of the engine's step_generator.go. Its dependencies were
// decided before.
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
	case res.Read && old.Read && res.ID == old.ID:
		v.Op = OpSame
	case res.Read, old.Read:
	case condemned && r.dependsOn(res, root):
		v.Op, v.DeletedFirst = OpReplace, true
		v.Reasons = []string{fmt.Sprintf("it depends on %s, which is deleted before its replacement is created", root)}
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

// refuseReplacement records the engine's errors about a replacement.
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

// compare finds the differences, and the operation that follows from them.
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
	// For these reasons the engine does not call the provider, nor which one goes first.
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

// weigh adds a difference to a verdict, or to the inputs that cannot be compared.
func (r *recorder) weigh(v *verdict, res Resource, d change.Difference) {
	ignored := within(res.IgnoreChanges, d.Path)
	switch {
	case ignored && (d.Before.HasComputed() || strings.HasPrefix(res.Type, "kubernetes:")):
		// pulumi-kubernetes also ignores fields that are added or removed; the engine ignores only fields on both
		// sides.
		return
	case d.Why == "" && within(res.ReplaceOnChanges, d.Path):
		d.Why = "matches ReplaceOnChanges"
	}
	if !res.Custom {
		d.Why = "" // A component is never replaced.
	}
	reason := d.Path.String() + ": " + d.Why
	switch r.tell(res, v.old, d) {
	case stay:
	case perhapsDiffer:
		v.NotCompared = append(v.NotCompared, d.Path.String())
		if d.Why != "" {
			v.perhaps = append(v.perhaps, reason)
		}
	default:
		v.Differences = append(v.Differences, newDifference(d, v.old.hidden(v.left.inputs), res.hidden(v.inputs)))
		if d.Why != "" {
			v.Reasons = append(v.Reasons, reason)
		}
	}
}

// comparison is the result of comparing the two values of a difference.
type comparison int

const (
	differ comparison = iota
	// stay is for an unknown value, if it comes from the same resources as before, and all of them stay.
	stay
	// perhapsDiffer is for a secret that was not stored, and for an unknown value that came from other resources.
	perhapsDiffer
)

// tell compares the values of a difference between a resource and its earlier state.
func (r *recorder) tell(res, old Resource, d change.Difference) comparison {
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
	result := stay
	if !r.sameSources(from, old.PropertyDependencies[name]) {
		result = perhapsDiffer
	}
	for _, urn := range from {
		switch found := r.past.changes[urn]; {
		case found == nil, found.Op == OpSame, found.Op == OpRead:
		case found.Op == OpNotKnown && len(found.Differences) == 0:
			result = perhapsDiffer
		default:
			return differ
		}
	}
	return result
}

// sameSources reports whether a value comes from the same resources as in the earlier run.
func (r *recorder) sameSources(now, before []resource.URN) bool {
	was := map[resource.URN]bool{}
	for _, urn := range before {
		if heir, stays := r.past.heirs[urn]; stays {
			urn = heir
		}
		was[urn] = true
	}
	is := map[resource.URN]bool{}
	for _, urn := range now {
		is[urn] = true
	}
	return maps.Equal(was, is)
}

// otherReasons returns the reasons for a replacement that do not come from the inputs. It also reports whether it is
// known what the provider does.
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

// otherProvider returns why another provider replaces the resource: providerChanged in the engine's step_generator.go.
// The reason is empty if the provider does not replace it; known is false if that is unknown.
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
	before, _ := r.past.ByURN(old.Provider)
	known = true
	for _, d := range answer.Differences {
		why := fmt.Sprintf("its provider has changed: %s: %s", d.Path, d.Why)
		switch result := r.tell(provider, before, d); {
		case result == stay, d.Why == "" && change.Known(typ):
		case result == differ && d.Why != "":
			return why, true
		case d.Why != "":
			reason, known = why, false
		default:
			known = false
		}
	}
	return reason, known
}

// question returns the question to the resource's provider.
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

// providerNow returns the inputs of a resource's provider.
func (r *recorder) providerNow(res Resource) resource.PropertyMap {
	if found, ok := r.records[res.Provider]; ok {
		return found.left.inputs
	}
	return r.defaultProvider(res)
}

// providerBefore returns the inputs that an earlier resource's provider had.
func (r *recorder) providerBefore(old Resource) resource.PropertyMap {
	if left, ok := r.past.remains[old.Provider]; ok {
		return left.inputs
	}
	return r.defaultProvider(old)
}

// defaultProvider returns the inputs of a default provider: the configuration of its package.
func (r *recorder) defaultProvider(res Resource) resource.PropertyMap {
	inputs := resource.PropertyMap{}
	for key, value := range r.qualifiedConfig() {
		if name, ok := strings.CutPrefix(key, string(res.URN.Type().Package())+":"); ok {
			inputs[resource.PropertyKey(name)] = resource.NewProperty(value)
		}
	}
	return inputs
}
