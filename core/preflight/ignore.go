package preflight

import "github.com/mixedkube/mixedkube/core/preflight/internal/subject"

// IgnoreAnnotation is the annotation of an object that ignores rules on it: IDs, separated by commas, "MK201,MK305".
// It is read from the object itself, not from its pod template. Suppressed findings are still returned, marked as
// suppressed.
const IgnoreAnnotation = subject.IgnoreAnnotation

// Withdrawn reports whether a rule with the ID was removed.
func Withdrawn(id string) bool { return subject.Withdrawn(id) }
