package manifests

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// blockWriter writes values in lines of their own.
type blockWriter struct {
	strings.Builder
	// step and listStep are how far mappings and lists are indented in a mapping.
	step, listStep int
	newline        string
}

func (w *blockWriter) mapping(indent int, values map[string]any) {
	for i, key := range slices.Sorted(maps.Keys(values)) {
		// The first key of a list's element follows its hyphen.
		if i > 0 || !strings.HasSuffix(w.String(), "- ") {
			w.WriteString(strings.Repeat(" ", indent))
		}
		w.WriteString(plain(key) + ":")
		switch value := values[key].(type) {
		case map[string]any:
			w.WriteString(w.newline)
			w.mapping(indent+w.step, value)
		case []any:
			w.WriteString(w.newline)
			w.list(indent+w.listStep, value)
		case string:
			w.WriteString(" " + plain(value) + w.newline)
		}
	}
}

func (w *blockWriter) list(indent int, values []any) {
	for _, value := range values {
		w.WriteString(strings.Repeat(" ", indent) + "- ")
		switch value := value.(type) {
		case map[string]any:
			w.mapping(indent+2, value)
		case string:
			w.WriteString(plain(value) + w.newline)
		}
	}
}

// flow writes a value in one line, with brackets.
func (e *editor) flow(value any) string {
	switch value := value.(type) {
	case map[string]any:
		return "{" + strings.Join(e.entries(value), ", ") + "}"
	case []any:
		parts := make([]string, len(value))
		for i, v := range value {
			parts[i] = e.flow(v)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case string:
		return e.scalar(value)
	default:
		return "null"
	}
}

func (e *editor) entries(values map[string]any) []string {
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(values)) {
		parts = append(parts, e.scalar(key)+": "+e.flow(values[key]))
	}
	return parts
}

func (e *editor) scalar(text string) string {
	if e.json {
		return inQuotes(text)
	}
	return plain(text)
}

// simple matches texts that need no quotes, except numbers, booleans and null.
var simple = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/-]*$`)

// plain writes a text without quotes if YAML reads it as a text.
func plain(text string) string {
	written, err := yaml.Marshal(text)
	if err == nil && simple.MatchString(text) && string(written) == text+"\n" {
		return text
	}
	return inQuotes(text)
}

// inQuotes writes a text in JSON, which is valid YAML.
func inQuotes(text string) string {
	written, err := json.Marshal(text)
	if err != nil {
		panic(err) // a text can always be encoded
	}
	return string(written)
}
