package childoptions

import (
	"cmp"
	"maps"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Child is a child of a component, by the type and the name of its resource.
type Child struct {
	Type, Name string
	// Short is another name that aliases may use for it.
	Short string
	// Component is true if the child is a component of a plugin, whose own children timeouts do not reach.
	Component bool
}

// key identifies a child.
type key struct{ typ, name string }

func (c Child) key() key { return key{c.Type, c.Name} }

// Component describes a component for its options.
type Component struct {
	// Token and Name are the component's.
	Token, Name string
	// Main is the main child: options for a single resource apply to it. The zero value means no main child.
	Main Child
	// Others are the other children that aliases can reach.
	Others []Child
	// Formerly are types of components of other packages that this one can replace, with children that have the same
	// types and names.
	Formerly []string
	// Timeouts are the default timeouts of the children.
	Timeouts pulumi.CustomTimeouts
	// PassesTimeouts is true if the constructor itself passes [Options.Timeouts] on, because the children need
	// different ones.
	PassesTimeouts bool
}

// Options are the options of a component, by what they apply to.
type Options struct {
	// Component are the options of the component itself.
	Component []pulumi.ResourceOption
	// Timeouts are the timeouts of the children.
	Timeouts pulumi.CustomTimeouts

	passed  bool
	main    key
	ofMain  []pulumi.ResourceOption
	aliases map[key][]pulumi.Alias
}

// opts is the name of the options in the constructors.
var opts = field.NewPath("opts")

// Split separates the options of the component from those of its children. The errors are about options that can reach
// nothing.
func (c Component) Split(all []pulumi.ResourceOption) (Options, field.ErrorList) {
	split := Options{
		main: c.Main.key(), aliases: map[key][]pulumi.Alias{}, Timeouts: c.Timeouts, passed: c.PassesTimeouts,
	}
	var parent pulumi.Resource
	if whole, err := pulumi.NewResourceOptions(all...); err == nil {
		parent = whole.Parent
	}
	var errs field.ErrorList
	aliases := 0
	for _, one := range all {
		if one == nil {
			continue
		}
		set, o, err := fieldsOf(one)
		if err != nil {
			return split, field.ErrorList{field.InternalError(opts, err)}
		}
		var stay []pulumi.ResourceOption
		whole := true
		for _, name := range slices.Sorted(maps.Keys(set)) {
			reach := c.reach(name)
			switch reach {
			case byType:
				remaining, wrong := c.aliases(&split, o.Aliases, parent, aliases)
				aliases += len(o.Aliases)
				errs = append(errs, wrong...)
				whole = whole && len(remaining) == len(o.Aliases)
				stay = append(stay, pulumi.Aliases(remaining))
			case toEach:
				whole = false
				split.Timeouts = Over(*o.CustomTimeouts, split.Timeouts)
			case nowhere:
				errs = append(errs, c.unreachable(name))
			default:
				again := options[name].again(o)
				if reach != stays {
					split.ofMain = append(split.ofMain, again)
				}
				if reach != toMain {
					stay = append(stay, again)
				}
				whole = whole && reach != toMain
			}
		}
		if whole {
			// The option is unchanged: the SDK does not show all that it may hold.
			stay = []pulumi.ResourceOption{one}
		}
		split.Component = append(split.Component, stay...)
	}
	split.Component = append(split.Component, c.inPlugins(split.aliases)...)
	return split, errs
}

// reach returns the destination of an option.
func (c Component) reach(name string) destination {
	to, main := options[name].to, c.Main != Child{}
	switch {
	case to == toMain && !main, to == toEach && !c.takesTimeouts():
		return nowhere
	case to == toMainOrStays && main:
		return toMain
	case to == toMainOrStays, to == toBoth && !main:
		return stays
	default:
		return to
	}
}

// takesTimeouts reports whether timeouts reach something.
func (c Component) takesTimeouts() bool {
	return c.PassesTimeouts || slices.ContainsFunc(c.children(), func(child Child) bool { return !child.Component })
}

// For returns the options of a child: its own, overridden by those that were set for it.
func (o Options) For(typ, name string, own ...pulumi.ResourceOption) []pulumi.ResourceOption {
	child, all := key{typ, name}, slices.Clone(own)
	if o.Timeouts != (pulumi.CustomTimeouts{}) && !o.passed && (o.main == key{} || o.main == child) {
		all = append(all, pulumi.Timeouts(new(o.Timeouts)))
	}
	if o.main == child {
		all = append(all, o.ofMain...)
	}
	if aliases := o.aliases[child]; len(aliases) > 0 {
		all = append(all, pulumi.Aliases(aliases))
	}
	return all
}

// Aliased reports whether a child has aliases.
func (o Options) Aliased(typ, name string) bool { return len(o.aliases[key{typ, name}]) > 0 }

// Main returns the options of the main child.
func (o Options) Main(own ...pulumi.ResourceOption) []pulumi.ResourceOption {
	return o.For(o.main.typ, o.main.name, own...)
}

// Over returns explicit timeouts, or others if there are none.
func Over(explicit, others pulumi.CustomTimeouts) pulumi.CustomTimeouts {
	return pulumi.CustomTimeouts{
		Create: cmp.Or(explicit.Create, others.Create), Update: cmp.Or(explicit.Update, others.Update),
		Delete: cmp.Or(explicit.Delete, others.Delete), Read: cmp.Or(explicit.Read, others.Read),
	}
}
