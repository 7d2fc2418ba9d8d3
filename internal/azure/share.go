package azure

import (
	"strconv"
	"strings"
)

// share is a part of a pool's nodes: a number, or a percentage.
type share struct {
	number    int
	isPercent bool
}

// parseShare is false for what is not given, and for what topology refuses.
func parseShare(s string) (share, bool) {
	digits, isPercent := strings.CutSuffix(s, "%")
	n, err := strconv.ParseUint(digits, 10, 31)
	return share{int(n), isPercent}, err == nil && (!isPercent || n <= 100)
}

// of is the number of nodes of a pool; Azure rounds up.
func (s share) of(nodes int) int {
	if s.isPercent {
		return (nodes*s.number + 99) / 100
	}
	return s.number
}
