package structure

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mixedkube/mixedkube/internal/fielderrors"
)

// Kind is a kind in one version of its group.
type Kind struct {
	GroupVersion, Name string
	typ                *Type
	span
}

// Range are the oldest and the newest minor version of Kubernetes that are known.
func Range() (first, last int) { return table().first, table().last }

// ServedByDefault reports whether an API server serves the version without being told to: since
// 1.24 no new beta versions, and never alpha versions.
func (k *Kind) ServedByDefault() bool { return digits(k.GroupVersion) > 0 }

// Versions says which versions of Kubernetes have the kind, "" if all have it, and whether 1.minor,
// 0 if it is not known, is certainly not one of them.
func (k *Kind) Versions(minor int) (which string, lacks bool) {
	if k.always() {
		return "", false
	}
	return k.String(), minor != 0 && !k.has(minor)
}

// Find returns a kind as it is written, nil if there is none.
func Find(groupVersion, name string) *Kind { return table().kinds[groupVersion][name] }

// Newest returns the newest stable version of a kind in a group, or the newest one, nil if
// there is no such kind.
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

// newer prefers what is served by default, then what is in the newest versions of Kubernetes,
// then the higher number.
func (k *Kind) newer(than *Kind) bool {
	if mine, other := k.ServedByDefault(), than.ServedByDefault(); mine != other {
		return mine
	}
	if (k.until == 0) != (than.until == 0) {
		return k.until == 0
	}
	return digits(k.GroupVersion) > digits(than.GroupVersion)
}

func digits(groupVersion string) int {
	_, version := split(groupVersion)
	major, _ := strconv.Atoi(strings.TrimLeft(version, "v")) // 0 for an alpha or a beta version
	return major
}

// Answer is what is known about a version of a kind that no supported Kubernetes serves.
type Answer struct {
	// RemovedIn is the minor version of Kubernetes that no longer served it, 0 if none ever did,
	// or if that is not known.
	RemovedIn int
	// Replacement is the version to write instead, "" if there is none.
	Replacement string
	// Meant is the kind that was probably meant, "" if the kind itself is known.
	Meant string
}

// NotServed says what is known about a version of a kind that [Find] does not know; false if
// another API may have it: that of a custom resource, or one that is aggregated.
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
	// The group of a custom resource has a period in it.
	if versions := t.versions[name]; len(versions) > 0 && (builtIn || !strings.Contains(group, ".")) {
		return Answer{Replacement: best(versions, name)}, true
	}
	if !builtIn || len(t.kinds[groupVersion]) == 0 {
		return Answer{}, false
	}
	known := slices.Sorted(maps.Keys(t.kinds[groupVersion]))
	meant, ok := fielderrors.Nearest(name, known)
	if difference := len(meant) - len(name); !ok || difference < -2 || difference > 2 {
		return Answer{}, false
	}
	return Answer{Meant: meant}, true
}

// best is the version of a kind that several groups may have.
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
