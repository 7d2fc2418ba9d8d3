package provider

import (
	"errors"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/logmonitor"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// variants are the types of the values that an interface takes. In other languages the value is an object whose
// [variantKey] is the name of its type in Go.
var variants = map[reflect.Type][]reflect.Type{
	reflect.TypeFor[logmonitor.Source](): {
		reflect.TypeFor[logmonitor.EventLog](), reflect.TypeFor[logmonitor.File](), reflect.TypeFor[logmonitor.ETW](),
		reflect.TypeFor[logmonitor.Process](),
	},
}

const variantKey = "type"

func hasVariants(t reflect.Type) bool { return variants[t] != nil }

// variantsOf returns the variants of an interface, by their names.
func variantsOf(t reflect.Type) map[string]reflect.Type {
	named := map[string]reflect.Type{}
	for _, one := range variants[t] {
		named[one.Name()] = one
	}
	return named
}

// chosen returns the variant that an object names, or t if t is not an interface with variants or the name is unknown.
func chosen(t reflect.Type, object resource.PropertyMap) reflect.Type {
	if name, ok := object[variantKey]; ok && name.IsString() {
		if one, ok := variantsOf(t)[name.StringValue()]; ok {
			return one
		}
	}
	return t
}

// variant reads a value of an interface. The component reports a value that is not set.
func (d decoder) variant(out reflect.Value, raw any, path *field.Path) field.ErrorList {
	if raw == nil {
		return nil
	}
	known := variantsOf(out.Type())
	object, ok := raw.(map[string]any)
	if !ok {
		return field.ErrorList{field.Invalid(path, raw, "must be an object")}
	}
	names := slices.Sorted(maps.Keys(known))
	at := path.Child(variantKey)
	if object[variantKey] == nil {
		return field.ErrorList{field.Required(at, "use one of "+strings.Join(names, ", "))}
	}
	var name string
	errs := tree.Decode(&name, object[variantKey], at)
	one, found := known[name]
	switch {
	case len(errs) > 0:
		return errs
	case !found:
		return field.ErrorList{field.Invalid(at, name, fielderrors.Unknown("type", name, names))}
	}
	rest := maps.Clone(object)
	delete(rest, variantKey)
	made := reflect.New(one)
	errs = tree.Decode(made.Interface(), rest, path, d.options()...)
	out.Set(made.Elem())
	return errs
}

// mask reads a number of 64 bits, which the numbers of other languages cannot hold.
func mask(text string) (uint64, error) {
	bits, err := strconv.ParseUint(text, 0, 64)
	if err != nil {
		return 0, errors.New("must be a mask of 64 bits, 0x8000000000000000 for example")
	}
	return bits, nil
}
