package aks

import (
	"os"
	"strconv"
	"time"
)

// today returns the day for which the arguments are checked, because AKS supports different versions on different days.
// If SOURCE_DATE_EPOCH is set, in seconds since 1970, it is that day, so that previews can be repeated
// (https://reproducible-builds.org/specs/source-date-epoch/).
func today() time.Time {
	seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	if err != nil {
		return time.Now()
	}
	return time.Unix(seconds, 0)
}
