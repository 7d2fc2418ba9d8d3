package provider

import (
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/provider"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/gmsa"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// decode fills the arguments that out points to. The values that Pulumi's SDK reads are in inputs.
func (r *request) decode(out any, inputs provider.ConstructInputs) field.ErrorList {
	d := decoder{inputs}
	return append(r.errs, tree.Decode(out, r.plain, nil, d.options()...)...)
}

type decoder struct{ inputs provider.ConstructInputs }

func (d decoder) options() []tree.Option {
	is := func(want reflect.Type) func(reflect.Type) bool {
		return func(t reflect.Type) bool { return t == want }
	}
	return []tree.Option{
		tree.As(isInput, d.input),
		tree.As(isResourceArgs, d.resourceArgs),
		tree.As(is(topologyType), readTopology),
		tree.As(is(reflect.TypeFor[topology.Pool]()), readPool),
		tree.As(is(specType), readCredentialSpec),
		tree.As(is(reflect.TypeFor[platform.Platform]()), readPlatform),
		tree.As(hasVariants, d.variant),
		tree.TextAs(topology.ParseTaint), tree.TextAs(tree.ParseQuantity), tree.TextAs(duration), tree.TextAs(mask),
	}
}

// input reads an input through Pulumi's SDK, which knows the types of its packages.
func (d decoder) input(out reflect.Value, raw any, path *field.Path) field.ErrorList {
	if raw == nil {
		return nil
	}
	key, ok := raw.(leaf)
	if !ok {
		return field.ErrorList{field.InternalError(path, fmt.Errorf("%T was not read as an input", raw))}
	}
	holder := reflect.New(reflect.StructOf([]reflect.StructField{{
		Name: "Value", Type: out.Type(), Tag: reflect.StructTag(fmt.Sprintf("pulumi:%q", string(key))),
	}}))
	if err := d.inputs.CopyTo(holder.Interface()); err != nil {
		return field.ErrorList{field.Invalid(path, field.OmitValueType{}, err.Error())}
	}
	out.Set(holder.Elem().Field(0))
	return nil
}

// resourceArgs reads the arguments of a resource of another package.
func (d decoder) resourceArgs(out reflect.Value, raw any, path *field.Path) field.ErrorList {
	object := reflect.New(withTags(out.Type(), keyed(out.Type())))
	wrong := tree.Decode(object.Interface(), raw, path, d.options()...)
	out.Set(object.Elem().Convert(out.Type()))
	return wrong
}

// withTags returns a struct type with the tags of another one, whose fields have the same names.
func withTags(t, named reflect.Type) reflect.Type {
	tagged := make([]reflect.StructField, t.NumField())
	for i := range tagged {
		tagged[i] = t.Field(i)
		if f, ok := named.FieldByName(tagged[i].Name); ok {
			tagged[i].Tag = f.Tag
		}
	}
	return reflect.StructOf(tagged)
}

func readTopology(out reflect.Value, raw any, path *field.Path) field.ErrorList {
	t, errs := topology.Read(raw, path)
	out.Set(reflect.ValueOf(t))
	return errs
}

func readPool(out reflect.Value, raw any, path *field.Path) field.ErrorList {
	p, errs := topology.ReadPool(raw, path)
	out.Set(reflect.ValueOf(p))
	return errs
}

func duration(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil {
		return d, errors.New("must be a duration, 30s or 2m for example")
	}
	return d, nil
}

// readPlatform takes any text: the called component or function knows its valid platforms, and reports other mistakes
// too.
func readPlatform(out reflect.Value, raw any, path *field.Path) field.ErrorList {
	var name string
	errs := tree.Decode(&name, raw, path)
	if p, err := platform.Parse(name); err == nil {
		name = p.String()
	}
	out.SetString(name)
	return errs
}

// readCredentialSpec takes the name of a specification: a component itself cannot be passed to the plugin.
func readCredentialSpec(out reflect.Value, raw any, path *field.Path) field.ErrorList {
	var name string
	errs := tree.Decode(&name, raw, path)
	if name != "" {
		out.Set(reflect.ValueOf(gmsa.Reference(name)))
	}
	return errs
}
