package azure

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
)

// version is a minor version of Kubernetes; the zero value is none.
type version struct{ major, minor int }

func (v version) String() string { return fmt.Sprintf("%d.%d", v.major, v.minor) }

func (v version) compare(other version) int {
	return cmp.Or(cmp.Compare(v.major, other.major), cmp.Compare(v.minor, other.minor))
}

// within says whether a version is in a range whose ends may be open.
func (v version) within(first, last version) bool {
	return v.compare(first) >= 0 && (last == version{} || v.compare(last) <= 0)
}

var versionFormat = regexp.MustCompile(`^v?(\d{1,3})\.(\d{1,3})(\.\d{1,3})?$`)

// parseVersion is false for what is not given, and for what topology refuses.
func parseVersion(s string) (version, bool) {
	m := versionFormat.FindStringSubmatch(s)
	if m == nil {
		return version{}, false
	}
	major, _ := strconv.Atoi(m[1])
	minor, _ := strconv.Atoi(m[2])
	return version{major, minor}, true
}
