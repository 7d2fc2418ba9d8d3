package logmonitor

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// Level selects the events of a source that are read: those of this level and of all more severe ones. Case does not
// matter.
type Level string

// The levels, the worst first.
const (
	// Critical is only what ends a program or the system.
	Critical Level = "Critical"
	// Error is the default.
	Error Level = "Error"
	// Warning is also what can become an error.
	Warning Level = "Warning"
	// Information is also what went well.
	Information Level = "Information"
	// Verbose is everything.
	Verbose Level = "Verbose"
)

// Format is how LogMonitor writes the lines of all sources.
type Format string

// The formats.
const (
	// FormatJSON is the default: an object of JSON for each line.
	FormatJSON Format = "json"
	// FormatXML is an element of XML for each line.
	FormatXML Format = "xml"
	// FormatCustom needs the CustomLogFormat of each source.
	FormatCustom Format = "custom"
)

var (
	levels  = []string{string(Critical), string(Error), string(Warning), string(Information), string(Verbose)}
	formats = []string{string(FormatJSON), string(FormatXML), string(FormatCustom)}
)

// withDefault returns the level as LogMonitor spells it: it would refuse an empty one.
func (l Level) withDefault() Level {
	if l == "" {
		return Error
	}
	return Level(spelled(string(l), levels))
}

func (f Format) withDefault() Format {
	if f == "" {
		return FormatJSON
	}
	return Format(spelled(string(f), formats))
}

// checkLevel finds what LogMonitor would take for Error, or refuse with its source.
func checkLevel(l Level, path *field.Path) field.ErrorList {
	return checkWord(string(l.withDefault()), "level", levels, path)
}

func checkFormat(f Format, path *field.Path) field.ErrorList {
	return checkWord(string(f.withDefault()), "format", formats, path)
}

func checkWord(word, what string, known []string, path *field.Path) field.ErrorList {
	if slices.Contains(known, word) {
		return nil
	}
	return field.ErrorList{field.Invalid(path, word, fielderrors.Unknown(what, word, known))}
}

// spelled returns the known spelling of a word, or the word itself if it is unknown.
func spelled(word string, known []string) string {
	for _, k := range known {
		if strings.EqualFold(k, word) {
			return k
		}
	}
	return word
}
