// Package kubeversion reads and compares minor versions of Kubernetes. Patch releases
// matter neither for the skew policy nor for what a cloud supports.
package kubeversion

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
)

// Version is a minor version; the zero value is one that is not known.
type Version struct{ Major, Minor int }

// String is the version as people write it, "1.36".
func (v Version) String() string { return fmt.Sprintf("%d.%d", v.Major, v.Minor) }

// Compare is negative for an older version than another, 0 for the same.
func (v Version) Compare(other Version) int {
	return cmp.Or(cmp.Compare(v.Major, other.Major), cmp.Compare(v.Minor, other.Minor))
}

// Within says whether a version is in a range whose ends may be open: zero.
func (v Version) Within(first, last Version) bool {
	return v.Compare(first) >= 0 && (last == Version{} || v.Compare(last) <= 0)
}

var format = regexp.MustCompile(`^v?(\d{1,3})\.(\d{1,3})(\.\d{1,3})?$`)

// Parse reads "1.36" or "1.36.3", with or without a leading "v"; false for anything
// else.
func Parse(s string) (Version, bool) {
	m := format.FindStringSubmatch(s)
	if m == nil {
		return Version{}, false
	}
	major, _ := strconv.Atoi(m[1])
	minor, _ := strconv.Atoi(m[2])
	return Version{major, minor}, true
}
