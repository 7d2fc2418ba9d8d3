package childoptions

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/components/input"
)

// aliases assigns aliases to the children that they apply to, and returns those of the component. before is how many
// aliases came before them.
func (c Component) aliases(
	split *Options, aliases []pulumi.Alias, parent pulumi.Resource, before int,
) ([]pulumi.Alias, field.ErrorList) {
	var remaining []pulumi.Alias
	var errs field.ErrorList
	for i, alias := range aliases {
		child, err := c.aliased(alias, opts.Child("aliases").Index(before+i))
		switch {
		case err != nil:
			errs = append(errs, err)
		case child == Child{}:
			remaining = append(remaining, alias)
		default:
			split.aliases[child.key()] = append(split.aliases[child.key()], c.ofChild(alias, parent))
		}
	}
	return remaining, errs
}

// ofChild returns an alias in the form that a child needs: parts that it does not set follow from the component, and
// not from the child.
func (c Component) ofChild(alias pulumi.Alias, parent pulumi.Resource) pulumi.Alias {
	if alias.URN != nil {
		return alias
	}
	if alias.Name == nil {
		alias.Name = pulumi.String(c.Name)
	}
	if alias.Parent == nil && alias.ParentURN == nil && alias.NoParent == nil {
		if alias.Parent = parent; parent == nil {
			alias.NoParent = pulumi.Bool(true)
		}
	}
	return alias
}

// inPlugins takes the aliases of components of plugins out of all, and sets them on these in transforms. Pulumi 3.255
// sends aliases to a plugin in another field than plugins with older SDKs read, such as pulumi-kubernetes 4.25 (aliases
// of ConstructRequest, 14 and 29): they would be lost. The transforms of the component see what the plugin registers
// below it.
func (c Component) inPlugins(all map[key][]pulumi.Alias) []pulumi.ResourceOption {
	var transforms []pulumi.ResourceTransform
	for _, child := range c.Others {
		aliases := all[child.key()]
		if !child.Component || len(aliases) == 0 {
			continue
		}
		delete(all, child.key())
		transforms = append(transforms,
			func(_ context.Context, args *pulumi.ResourceTransformArgs) *pulumi.ResourceTransformResult {
				if args.Type != child.Type || args.Name != child.Name {
					return nil
				}
				args.Opts.Aliases = append(args.Opts.Aliases, aliases...)
				return &pulumi.ResourceTransformResult{Props: args.Props, Opts: args.Opts}
			})
	}
	if len(transforms) == 0 {
		return nil
	}
	return []pulumi.ResourceOption{pulumi.Transforms(transforms)}
}

// aliased returns the child that an alias applies to, or none if the alias belongs to the component itself.
func (c Component) aliased(alias pulumi.Alias, path *field.Path) (Child, *field.Error) {
	typ, name, at, err := c.identity(alias, path)
	if err != nil || typ == "" {
		return Child{}, err
	}
	children := c.of(typ)
	if len(children) == 0 && (!custom(typ) || slices.Contains(c.Formerly, typ)) {
		return Child{}, nil
	}
	if len(children) > 1 {
		if named := c.named(children, name); len(named) == 1 {
			children = named
		}
	}
	switch len(children) {
	case 1:
		return children[0], nil
	case 0:
		return Child{}, field.Invalid(at, typ, "is not the type of a child, and the component would take over the "+
			"state of that resource: "+c.fix())
	default:
		return Child{}, field.Invalid(path, name, fmt.Sprintf("may be any of %s: name it as the child that it "+
			"becomes, or %s", list(children), aTransform))
	}
}

// identity returns the type and the name in an alias, and the path of the type.
func (c Component) identity(alias pulumi.Alias, path *field.Path) (typ, name string, at *field.Path, err *field.Error) {
	plain := func(in any, at *field.Path) (string, *field.Error) {
		text, ok := input.Plain[string](in)
		if !ok && !input.Missing(in) {
			return "", field.Invalid(at, "an output", "decides which resource has the alias: write a plain string")
		}
		return text, nil
	}
	if alias.URN != nil {
		at = path.Child("urn")
		text, err := plain(alias.URN, at)
		if err != nil {
			return "", "", at, err
		}
		urn, parseErr := resource.ParseURN(text)
		if parseErr != nil {
			return "", "", at, field.Invalid(at, text, "is not a URN: write one as `pulumi stack --show-urns` shows it")
		}
		return string(urn.Type()), urn.Name(), at, nil
	}
	at = path.Child("type")
	if typ, err = plain(alias.Type, at); err != nil || typ == "" {
		return "", "", at, err
	}
	if name, err = plain(alias.Name, path.Child("name")); name == "" {
		name = c.Name
	}
	return typ, name, at, err
}

func (c Component) children() []Child {
	if (c.Main == Child{}) {
		return c.Others
	}
	return append([]Child{c.Main}, c.Others...)
}

// of returns the children of a type, or of another version of it.
func (c Component) of(typ string) []Child {
	var children []Child
	for _, child := range c.children() {
		if kind(child.Type) == kind(typ) {
			children = append(children, child)
		}
	}
	return children
}

// named returns the children that a name can refer to.
func (c Component) named(children []Child, name string) []Child {
	var named []Child
	for _, child := range children {
		if slices.Contains([]string{child.Name, child.Short}, name) ||
			slices.Contains([]string{c.Name + "-" + name, c.Name + ":" + name}, child.Name) {
			named = append(named, child)
		}
	}
	return named
}

// kind returns a type without its version, which changes: kubernetes:apps/v1beta1:Deployment,
// azure-native:containerservice/v20240901:ManagedCluster. Each version of a chart is another component, which names its
// children in another way.
func kind(typ string) string {
	parts := strings.Split(typ, ":")
	if len(parts) != 3 {
		return typ
	}
	module, _, _ := strings.Cut(parts[1], "/")
	if module == "helm.sh" {
		return typ
	}
	return parts[0] + ":" + module + ":" + parts[2]
}

// custom reports whether a type belongs to one of the providers that the library uses, and not to a component of a
// user.
func custom(typ string) bool {
	provider, _, _ := strings.Cut(typ, ":")
	return slices.Contains([]string{"azure-native", "command", "kubernetes", "pulumi"}, provider)
}

// unreachable returns the error about an option that reaches nothing.
func (c Component) unreachable(name string) *field.Error {
	path := opts.Child(strings.ToLower(name[:1]) + name[1:])
	if name == "URN" {
		path = opts.Child("urn")
	}
	if options[name].to == nowhere {
		return field.Forbidden(path, "has no effect on a component: remove it")
	}
	return field.Forbidden(path, "applies to a single resource: set it for one of the children in a transform "+
		"(pulumi.Transforms)")
}

const aTransform = "set the alias in a transform (pulumi.Transforms)"

func (c Component) fix() string {
	if children := c.children(); len(children) > 0 {
		return "write that of " + list(children) + ", or " + aTransform
	}
	return aTransform
}

// list names children.
func list(children []Child) string {
	const most = 5
	var texts []string
	for i, child := range children {
		if i == most {
			texts = append(texts, "…")
			break
		}
		texts = append(texts, fmt.Sprintf("%s %q", child.Type, child.Name))
	}
	return strings.Join(texts, ", ")
}
