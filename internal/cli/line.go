package cli

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"github.com/mixedkube/mixedkube/internal/manifests"
)

// oneLine returns a text for a terminal: in one line, with escapes instead of characters that a terminal interprets or
// does not show. The names of files and objects can have both.
func oneLine(text string) string {
	var b strings.Builder
	for _, r := range text {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
	}
	return b.String()
}

// printErrors writes each error in a line of its own, with joined errors separated.
func printErrors(w io.Writer, errs ...error) {
	for _, err := range manifests.Flat(errs) {
		fmt.Fprintln(w, oneLine(err.Error()))
	}
}

// printLines writes each text in a line of its own.
func printLines(w io.Writer, texts []string) {
	for _, text := range texts {
		fmt.Fprintln(w, oneLine(text))
	}
}
