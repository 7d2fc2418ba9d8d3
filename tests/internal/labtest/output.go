package labtest

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"testing"
)

// Output keeps what a lab prints, and shows it in the test's log.
type Output struct {
	mu   sync.Mutex
	text bytes.Buffer
	to   io.Writer
}

// Write keeps what a lab prints, and passes it on.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.text.Write(p)
	return o.to.Write(p)
}

// Redirect shows what comes next elsewhere.
func (o *Output) Redirect(to io.Writer) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.to = to
}

// Take returns what was printed since the last call.
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
