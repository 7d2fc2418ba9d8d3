package azurenative

import (
	"context"
	"reflect"
	"slices"
	"strings"

	p "github.com/pulumi/pulumi-go-provider"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

// diff compares the inputs, and says of each property that differs whether it
// replaces the resource.
func diff(_ context.Context, r p.DiffRequest) (p.DiffResponse, error) {
	t, err := lookUp(string(r.Urn.Type()))
	if err != nil {
		return p.DiffResponse{}, err
	}
	old, now := strippedMap(r.OldInputs), strippedMap(r.Inputs)
	found := old.Diff(now, property.IgnoreKeyFunc(func(key string) bool { return strings.HasPrefix(key, "__") }))
	if found == nil {
		return p.DiffResponse{}, nil
	}
	for _, name := range []string{"location", "resourceGroupName", "sku"} {
		if u, ok := found.Updates[name]; ok && sameFor(name, u.Old, u.New) {
			delete(found.Updates, name)
		}
	}
	d := differ{replacing: slices.Concat(t.inPath(), t.replacing), found: map[string]p.PropertyDiff{}}
	d.object(found, nil)
	replaces := false
	for key, change := range d.found {
		if change.Kind == p.AddReplace && isSaidAlready(key, now, strippedMap(r.State)) {
			change.Kind = p.Add
		}
		change.InputDiff = true
		d.found[key] = change
		replaces = replaces || change.Kind == p.AddReplace || change.Kind == p.DeleteReplace ||
			change.Kind == p.UpdateReplace
	}
	response := p.DiffResponse{HasChanges: len(d.found) > 0, DeleteBeforeReplace: replaces, DetailedDiff: d.found}
	if flag, ok := old.GetOk(createBeforeDelete); ok && flag.IsBool() {
		response.DeleteBeforeReplace = !flag.AsBool()
	}
	return response, nil
}

// isSaidAlready says that a new input is what the resource is anyway.
func isSaidAlready(key string, inputs, state property.Map) bool {
	in, ok := inputs.GetOk(key)
	out, there := state.GetOk(key)
	return ok && there && in.Equals(out)
}

// sameFor says whether two values of a property are the same for Azure.
func sameFor(name string, old, now property.Value) bool {
	switch {
	case name == "sku" && old.IsMap() && now.IsMap():
		return old.AsMap().Len() == 2 && now.AsMap().Len() == 2 && sameSKU(plainMap(old.AsMap()), plainMap(now.AsMap()))
	case !old.IsString() || !now.IsString():
		return false
	case name == "location":
		return normal(old.AsString()) == normal(now.AsString())
	default:
		return strings.EqualFold(old.AsString(), now.AsString())
	}
}

// normal is westus2 for West US 2.
func normal(location string) string { return strings.ToLower(strings.ReplaceAll(location, " ", "")) }

// sameSKU knows that AKS has changed the words.
func sameSKU(old, now map[string]any) bool {
	for _, sku := range []map[string]any{old, now} {
		if sku["name"] == "Basic" {
			sku["name"] = "Base"
		}
		if sku["tier"] == "Paid" {
			sku["tier"] = "Standard"
		}
	}
	return reflect.DeepEqual(old, now)
}

// differ lists the leaves of what differs.
type differ struct {
	replacing []string
	found     map[string]p.PropertyDiff
}

func (d differ) object(o *property.ObjectDiff, path resource.PropertyPath) {
	for key, update := range o.Updates {
		d.value(&update, extend(path, key))
	}
	for key := range o.Adds {
		d.leaf(extend(path, key), p.Add, p.AddReplace)
	}
	for key := range o.Deletes {
		d.leaf(extend(path, key), p.Delete, p.DeleteReplace)
	}
}

func (d differ) value(v *property.ValueDiff, path resource.PropertyPath) {
	switch {
	case v.Object != nil:
		below := differ{replacing: d.replacing, found: map[string]p.PropertyDiff{}}
		below.object(v.Object, path)
		for key, change := range below.found {
			// What is added to a property that replaces, or taken from it, does not.
			if change.Kind == p.Update && d.replaces(path) {
				change.Kind = p.UpdateReplace
			}
			d.found[key] = change
		}
	case v.Array != nil:
		for i, update := range v.Array.Updates {
			d.value(&update, extend(path, i))
		}
		for i := range v.Array.Adds {
			d.found[extend(path, i).String()] = p.PropertyDiff{Kind: p.Add}
		}
		for i := range v.Array.Deletes {
			d.found[extend(path, i).String()] = p.PropertyDiff{Kind: p.Delete}
		}
	default:
		d.leaf(path, p.Update, p.UpdateReplace)
	}
}

func (d differ) leaf(path resource.PropertyPath, kind, replacing p.DiffKind) {
	if d.replaces(path) {
		kind = replacing
	}
	d.found[path.String()] = p.PropertyDiff{Kind: kind}
}

func (d differ) replaces(path resource.PropertyPath) bool {
	var names []string
	for _, part := range path {
		name, ok := part.(string)
		if !ok {
			name = "[]"
		}
		names = append(names, name)
	}
	return slices.Contains(d.replacing, strings.ReplaceAll(strings.Join(names, "."), ".[]", "[]"))
}

func extend(path resource.PropertyPath, part any) resource.PropertyPath {
	return append(slices.Clone(path), part)
}
