package preflight

import (
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

// PlatformAnnotation is an annotation of a workload, or of its pod template. It states what the pods run on if nothing
// else in the manifest does: a platform, in a form that [platform.Parse] accepts ("linux", "windows-2022"), or
// "windows" for any release. Package manifest mutates the pods accordingly.
const PlatformAnnotation = pods.PlatformAnnotation

// IgnoreAnnotation is the annotation of an object that ignores rules on it: IDs, separated by commas, "MK201,MK305".
// It is read from the object itself, not from its pod template. Suppressed findings are still returned, marked as
// suppressed.
const IgnoreAnnotation = subject.IgnoreAnnotation

// Withdrawn reports whether a rule with the ID was removed.
func Withdrawn(id string) bool { return subject.Withdrawn(id) }
