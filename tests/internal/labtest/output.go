package labtest

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"testing"
)

// Output collects the output of a lab, and passes it on to the test's log.
type Output struct {
	mu   sync.Mutex
	text bytes.Buffer
	to   io.Writer
}

// Write collects the output of a lab, and passes it on.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.text.Write(p)
	return o.to.Write(p)
}

// Redirect passes the output that follows on to another writer.
func (o *Output) Redirect(to io.Writer) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.to = to
}

// Take returns the output since the last call.
func (o *Output) Take() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	text := o.text.String()
	o.text.Reset()
	return text
}

// Contains fails unless text contains every one of the parts.
func Contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in:\n%s", part, text)
		}
	}
}
