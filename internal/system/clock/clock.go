// Package clock tells the day.
package clock

import (
	"os"
	"strconv"
	"time"
)

// Today returns the day with which the days of facts are compared. If SOURCE_DATE_EPOCH is set, in seconds since 1970,
// it is that day, so that previews and reports can be repeated
// (https://reproducible-builds.org/specs/source-date-epoch/).
func Today() time.Time {
	seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	if err != nil {
		return time.Now()
	}
	return time.Unix(seconds, 0)
}
