package cli

import "github.com/mixedkube/mixedkube/components/manifest/conversion"

// severity is how people are told how bad it is.
func severity(f conversion.Finding) string {
	switch {
	case f.Asks:
		return "question"
	case f.Silenced:
		return string(f.Severity) + " (silenced)"
	default:
		return string(f.Severity)
	}
}

// subject is the object as people call it.
func subject(f conversion.Finding) string {
	if f.Name == "" {
		return f.Kind
	}
	return f.Kind + "/" + f.Name
}
