package main

import (
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"
)

var patchRelease = regexp.MustCompile(`^1\.\d+\.\d+$`)

// impossible returns an error for each fact whose day is wrong: it has not come yet, or it is before the release that
// the fact names, or before the first release of a minor version of Kubernetes of which it names a patch release.
func impossible(all []fact, today time.Time) error {
	var problems []error
	for _, f := range all {
		seen := f.seen.Format(time.DateOnly)
		if f.seen.After(today) {
			problems = append(problems, fmt.Errorf("%s: seen on %s, after today", f.name(), seen))
		}
		if f.seen.Before(f.released) {
			problems = append(problems, fmt.Errorf("%s: seen on %s, and released on %s", f.name(), seen,
				f.released.Format(time.DateOnly)))
		}
		for _, value := range f.values {
			version, _ := kubeversion.Parse(value)
			if patchRelease.MatchString(value) && facts.KubernetesReleased[version] > seen {
				problems = append(problems,
					fmt.Errorf("%s: seen on %s, and Kubernetes %s was released later", f.name(), seen,
						value))
			}
		}
	}
	return errors.Join(problems...)
}
