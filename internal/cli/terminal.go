package cli

import (
	"io"
	"os"
	"strings"
)

// isTerminal reports whether the output goes to a device such as a terminal, not to a file or another program.
func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// forTerminal returns a text of several lines that a terminal may show: [oneLine] for each line, except that tabs stay.
func forTerminal(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		parts := strings.Split(strings.TrimSuffix(line, "\r"), "\t")
		for j := range parts {
			parts[j] = oneLine(parts[j])
		}
		lines[i] = strings.Join(parts, "\t")
	}
	return strings.Join(lines, "\n")
}
