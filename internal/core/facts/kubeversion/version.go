// Package kubeversion reads and compares minor versions of Kubernetes. Patch releases
// matter neither for the skew policy nor for what a cloud supports. A version is a value
// that == and maps compare, which those of apimachinery are not.
package kubeversion

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/util/version"
)

// Version is a minor version; the zero value is one that is not known.
type Version struct{ Major, Minor int }

// String returns the version as people write it, "1.36".
func (v Version) String() string { return fmt.Sprintf("%d.%d", v.Major, v.Minor) }

// Compare is negative for an older version than another, 0 for the same.
func (v Version) Compare(other Version) int {
	return cmp.Or(cmp.Compare(v.Major, other.Major), cmp.Compare(v.Minor, other.Minor))
}

// Within reports whether a version is in a range whose ends may be open: zero.
func (v Version) Within(first, last Version) bool {
	return v.Compare(first) >= 0 && (last == Version{} || v.Compare(last) <= 0)
}

// LTS is the end of the patch releases of AKS' long-term support, such as 1.30.101-akslts.
//
//facts:none a form of writing versions
const LTS = "-akslts"

// format is what people write as a version: no more than [version.ParseGeneric] reads.
var format = regexp.MustCompile(`^v?\d{1,3}\.\d{1,3}(\.\d{1,3}(` + LTS + `)?)?$`)

// Parse reads "1.36", "1.36.3" or "1.36.101-akslts", with or without a leading "v"; false
// for anything else.
func Parse(s string) (Version, bool) {
	if !format.MatchString(s) {
		return Version{}, false
	}
	v, err := version.ParseGeneric(s)
	if err != nil {
		return Version{}, false
	}
	return Version{int(v.Major()), int(v.Minor())}, true
}

// Unprefixed returns a version as Azure writes it, without the leading "v" that it may have.
func Unprefixed(text string) string { return strings.TrimPrefix(text, "v") }

// Plain is 1.34.2 of v1.34.2-eks-ecaa3a6, as kubectl version and nodes say a version.
func Plain(text string) string {
	version, _, _ := strings.Cut(Unprefixed(text), "-")
	version, _, _ = strings.Cut(version, "+")
	return version
}
