package aks

import (
	"os"
	"strconv"
	"time"
)

// today is the day on which the arguments are checked, as what AKS supports changes with it: that of
// SOURCE_DATE_EPOCH, in seconds since 1970, where it is set, so that previews can be repeated
// (https://reproducible-builds.org/specs/source-date-epoch/).
func today() time.Time {
	seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	if err != nil {
		return time.Now()
	}
	return time.Unix(seconds, 0)
}
