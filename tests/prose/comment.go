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
