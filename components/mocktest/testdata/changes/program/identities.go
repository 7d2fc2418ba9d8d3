package program

import "github.com/pulumi/pulumi/sdk/v3/go/pulumi"

// blue is a ConfigMap with a name of the program.
const blue = named + "data: {color: blue}\n"

// places are changes of names, namespaces and providers.
func places() []Change {
	place := func(name, namespace string) step {
		return one(configMap, "metadata: {name: "+name+", namespace: "+namespace+"}\ndata: {color: blue}\n")
	}
	// of registers an object whose provider has inputs; nil is the default provider.
	of := func(inputs pulumi.Map, manifest string) step {
		return func(r *registrar) error {
			var options []pulumi.ResourceOption
			if inputs != nil {
				p, err := r.provider("provider", inputs)
				if err != nil {
					return err
				}
				options = append(options, p)
			}
			_, err := r.object(configMap, "it", manifest, options...)
			return err
		}
	}
	in := func(namespace string) pulumi.Map { return pulumi.Map{"namespace": pulumi.String(namespace)} }
	quiet := pulumi.Map{"suppressDeprecationWarnings": pulumi.Bool(true)}
	return []Change{
		{Name: "comes", After: one(configMap, blue)},
		{Name: "goes", Before: one(configMap, blue)},
		{Name: "another name", Before: place("NAME", "default"), After: place("NAME2", "default")},
		{Name: "another namespace", Before: place("NAME", "default"), After: place("NAME", "kube-public")},
		{Name: "the namespace that it is in", Before: one(configMap, blue), After: place("NAME", "default")},
		{Name: "a provider of its own", Before: of(nil, blue), After: of(quiet, blue)},
		{
			Name:    "another namespace of the provider",
			Differs: map[string]string{"provider": noPaths},
			Before:  of(in("default"), blue),
			After:   of(in("kube-public"), blue),
		},
	}
}

// identities are changes of what Pulumi calls a resource, and of what is above it.
func identities() []Change {
	// at registers the object under a name of the program's.
	at := func(name string, options ...pulumi.ResourceOption) step {
		return func(r *registrar) error {
			_, err := r.object(configMap, name, "metadata: {name: renamed-object}\ndata: {color: blue}\n", options...)
			return err
		}
	}
	// within registers it below a component, whose options are given.
	within := func(above string, options []pulumi.ResourceOption, own ...pulumi.ResourceOption) step {
		return func(r *registrar) error {
			parent, err := r.component(above, options...)
			if err != nil {
				return err
			}
			_, err = r.object(configMap, above+"-settings", blue, append(own, parent)...)
			return err
		}
	}
	alone := func(options ...pulumi.ResourceOption) step {
		return func(r *registrar) error {
			_, err := r.object(configMap, "a-settings", blue, options...)
			return err
		}
	}
	alias := func(a pulumi.Alias) pulumi.ResourceOption { return pulumi.Aliases([]pulumi.Alias{a}) }
	below := func(r *registrar) pulumi.ResourceOption {
		return alias(pulumi.Alias{ParentURN: pulumi.CreateURN(pulumi.String(r.prefix+"a"),
			pulumi.String(componentType), nil, pulumi.String(r.ctx.Project()), pulumi.String(r.ctx.Stack()))})
	}
	return []Change{
		{
			Name: "renamed with an alias", Before: at("before"),
			After: func(r *registrar) error {
				return at("after", alias(pulumi.Alias{Name: pulumi.String(r.prefix + "before")}))(r)
			},
		},
		{
			Name:   "renamed without an alias",
			Before: func(r *registrar) error { _, err := r.object(configMap, "before", unnamed); return err },
			After:  func(r *registrar) error { _, err := r.object(configMap, "after", unnamed); return err },
		},
		{
			Name:   "into a component",
			Before: alone(),
			After:  within("a", nil, alias(pulumi.Alias{NoParent: pulumi.Bool(true)})),
		},
		{
			Name:   "out of a component",
			Before: within("a", nil),
			After:  func(r *registrar) error { return alone(below(r))(r) },
		},
		{
			Name: "a component renamed with an alias", Before: within("a", nil),
			After: func(r *registrar) error {
				return within("b", []pulumi.ResourceOption{alias(pulumi.Alias{Name: pulumi.String(r.prefix + "a")})})(r)
			},
		},
		{
			Name: "into a component without an alias", Before: func(r *registrar) error {
				_, err := r.object(configMap, "a", unnamed)
				return err
			},
			After: func(r *registrar) error {
				parent, err := r.component("above")
				if err == nil {
					_, err = r.object(configMap, "a", unnamed, parent)
				}
				return err
			},
		},
	}
}

