package tools

import (
	"fmt"
	"strings"
	"time"
)

// progress writes lines about the running work.
type progress struct{ out *screen }

// line writes a line about the tools as a whole.
func (p progress) line(format string, args ...any) {
	p.out.line("tools    " + fmt.Sprintf(format, args...))
}

// about writes a line about one tool.
func (p progress) about(at location, format string, args ...any) {
	p.line("%s: %s", at.subject(), fmt.Sprintf(format, args...))
}

func (at location) subject() string { return at.name + " " + at.pinned }

// subjects returns the names of tools.
func subjects(tools []*location) string {
	var all []string
	for _, at := range tools {
		all = append(all, at.subject())
	}
	return strings.Join(all, ", ")
}

// alternative returns how to get the tool without building it.
func (at location) alternative() string {
	if at.install != "" {
		return at.install
	}
	return fmt.Sprintf("put %s %s on PATH", at.name, at.fits.needs(at.pinned))
}

// summary returns one line with the sources of the tools.
func summary(located []location, took time.Duration) string {
	counts := map[source]int{}
	for _, at := range located {
		counts[at.source]++
	}
	var parts []string
	for _, part := range []struct {
		source source
		words  string
	}{
		{fromPath, "on PATH"},
		{fromPlugins, "in Pulumi's plugin directory"},
		{fromCache, "cached"},
		{fromArchive, "from the archive"},
		{toBuild, "built in " + duration(took)},
	} {
		if n := counts[part.source]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, part.words))
		}
	}
	return fmt.Sprintf("%d ready: %s", len(located), strings.Join(parts, ", "))
}

// duration formats a duration in seconds, with tenths below ten seconds.
func duration(d time.Duration) string {
	if d < 10*time.Second {
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}

// amount formats a size in megabytes, or in bytes if it is small.
func amount(bytes int64) string {
	if bytes < 1e6 {
		return fmt.Sprintf("%d bytes", bytes)
	}
	return fmt.Sprintf("%.0f MB", float64(bytes)/1e6)
}
