// Package program is a program with objects in a cluster, and a change of each: what the engine says of them with
// pulumi-kubernetes, mocktest has to say too.
package program

import (
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"gopkg.in/yaml.v3"

	"github.com/mixedkube/mixedkube/components/mocktest"
)

// Change is one change of a program.
type Change struct {
	Name string
	// Before and After register resources; nil for none.
	Before, After func(*registrar) error
	// Refused reports whether Pulumi refuses the change.
	Refused bool
	// Tried reports whether an update makes the change, but not a preview: a dry run gives the API server the new
	// object while the old one is there, and it is refused.
	Tried bool
	// Differs has, by the name of a resource, the reason that mocktest and the engine differ.
	Differs map[string]string
}

// Prefix is what the names of the change's resources begin with.
func (c Change) Prefix() string { return strings.ReplaceAll(strings.ToLower(c.Name), " ", "-") + "--" }

// The arguments of Program for several changes.
const (
	// Previewed are those that a preview of Pulumi passes.
	Previewed = "previewed"
	// Updated are those that an update does.
	Updated = "updated"
	// Unprotected are the same, and no object has the option Protect.
	Unprotected = "unprotected"
)

// Program has all objects before their changes, except those of the changes that are named.
func Program(after string) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		for _, c := range Changes() {
			do := c.Before
			switch {
			case after == c.Name, after == Updated && !c.Refused, after == Unprotected && !c.Refused,
				after == Previewed && !c.Refused && !c.Tried:
				do = c.After
			}
			if do == nil {
				continue
			}
			if err := do(&registrar{ctx, c.Prefix(), after == Unprotected}); err != nil {
				return err
			}
		}
		return nil
	}
}

// Made gives objects names as pulumi-kubernetes makes them up: a new object has another one.
func Made() mocktest.Option {
	return mocktest.Outputs(func(r mocktest.Resource) resource.PropertyMap {
		if !strings.HasPrefix(r.Type, "kubernetes:") {
			return nil
		}
		if metadata, _ := r.Plain()["metadata"].(map[string]any); metadata["name"] != nil {
			return nil
		}
		return resource.NewPropertyMapFromMap(map[string]any{"metadata": map[string]any{"name": r.ID}})
	})
}

// registrar is one change's part of the program.
type registrar struct {
	ctx         *pulumi.Context
	prefix      string
	unprotected bool
}

// object is any resource of pulumi-kubernetes.
type object struct {
	pulumi.CustomResourceState

	Metadata pulumi.MapOutput `pulumi:"metadata"`
}

// object registers one of a type, such as apps/v1:Deployment, as its manifest says it. NAME in it is the resource's
// name.
func (r *registrar) object(typ, name, manifest string, options ...pulumi.ResourceOption) (*object, error) {
	version, kind, _ := strings.Cut(typ, ":")
	props := pulumi.Map{
		"apiVersion": pulumi.String(strings.TrimPrefix(version, "core/")), "kind": pulumi.String(kind),
	}
	var fields map[string]any
	if err := yaml.Unmarshal([]byte(strings.ReplaceAll(manifest, "NAME", r.prefix+name)), &fields); err != nil {
		return nil, err
	}
	for key, value := range fields {
		props[key] = pulumi.Any(value)
	}
	return r.register(typ, name, props, options...)
}

func (r *registrar) register(
	typ, name string, props pulumi.Map, options ...pulumi.ResourceOption,
) (*object, error) {
	o := &object{}
	if r.unprotected {
		options = append(options, pulumi.Protect(false))
	}
	return o, r.ctx.RegisterResource("kubernetes:"+typ, r.prefix+name, props, o, options...)
}

const componentType = "changes:index:Component"

type component struct{ pulumi.ResourceState }

func (r *registrar) component(name string, options ...pulumi.ResourceOption) (pulumi.ResourceOption, error) {
	c := &component{}
	err := r.ctx.RegisterComponentResource(componentType, r.prefix+name, c, options...)
	return pulumi.Parent(c), err
}

type provider struct{ pulumi.ProviderResourceState }

// provider registers a provider of the cluster.
func (r *registrar) provider(name string, props pulumi.Map) (pulumi.ResourceOption, error) {
	p := &provider{}
	err := r.ctx.RegisterResource("pulumi:providers:kubernetes", r.prefix+name, props, p)
	return pulumi.Provider(p), err
}
