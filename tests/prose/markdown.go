package prose

import (
	"regexp"
	"strings"
)

// item matches the beginning of a line that does not continue the previous line.
var item = regexp.MustCompile(`^\s*([-*+] |\d+\. |>|\|)`)

// markdownUnits leaves out blocks of code and comments. Each cell of a table is a unit.
func markdownUnits(name, source string) []Unit {
	var units []Unit
	p := &paragraph{path: name}
	fenced, comment := "", false
	for i, line := range strings.Split(source, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case fenced != "":
			if strings.HasPrefix(trimmed, fenced) {
				fenced = ""
			}
			continue
		case strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "~~~"):
			fenced = trimmed[:3]
			units = p.flush(units)
			continue
		case comment, strings.HasPrefix(trimmed, "<!--"):
			comment = !strings.Contains(trimmed, "-->")
			units = p.flush(units)
			continue
		case trimmed == "", strings.HasPrefix(trimmed, "#"), item.MatchString(line):
			units = p.flush(units)
		}
		if strings.HasPrefix(trimmed, "|") {
			for cell := range strings.SplitSeq(strings.Trim(trimmed, "| "), " | ") {
				p.cell = true
				p.add(cell, i+1)
				units = p.flush(units)
			}
			continue
		}
		p.heading = p.heading || strings.HasPrefix(trimmed, "#")
		p.add(strings.TrimLeft(item.ReplaceAllString(line, ""), "# "), i+1)
		if p.heading {
			units = p.flush(units)
		}
	}
	return p.flush(units)
}
