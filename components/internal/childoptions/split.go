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
	// Short is another name that aliases may call it by.
	Short string
	// Component says that it is a component of a plugin, whose own children timeouts do not reach.
	Component bool
}

// key is what tells children apart.
type key struct{ typ, name string }

func (c Child) key() key { return key{c.Type, c.Name} }

// Component is a component, as far as its options go.
type Component struct {
	// Token and Name are the component's.
	Token, Name string
	// Main is the child that stands for the component: the options that are about one resource are
	// about it. The zero value says that there is none.
	Main Child
	// Others are the children beside it that aliases can reach.
	Others []Child
	// Formerly are types of components of other packages that this one can take the place of, with
	// children of the same types and names.
	Formerly []string
	// Timeouts are those of the children unless options say others.
	Timeouts pulumi.CustomTimeouts
	// PassesTimeouts says that the constructor passes [Options.Timeouts] on itself: the children need
	// different ones.
	PassesTimeouts bool
}

// Options are the options of a component, by what they are for.
type Options struct {
	// Component are those of the component itself.
	Component []pulumi.ResourceOption
	// Timeouts are those of the children.
	Timeouts pulumi.CustomTimeouts

	passed  bool
	main    key
	ofMain  []pulumi.ResourceOption
	aliases map[key][]pulumi.Alias
}

// opts is what the constructors call their options.
var opts = field.NewPath("opts")

// Split says which options are for the component and which are for its children. The errors are
// about options that can reach nothing.
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
		set, o, err := given(one)
		if err != nil {
			return split, field.ErrorList{field.InternalError(opts, err)}
		}
		var stay []pulumi.ResourceOption
		whole := true
		for _, name := range slices.Sorted(maps.Keys(set)) {
			reach := c.reach(name)
			switch reach {
			case byType:
				kept, wrong := c.aliases(&split, o.Aliases, parent, aliases)
				aliases += len(o.Aliases)
				errs = append(errs, wrong...)
				whole = whole && len(kept) == len(o.Aliases)
				stay = append(stay, pulumi.Aliases(kept))
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
			// As it was: the SDK does not show all that an option may hold.
			stay = []pulumi.ResourceOption{one}
		}
		split.Component = append(split.Component, stay...)
	}
	split.Component = append(split.Component, c.inPlugins(split.aliases)...)
	return split, errs
}

// reach is where the component has an option go.
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

// For are the options of a child: its own, and over them those that were given for it.
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

// Main are the options of the main child.
func (o Options) Main(own ...pulumi.ResourceOption) []pulumi.ResourceOption {
	return o.For(o.main.typ, o.main.name, own...)
}

// Over are timeouts, and others if there are none.
func Over(given, others pulumi.CustomTimeouts) pulumi.CustomTimeouts {
	return pulumi.CustomTimeouts{
		Create: cmp.Or(given.Create, others.Create), Update: cmp.Or(given.Update, others.Update),
		Delete: cmp.Or(given.Delete, others.Delete), Read: cmp.Or(given.Read, others.Read),
	}
}
