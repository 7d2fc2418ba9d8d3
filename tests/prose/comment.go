package prose

import "strings"

// commentUnits finds the lines that are comments, and what follows ## in the Makefile, which is its help.
func commentUnits(name, source, marker string) []Unit {
	var units []Unit
	p := &paragraph{path: name}
	for i, line := range strings.Split(source, "\n") {
		text, isComment := strings.CutPrefix(strings.TrimLeft(line, "\t @"), marker)
		if !isComment {
			units = p.flush(units)
			if _, help, ok := strings.Cut(line, "## "); ok {
				p.add(help, i+1)
				units = p.flush(units)
			}
			continue
		}
		if strings.TrimSpace(text) == "" || item.MatchString(text) {
			units = p.flush(units)
		}
		p.add(text, i+1)
	}
	return p.flush(units)
}

// blocksAsLines replaces each line of a comment or docstring that begins a line with a comment of one line.
func blocksAsLines(source, opening, closing, marker string) string {
	lines := strings.Split(source, "\n")
	inside := false
	for i, line := range lines {
		text := strings.TrimSpace(line)
		if !inside {
			if text, inside = strings.CutPrefix(text, opening); !inside {
				continue
			}
		}
		text, _, ends := strings.Cut(text, closing)
		lines[i], inside = marker+" "+strings.TrimPrefix(text, "* "), !ends
	}
	return strings.Join(lines, "\n")
}
