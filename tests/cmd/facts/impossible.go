package main

import (
	"errors"
	"fmt"
	"regexp"
	"time"
)

// kubernetesReleased are the days of the first release of minor versions of Kubernetes: of the modules k8s.io/api.
var kubernetesReleased = map[string]string{
	"1.34": "2025-08-27", "1.35": "2025-12-17", "1.36": "2026-04-22", "1.37": "2026-08-26",
}

var patchRelease = regexp.MustCompile(`^(1\.\d+)\.\d+$`)

// impossible returns an error for each fact whose day is wrong: it has not come yet, or it is before the first release
// of a version of Kubernetes that the fact names with its patch release.
func impossible(facts []fact, today time.Time) error {
	var problems []error
	for _, f := range facts {
		seen := f.seen.Format(time.DateOnly)
		if f.seen.After(today) {
			problems = append(problems, fmt.Errorf("%s: seen on %s, after today", f.name(), seen))
		}
		for _, value := range f.values {
			match := patchRelease.FindStringSubmatch(value)
			if match != nil && kubernetesReleased[match[1]] > seen {
				problems = append(problems, fmt.Errorf("%s: seen on %s, and Kubernetes %s was released later", f.name(), seen,
					value))
			}
		}
	}
	return errors.Join(problems...)
}
