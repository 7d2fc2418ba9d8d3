package exampletest

import (
	"fmt"
	"regexp"
	"strings"
)

// shortest is how many lines a text has that is shown once.
const shortest = 5

// block is the beginning of a text of several lines in YAML.
var block = regexp.MustCompile(`^ *(?:- )*(?:[^ ].*:|-) \|[-+]?$`)

// part is a line of a graph, and the text of several lines that begins there.
type part struct{ line, text string }

// same returns the text without its indentation, or nothing if it is short.
func (p part) same() string {
	if strings.Count(p.text, "\n") < shortest {
		return ""
	}
	return strings.ReplaceAll("\n"+p.text, "\n"+strings.Repeat(" ", indentation(p.text)), "\n")
}

// once shows a text that a graph has several times only once, with a number, and only the number in the other places:
// programs such as the checks of package connectivity put one script into many containers.
func once(graph string) string {
	parts := partsOf(graph)
	count, numbers := map[string]int{}, map[string]int{}
	for _, p := range parts {
		count[p.same()]++
	}
	var b strings.Builder
	for _, p := range parts {
		same := p.same()
		switch {
		case same == "" || count[same] == 1:
			fmt.Fprintf(&b, "%s\n%s", p.line, p.text)
		case numbers[same] > 0:
			fmt.Fprintf(&b, "%s (text %d again)\n", p.line, numbers[same])
		default:
			numbers[same] = len(numbers) + 1
			fmt.Fprintf(&b, "%s (text %d)\n%s", p.line, numbers[same], p.text)
		}
	}
	return b.String()
}

func partsOf(graph string) []part {
	var parts []part
	inside := false
	for line := range strings.Lines(graph) {
		if inside {
			last := &parts[len(parts)-1]
			if line == "\n" || indentation(line) > indentation(last.line) {
				last.text += line
				continue
			}
		}
		line = strings.TrimSuffix(line, "\n")
		inside = block.MatchString(line)
		parts = append(parts, part{line: line})
	}
	return parts
}

func indentation(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }
