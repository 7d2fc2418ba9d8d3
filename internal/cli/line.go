package cli

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"github.com/mixedkube/mixedkube/internal/manifests"
)

// oneLine is a text for a terminal: in one line, and with escapes in the place of what a
// terminal acts upon or does not show. The names of files and objects can hold either.
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

// printErrors writes errors, each in a line of its own, joined ones apart.
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
