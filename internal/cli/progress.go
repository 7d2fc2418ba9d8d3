package cli

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
)

// showAfter is the delay before progress is shown, and betweenSteps the time between its changes.
const (
	showAfter    = 2 * time.Second
	betweenSteps = 200 * time.Millisecond
)

// progress shows on a terminal what a command is doing, once it has taken longer than two seconds: in one line, which
// disappears when the command continues. It shows nothing in a pipe or a file. Nothing else may be written to the
// terminal meanwhile.
type progress struct {
	w     io.Writer
	after time.Duration

	mutex sync.Mutex
	text  string
	stop  chan struct{}
	done  sync.WaitGroup
}

// started shows a text until end is called.
func started(w io.Writer, text string) *progress {
	p := &progress{w: w, after: showAfter, text: text}
	if isTerminal(w) {
		p.start()
	}
	return p
}

// say changes the text.
func (p *progress) say(format string, args ...any) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.text = fmt.Sprintf(format, args...)
}

// cleared moves to the beginning of a line and clears it (ECMA-48: CR, EL).
const cleared = "\r\x1b[K"

func (p *progress) start() {
	p.stop = make(chan struct{})
	begun := time.Now()
	p.done.Go(func() {
		wait := time.NewTimer(p.after)
		defer wait.Stop()
		shown := false
		for {
			select {
			case <-p.stop:
				if shown {
					_ = printEscaped(p.w, cleared)
				}
				return
			case <-wait.C:
				shown = true
				p.mutex.Lock()
				text := p.text
				p.mutex.Unlock()
				_ = printEscaped(p.w, fmt.Sprintf("%s%s (%ds)", cleared, short(escape.Line(text)),
					int(time.Since(begun).Seconds())))
				wait.Reset(betweenSteps)
			}
		}
	})
}

// end removes the line. It may be called more than once.
func (p *progress) end() {
	if p.stop == nil {
		return
	}
	close(p.stop)
	p.done.Wait()
	p.stop = nil
}

// mostProgress is the maximum length of a text, so that it fits into a line of a narrow terminal.
const mostProgress = 70

func short(text string) string {
	if runes := []rune(text); len(runes) > mostProgress {
		return string(runes[:mostProgress-1]) + "…"
	}
	return text
}