// options are changes under options of Pulumi.
func options() []Change {
	before, after, another := web(unnamed, "a", "nginx"), web(unnamed, "a", "httpd"), web(unnamed, "b", "nginx")
	const (
		image  = "spec.template.spec.containers[0].image"
		images = "spec.template.spec.containers[*].image"
	)
	changed := func(option pulumi.ResourceOption) (step, step) {
		return one(deployment, before, option), one(deployment, after, option)
	}
	change := func(name string, option pulumi.ResourceOption) Change {
		b, a := changed(option)
		return Change{Name: name, Before: b, After: a}
	}
	// pair is an object, and another one with options that follow from it.
	pair := func(data string, options func(pulumi.Resource) []pulumi.ResourceOption) step {
		return func(r *registrar) error {
			first, err := r.object(configMap, "first", named+"data: {color: "+data+"}\n")
			if err == nil {
				_, err = r.object(configMap, "second", unnamed+"data: {color: blue}\n", options(first)...)
			}
			return err
		}
	}
	with := func(first pulumi.Resource) []pulumi.ResourceOption {
		return []pulumi.ResourceOption{pulumi.ReplaceWith([]pulumi.Resource{first})}
	}
	dependsOn := func(first pulumi.Resource) []pulumi.ResourceOption {
		return []pulumi.ResourceOption{pulumi.DependsOn([]pulumi.Resource{first})}
	}
	protect, unprotected := pulumi.Protect(true), pulumi.Protect(false)
	return []Change{
		change("ReplaceOnChanges", pulumi.ReplaceOnChanges([]string{image})),
		change("ReplaceOnChanges of all containers", pulumi.ReplaceOnChanges([]string{images})),
		change("ReplaceOnChanges of something else", pulumi.ReplaceOnChanges([]string{"spec.replicas"})),
		change("IgnoreChanges", pulumi.IgnoreChanges([]string{image})),
		change("IgnoreChanges of all containers", pulumi.IgnoreChanges([]string{images})),
		{
			Name:   "IgnoreChanges of the selector",
			Before: one(deployment, before),
			After: one(deployment, another,
				pulumi.IgnoreChanges([]string{"spec.selector", "spec.template.metadata.labels"})),
		},
		{
			Name:   "DeleteBeforeReplace",
			Before: one(deployment, before), After: one(deployment, another, pulumi.DeleteBeforeReplace(true)),
		},
		change("Protect in place", protect),
		{Name: "RetainOnDelete", Before: one(deployment, before, pulumi.RetainOnDelete(true))},
		{
			Name:   "ReplacementTrigger",
			Before: one(deployment, before, pulumi.ReplacementTrigger(pulumi.String("a"))),
			After:  one(deployment, before, pulumi.ReplacementTrigger(pulumi.String("b"))),
		},
		{Name: "ReplaceWith", Before: pair("blue", with), After: pair("red", with)},
		{Name: "DependsOn", Before: pair("blue", dependsOn), After: pair("red", dependsOn)},
		{
			Name:   "unprotected and replaced",
			Before: one(deployment, before, protect), After: one(deployment, another, unprotected),
		},
		{
			Name: "Protect and replaced", Refused: true,
			Before: one(deployment, before, protect), After: one(deployment, another, protect),
		},
		{Name: "Protect and gone", Refused: true, Before: one(deployment, before, protect)},
	}
}
