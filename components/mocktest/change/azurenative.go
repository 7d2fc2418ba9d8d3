package change

import (
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/mixedkube/mixedkube/internal/core/facts/azuretypes"
)

// azureType is a type of azure-native.
type azureType struct{ azuretypes.Type }

// CreateBeforeDelete is the input with which azure-native remembers that a name is random: two resources can exist at
// the same time.
const CreateBeforeDelete = "__createBeforeDelete"

func (t azureType) compare(q Question) Answer {
	var found []Difference
	same := sameAnyway(q.Before, q.After)
	for _, d := range Differences(q.Before, q.After) {
		name, _ := d.Path[0].(string)
		if strings.HasPrefix(name, "__") || slices.Contains(same, name) {
			continue
		}
		if !t.isUnchanged(d, q.State) {
			d.Why = t.why(d)
		}
		found = append(found, d)
	}
	// A name that azure-native generates is random, except for a part.
	_, isNamed := q.Before.GetOk(t.Named)
	random := isTrue(q.Before, CreateBeforeDelete) || !isNamed && !t.IsPart()
	return Answer{Differences: found, DeleteFirst: !random}
}

// isUnchanged reports whether a new input is equal to the state of the resource.
func (t azureType) isUnchanged(d Difference, state property.Map) bool {
	return d.Kind == Added && len(d.Path) == 1 && !d.After.IsComputed() &&
		stripped(at(state, d.Path[0].(string))).Equals(d.After)
}

// why returns why azure-native replaces the resource for a difference. It is empty if the resource changes in place.
// Fields that are added to or removed from a property that replaces change in place, and so do elements that are added
// to or removed from a list.
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

// pattern returns a path with [] for every index.
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

// sameAnyway returns the inputs whose two values are the same for Azure.
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

// normal returns, for example, westus2 for West US 2.
func normal(location string) string { return strings.ToLower(strings.ReplaceAll(location, " ", "")) }

// isSKU reports whether a value has a name and a tier, and nothing else.
func isSKU(v property.Value) bool {
	return v.IsMap() && v.AsMap().Len() == 2 && v.AsMap().Get("name").IsString() && v.AsMap().Get("tier").IsString()
}

// newWords returns a SKU in the current terms of AKS.
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
