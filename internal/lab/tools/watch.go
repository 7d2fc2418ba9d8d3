package tools

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"time"
)

// watch follows builds by the output of go, which prints a package's name when it begins to
// compile it.
type watch struct {
	progress
	started time.Time

	mu sync.Mutex
	// all has the packages of the builds, and done the compiled ones, by id.
	all, done map[string]planned
	// begun has the packages that these builds have compiled: they determine the speed.
	begun map[string]planned
	// fetched counts the modules.
	fetched int
	last    string

	// weight and processors are the input of the estimate.
	weight     func(planned) float64
	processors int
}

func newWatch(p progress) *watch {
	return &watch{
		progress: p, started: time.Now(), weight: planned.weight, processors: runtime.NumCPU(),
		all: map[string]planned{}, done: map[string]planned{}, begun: map[string]planned{},
	}
}

// add adds the packages of a build.
func (w *watch) add(p plan) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, one := range p.packages {
		w.all[one.id] = one
	}
}

// begin records that a package of a build is being compiled: its imports are done,
// whether they were compiled now or before. It reports whether the line names a package.
func (w *watch) begin(p plan, line string) bool {
	one, ok := p.packages[line]
	if !ok {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.begun[one.id], w.last = one, line
	p.before(line, func(earlier planned) bool {
		_, known := w.done[earlier.id]
		w.done[earlier.id] = earlier
		return !known
	})
	return true
}

// end records that a build has ended.
func (w *watch) end(p plan) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, one := range p.packages {
		w.done[one.id] = one
	}
	w.last = ""
}

// fetching records that go fetches a module. It reports whether the line is about that.
func (w *watch) fetching(line string) bool {
	if !strings.HasPrefix(line, "go: downloading ") {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fetched++
	return true
}

// show shows the progress of the builds until end is called: on a terminal in one changing line,
// otherwise in a line from time to time.
func (w *watch) show(every time.Duration) (end func()) {
	if w.out.live {
		every = time.Second
	}
	ticker, ended := time.NewTicker(every), make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		for {
			select {
			case <-ended:
				return
			case <-ticker.C:
				w.out.status(w.text())
			}
		}
	})
	return func() {
		ticker.Stop()
		close(ended)
		all.Wait()
		w.out.status("")
	}
}

// text returns the progress of the builds, or "" while nothing is known.
func (w *watch) text() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case len(w.all) == 0 && w.fetched == 0:
		return ""
	case len(w.all) == 0:
		return fmt.Sprintf("tools    fetching modules, %d so far", w.fetched)
	}
	text := fmt.Sprintf("tools    %d of %d packages compiled, %s", len(w.done), len(w.all),
		w.left(time.Since(w.started)))
	if w.last != "" {
		text += ": " + w.last
	}
	return text
}

// left estimates the remaining time.
func (w *watch) left(elapsed time.Duration) string {
	var left, compiled float64
	for id, one := range w.all {
		if _, done := w.done[id]; !done {
			left += w.weight(one)
		}
	}
	for id, one := range w.begun {
		if _, done := w.done[id]; done {
			compiled += w.weight(one)
		}
	}
	// Assume the same speed as before; at first, 80 % of the processors.
	speed := 0.8 * float64(w.processors)
	if compiled > 30 {
		speed = compiled / elapsed.Seconds()
	}
	switch minutes := int(left/speed/60 + 0.5); minutes {
	case 0:
		return "less than a minute left"
	case 1:
		return "about a minute left"
	default:
		return fmt.Sprintf("about %d minutes left", minutes)
	}
}
