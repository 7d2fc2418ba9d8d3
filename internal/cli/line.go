package cli

import (
	"fmt"
	"io"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
)

// All output of the commands goes through this file: [tests/architecture] holds it. Terminals and the agents of CI
// services read both standard output and standard error, and the name of a file or an object can be a command for
// them.

// printErrors writes each error in a line of its own, with joined errors separated.
func printErrors(w io.Writer, errs ...error) {
	for _, err := range manifests.Flat(errs) {
		printLine(w, err.Error())
	}
}

// printLines writes each text in a line of its own.
func printLines(w io.Writer, texts []string) {
	for _, text := range texts {
		printLine(w, text)
	}
}

// printLine writes a text in one line.
func printLine(w io.Writer, text string) { fmt.Fprintln(w, escape.Line(text)) }

// printText writes a text of several lines.
func printText(w io.Writer, text string) { fmt.Fprint(w, escape.Lines(text)) }

// printEscaped writes a text whose parts are escaped already: it has colors, or is in a format with escapes of its own.
// Between the parts, it only looks for commands.
func printEscaped(w io.Writer, text string) error {
	_, err := io.WriteString(w, escape.Commands(text))
	return err
}

// printData writes bytes that another program reads, unchanged.
func printData(w io.Writer, data []byte) error {
	_, err := w.Write(data)
	return err
}
