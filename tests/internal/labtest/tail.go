package labtest

import (
	"bytes"
	"io"
)

// shownLines is the number of lines of a lab's output that a failing test shows: the cause is at the end.
const shownLines = 120

// tail passes on the output of a lab if live is set. Otherwise it collects the last lines.
type tail struct {
	to     io.Writer
	live   bool
	buffer []byte
}

func (o *tail) Write(p []byte) (int, error) {
	if o.live {
		return o.to.Write(p)
	}
	o.buffer = append(o.buffer, p...)
	if lines := bytes.SplitAfter(o.buffer, []byte("\n")); len(lines) > 2*shownLines {
		o.buffer = bytes.Join(lines[len(lines)-shownLines:], nil)
	}
	return len(p), nil
}

// show writes the collected lines.
func (o *tail) show() {
	lines := bytes.SplitAfter(o.buffer, []byte("\n"))
	if _, err := o.to.Write(bytes.Join(lines[max(0, len(lines)-shownLines):], nil)); err != nil {
		panic(err) // a test's own output
	}
}
