package manifests

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
)

// Line is a text for a terminal: in one line, and with escapes in the place of what a
// terminal acts upon or does not show. The names of files and objects can hold either.
func Line(text string) string {
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

// Print writes errors, each in a line of its own, joined ones apart.
func Print(w io.Writer, errs ...error) {
	for _, err := range Flat(errs) {
		fmt.Fprintln(w, Line(err.Error()))
	}
}

// Flat takes joined errors apart.
func Flat(errs []error) []error {
	var list []error
	for _, err := range errs {
		if joined, ok := err.(interface{ Unwrap() []error }); ok {
			list = append(list, Flat(joined.Unwrap())...)
		} else {
			list = append(list, err)
		}
	}
	return list
}
