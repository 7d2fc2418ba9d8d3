package azure

import (
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/internal/nearest"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// option looks up what is passed through, by a path such as
// "networkProfile.networkPlugin". It is [tree.Unknown] if it is, and nil if
// something around it is not known: then nobody can say whether it is set.
func option(options map[string]any, path string) any {
	keys := strings.Split(path, ".")
	last := len(keys) - 1
	around := tree.At(options, keys[:last]...)
	v := tree.Map(around)[keys[last]]
	if tree.Reveal(v) == nil {
		return nil
	}
	return v
}

// open is a text that is known and may be shown.
func open(v any) string {
	s, _ := v.(string)
	return s
}

// isTrue is false for what is not known or secret.
func isTrue(v any) bool {
	b, _ := v.(bool)
	return b
}

// meant is the words that can be used, with what was probably meant in front.
func meant(value string, words, usable []string) (fix string, near bool) {
	list := join(usable, "or")
	if word, ok := nearest.Of(value, words); ok {
		return "did you mean " + quote(word) + "? use " + list, true
	}
	return "use " + list, false
}

// unknownWord is an error for what is probably misspelled, and a warning for what may
// be new in Azure. The text what has an article.
func unknownWord(path, value, what string, known, usable []string) problem {
	fix, near := meant(value, known, usable)
	found := problem{path: path, value: value, detail: "not " + what + " that this library knows", fix: fix}
	if !near {
		found.severity = preflight.Warning
		found.fix = "make sure that Azure does, or " + fix
	}
	return found
}

func quote(s string) string { return `"` + s + `"` }

// join writes a list as people do: a, b or c.
func join[T ~string](list []T, word string) string {
	words := make([]string, len(list))
	for i, s := range list {
		words[i] = string(s)
	}
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " " + word + " " + words[last]
}

// among compares without case.
func among(words []string, s string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.EqualFold(w, s) })
}
