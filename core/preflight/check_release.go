package preflight

import (
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/placement"
)

// landsOn returns the names of the pools where pods certainly land and for which takes returns true.
func landsOn(answer placement.Placement, takes func(v *placement.Verdict) bool) []string {
	var names []string
	for i := range answer.Verdicts {
		if v := &answer.Verdicts[i]; v.Schedules == platform.Yes && takes(v) {
			names = append(names, v.Pool.Name)
		}
	}
	return names
}

// refuses reports whether a pool is a Windows pool that does not run an image.
func (c *check) refuses(v *placement.Verdict, image platform.Image) bool {
	host := v.Pool.Platform
	return host.IsWindows() && platform.CanRun(host, image, c.matching(host)) == platform.No
}
