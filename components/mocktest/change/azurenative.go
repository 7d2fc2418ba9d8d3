package change

import (
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/mixedkube/mixedkube/internal/azuretypes"
)

// azureType is a type of azure-native's.
type azureType struct{ azuretypes.Type }

// CreateBeforeDelete is the input with which azure-native remembers that a name is random: two resources can be
// there at a time.
const CreateBeforeDelete = "__createBeforeDelete"

func (t azureType) compare(q Question) Answer {
	var found []Difference
	said := sameAnyway(q.Before, q.After)
	for _, d := range Differences(q.Before, q.After) {
		name, _ := d.Path[0].(string)
		if strings.HasPrefix(name, "__") || slices.Contains(said, name) {
			continue
		}
		if !t.isSaidAlready(d, q.State) {
			d.Why = t.why(d)
		}
		found = append(found, d)
	}
	// A name that azure-native makes up is random, except that of a part.
	_, isNamed := q.Before.GetOk(t.Named)
	random := isTrue(q.Before, CreateBeforeDelete) || !isNamed && !t.IsPart()
	return Answer{Differences: found, DeleteFirst: !random}
}

// isSaidAlready says that a new input is what the resource is anyway.
func (t azureType) isSaidAlready(d Difference, state property.Map) bool {
	return d.Kind == Added && len(d.Path) == 1 && !d.After.IsComputed() &&
		stripped(at(state, d.Path[0].(string))).Equals(d.After)
}

// why is empty for what azure-native changes in place. What is added to a property that replaces, or taken from
// it, is, and so is an element that comes to a list or leaves it.
func (t azureType) why(d Difference) string {
	_, isElement := d.Path[len(d.Path)-1].(int)
	if isElement && d.Kind != Changed {
		return ""
	}
	replacing := slices.Concat(t.InPath(), t.Fixed)
	for n := len(d.Path); n > 0; n-- {
		if n < len(d.Path) {
			if _, below := d.Path[n].(string); !below || d.Kind != Changed {
				continue
			}
		}
		if name := pattern(d.Path[:n]); slices.Contains(replacing, name) {
			return why("azure-native", name)
		}
	}
	return ""
}

// pattern is a path with [] for every index.
func pattern(path resource.PropertyPath) string {
	var names []string
	for _, part := range path {
		name, ok := part.(string)
		if !ok {
			name = "[]"
		}
		names = append(names, name)
	}
	return strings.ReplaceAll(strings.Join(names, "."), ".[]", "[]")
}

// sameAnyway are the inputs whose two values are the same for Azure.
func sameAnyway(before, after property.Map) []string {
	var same []string
	for _, name := range []string{"location", "resourceGroupName", "sku"} {
		a, b := stripped(before.Get(name)), stripped(after.Get(name))
		switch {
		case name == "sku":
			if isSKU(a) && isSKU(b) && newWords(a.AsMap()) == newWords(b.AsMap()) {
				same = append(same, name)
			}
		case !a.IsString() || !b.IsString():
		case name == "location" && normal(a.AsString()) == normal(b.AsString()),
			name == "resourceGroupName" && strings.EqualFold(a.AsString(), b.AsString()):
			same = append(same, name)
		}
	}
	return same
}

// normal is westus2 for West US 2.
func normal(location string) string { return strings.ToLower(strings.ReplaceAll(location, " ", "")) }

// isSKU reports whether a value has a name and a tier, and nothing else.
func isSKU(v property.Value) bool {
	return v.IsMap() && v.AsMap().Len() == 2 && v.AsMap().Get("name").IsString() && v.AsMap().Get("tier").IsString()
}

// newWords are a SKU in the words that AKS has now.
func newWords(sku property.Map) [2]string {
	name, tier := text(sku, "name"), text(sku, "tier")
	if name == "Basic" {
		name = "Base"
	}
	if tier == "Paid" {
		tier = "Standard"
	}
	return [2]string{name, tier}
}
