package sources

import (
	"errors"
	"slices"
	"strings"
)

// MaxMemory is how many bytes of memory a program may have: ten times as many as helm needs to render a chart with
// dozens of subcharts. Only Linux can limit it.
const MaxMemory = 2 << 30

// ErrMemory means that a program has ended without memory.
var ErrMemory = errors.New("has crashed, probably because it needs more than 2 GB of memory")

// outOfMemory reports whether a program in Go has crashed in its runtime. Without memory, this is a fatal error, or the
// garbage collector fails.
func outOfMemory(messages []string) bool {
	return slices.ContainsFunc(messages, func(line string) bool {
		return strings.HasPrefix(line, "fatal error: ") || strings.HasPrefix(line, "SIGSEGV: ")
	})
}
