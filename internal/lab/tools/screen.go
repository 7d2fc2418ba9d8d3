package tools

import (
	"io"
	"os"
	"sync"
)

// screen is where progress is written to: complete lines, which are the same on a
// terminal and in a log, and on a terminal a changing line below them.
type screen struct {
	to io.Writer
	// live is true if to is a terminal.
	live bool

	mu    sync.Mutex
	shown bool
}

func newScreen(to io.Writer) *screen {
	if to == nil {
		to = io.Discard
	}
	return &screen{to: to, live: isTerminal(to)}
}

func isTerminal(to io.Writer) bool {
	file, ok := to.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"
}

// erase empties the line of the cursor.
const erase = "\r\x1b[2K"

// line writes a line.
func (s *screen) line(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.erase()
	// The work continues if the reader of the progress has closed it.
	_, _ = io.WriteString(s.to, text+"\n")
}

// status replaces the changing line; "" removes it. In a log, the status is a line like
// any other.
func (s *screen) status(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.erase()
	switch {
	case text == "":
	case s.live:
		s.shown = true
		// A longer text would take a second line, which is not erased.
		const width = 79
		if letters := []rune(text); len(letters) > width {
			text = string(letters[:width-1]) + "…"
		}
		_, _ = io.WriteString(s.to, text)
	default:
		_, _ = io.WriteString(s.to, text+"\n")
	}
}

func (s *screen) erase() {
	if s.shown {
		_, _ = io.WriteString(s.to, erase)
	}
	s.shown = false
}
