package structure

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// Range returns the oldest and the newest minor version of Kubernetes that are known.
func Range() (first, last int) { return table().first, table().last }

// Known reports whether everything is known about Kubernetes 1.minor, or the version is unknown, 0: then it is assumed
// to be one of the known versions.
func Known(minor int) bool {
	first, last := Range()
	return minor == 0 || minor >= first && minor <= last
}

// InKnown describes the known versions: " in Kubernetes 1.34 to 1.37".
func InKnown() string {
	first, last := Range()
	return fmt.Sprintf(" in Kubernetes 1.%d to 1.%d", first, last)
}

// ServedByDefault reports whether an API server serves the version by default: new beta versions are not since 1.24,
// and alpha versions never are.
func (k *Kind) ServedByDefault() bool { return digits(k.GroupVersion) > 0 }

// Versions returns which versions of Kubernetes have the kind, "" if all have it, and whether 1.minor, 0 if it is
// unknown, certainly lacks it.
func (k *Kind) Versions(minor int) (which string, lacks bool) {
	if k.always() {
		return "", false
	}
	return k.span.String(), minor != 0 && !k.has(minor)
}

// Find returns the kind with exactly this name, or nil if there is none.
func Find(groupVersion, name string) *Kind { return table().kinds[groupVersion][name] }

// Newest returns the newest stable version of a kind in a group, or else the newest one, or nil if there is no such
// kind.
func Newest(group, name string) *Kind {
	t := table()
	var newest *Kind
	for _, version := range t.versions[name] {
		if in, _ := split(version); in != group {
			continue
		}
		kind := t.kinds[version][name]
		if newest == nil || kind.newer(newest) {
			newest = kind
		}
	}
	return newest
}

// Newest is [Newest] for the kind's own group.
func (k *Kind) Newest() *Kind {
	group, _ := split(k.GroupVersion)
	return Newest(group, k.Name)
}

// newer prefers versions that are served by default, then those in the newest versions of Kubernetes, then the more
// stable one, then the higher number.
func (k *Kind) newer(than *Kind) bool {
	if served, other := k.ServedByDefault(), than.ServedByDefault(); served != other {
		return served
	}
	if (k.until == 0) != (than.until == 0) {
		return k.until == 0
	}
	// In the alphabet, v1beta1 follows v1alpha3.
	return cmp.Or(
		cmp.Compare(digits(k.GroupVersion), digits(than.GroupVersion)), cmp.Compare(k.GroupVersion, than.GroupVersion),
	) > 0
}

func digits(groupVersion string) int {
	_, version := split(groupVersion)
	major, _ := strconv.Atoi(strings.TrimLeft(version, "v")) // 0 for an alpha or a beta version
	return major
}

// Answer is what is known about a version of a kind that no supported Kubernetes serves.
type Answer struct {
	// RemovedIn is the minor version of Kubernetes that stopped serving it, or 0 if none ever did or if that is
	// unknown.
	RemovedIn int
	// Replacement is the version to use instead, "" if there is none.
	Replacement string
	// Suggestion is the most similar kind, "" if the kind itself is known.
	Suggestion string
}

// NotServed returns what is known about a version of a kind that [Find] does not know. It returns false if another API
// may have it: a custom resource, or an aggregated API.
func NotServed(groupVersion, name string) (Answer, bool) {
	if was, ok := removed[groupVersion][name]; ok {
		return Answer{RemovedIn: was.in, Replacement: was.replacement}, true
	}
	t := table()
	group, _ := split(groupVersion)
	if kind := Newest(group, name); kind != nil {
		return Answer{Replacement: kind.GroupVersion}, true
	}
	builtIn := t.groups[group]
	// The group of a custom resource contains a period.
	if versions := t.versions[name]; len(versions) > 0 && (builtIn || !strings.Contains(group, ".")) {
		return Answer{Replacement: best(versions, name)}, true
	}
	if !builtIn || len(t.kinds[groupVersion]) == 0 {
		return Answer{}, false
	}
	known := slices.Sorted(maps.Keys(t.kinds[groupVersion]))
	nearest, ok := fielderrors.Nearest(name, known)
	if difference := len(nearest) - len(name); !ok || difference < -2 || difference > 2 {
		return Answer{}, false
	}
	return Answer{Suggestion: nearest}, true
}

// best returns the best version of a kind that several groups may have.
func best(versions []string, name string) string {
	return slices.MinFunc(versions, func(a, b string) int {
		first, _ := split(a)
		second, _ := split(b)
		if first == second {
			if table().kinds[a][name].newer(table().kinds[b][name]) {
				return -1
			}
			return 1
		}
		return cmp.Compare(first, second)
	})
}
