// Package lives has the ages of the facts: the day on which the source of each was read, and the day on which it has to
// be looked up again; and who uses them. The tables are generated from the comments of package facts and of the packages
// below it, and from the code.
package lives

import (
	"slices"
	"time"
)

// Life is the life of the facts of one declaration.
type Life struct {
	// Names are their names, with the package for those below package facts, such as "vm.irregularSizes".
	Names []string
	// Seen is the day on which the source was read, and Expires the day from which a release needs another look.
	Seen, Expires string
	Source        string
}

// All returns the lives of all facts, the oldest first.
func All() []Life { return slices.Clone(table) }

// UsedBy returns the names of the facts that packages or functions read, sorted: packages by their directory, such as
// "core/aks/plan", and functions of package facts and of those below it by their name, such as "noderoom.EKS".
func UsedBy(users ...string) []string {
	var names []string
	for _, user := range users {
		names = append(names, uses[user]...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Age returns how many days ago the source was read.
func (l Life) Age(today time.Time) int {
	seen, _ := time.Parse(time.DateOnly, l.Seen)
	return int(today.Sub(seen).Hours() / 24)
}

// HasExpired reports whether a release needs another look at the source.
func (l Life) HasExpired(today time.Time) bool { return today.Format(time.DateOnly) >= l.Expires }

// Old is how many days ago the source of a fact was read when a preview reports it.
//
//facts:none a decision of this library
const Old = 180

// Aged returns those of the names whose source was read more than [Old] days ago, sorted, and the oldest of these days.
// It returns nothing if today is zero.
func Aged(today time.Time, names ...string) (old []string, oldest string) {
	if today.IsZero() {
		return nil, ""
	}
	for _, l := range table {
		for _, name := range l.Names {
			if slices.Contains(names, name) && l.Age(today) > Old {
				old = append(old, name)
				if oldest == "" || l.Seen < oldest {
					oldest = l.Seen
				}
			}
		}
	}
	slices.Sort(old)
	return old, oldest
}
