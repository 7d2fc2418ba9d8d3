package vm

import (
	"slices"
	"strconv"
	"strings"
)

// azureSize has the parts of the name of a size of Azure. The version is 0 if it has none.
type azureSize struct {
	family          string
	number, version int
	features        string
}

func parseAzure(size string) (s azureSize, ok bool) {
	m := sizeFormat.FindStringSubmatch(size)
	if m == nil {
		return azureSize{}, false
	}
	number, _ := strconv.Atoi(m[2])
	version, _ := strconv.Atoi(m[5])
	return azureSize{m[1], number, version, m[4]}, true
}

// series are the sizes of a family with one of the versions, all letters of with and none of without. They are open
// above if to is 0.
type series struct {
	family        string
	from, to      int
	with, without string
}

func (r series) has(s azureSize) bool {
	for _, letter := range r.with {
		if !strings.ContainsRune(s.features, letter) {
			return false
		}
	}
	return s.family == r.family && s.version >= r.from && (r.to == 0 || s.version <= r.to) &&
		!strings.ContainsAny(s.features, r.without)
}

func isIn(all []series, s azureSize) bool {
	return slices.ContainsFunc(all, func(r series) bool { return r.has(s) })
}

// share is the share of the sizes of a series in something, for each number in the name, in GiB.
type share struct {
	series
	gib float64
	// most is the largest number that has the share; 0 if all have it.
	most int
}

// shareOf returns the first share of a size, or 0 if there is none.
func shareOf(all []share, s azureSize) float64 {
	i := slices.IndexFunc(all, func(r share) bool { return r.has(s) && (r.most == 0 || s.number <= r.most) })
	if i < 0 {
		return 0
	}
	return all[i].gib
}
