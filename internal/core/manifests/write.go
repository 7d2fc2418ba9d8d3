package manifests

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

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
		value := values[key]
		if text, ok := oneLine(value); ok {
			w.WriteString(" " + text + w.newline)
			continue
		}
		w.WriteString(w.newline)
		switch value := value.(type) {
		case map[string]any:
			w.mapping(indent+w.step, value)
		case []any:
			w.list(indent+w.listStep, value)
		}
	}
}

func (w *blockWriter) list(indent int, values []any) {
	for _, value := range values {
		w.WriteString(strings.Repeat(" ", indent) + "- ")
		if entries, isMap := value.(map[string]any); isMap && len(entries) > 0 {
			w.mapping(indent+2, entries)
			continue
		}
		w.WriteString(flowText(value, plain) + w.newline)
	}
}

// oneLine returns the text of a value that has no lines of its own.
func oneLine(value any) (text string, ok bool) {
	switch value := value.(type) {
	case map[string]any:
		ok = len(value) == 0
	case []any:
		ok = len(value) == 0
	default:
		ok = true
	}
	if !ok {
		return "", false
	}
	return flowText(value, plain), true
}

// flow writes a value in one line, with brackets.
func (e *editor) flow(value any) string {
	if e.json {
		return flowText(value, inQuotes)
	}
	return flowText(value, plain)
}

// entries writes the entries of a mapping in brackets.
func (e *editor) entries(values map[string]any) []string {
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(values)) {
		parts = append(parts, e.flow(key)+": "+e.flow(values[key]))
	}
	return parts
}

// flowText writes a value in one line, with a function for texts.
func flowText(value any, text func(string) string) string {
	var parts []string
	switch value := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			parts = append(parts, text(key)+": "+flowText(value[key], text))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case []any:
		for _, v := range value {
			parts = append(parts, flowText(v, text))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case string:
		return text(value)
	case nil, bool, int64, float64:
		written, err := json.Marshal(value)
		if err != nil {
			panic(err) // a tree has only numbers of JSON
		}
		return string(written)
	default:
		panic(fmt.Sprintf("a %T cannot be written", value))
	}
}

// simple matches texts that need no quotes, except numbers, booleans and null.
var simple = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/-]*$`)

// plain writes a text without quotes if YAML reads it as a text.
func plain(text string) string {
	if simple.MatchString(text) && readsAsText(text) {
		return text
	}
	return inQuotes(text)
}

// readsAsText reports whether readers of YAML take a simple text without quotes for a text. Only the words for booleans
// and null are different if the text begins with a letter; dates and numbers begin with a digit. yaml.Marshal knows all
// of them, but needs a buffer of 80 kB for each text.
func readsAsText(text string) bool {
	if unicode.IsLetter(rune(text[0])) {
		_, tag := resolve(text)
		return tag == tagString
	}
	written, err := yaml.Marshal(text)
	return err == nil && string(written) == text+"\n"
}

// inQuotes writes a text in JSON, which is valid YAML.
func inQuotes(text string) string {
	written, err := json.Marshal(text)
	if err != nil {
		panic(err) // a text can always be encoded
	}
	return string(written)
}
