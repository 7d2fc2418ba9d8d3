// Package proctime measures the processor time of processes, and of all processes that they have
// started, and divides it among owners: tests, for example.
//
// It reads /proc once a second. A process that ends between two readings is not lost: its parent
// has its time after it has waited for it.
package proctime

import (
	"context"
	"sync"
	"time"
)

// Owner is whose time it is, in parts: a test and a program, for example.
type Owner struct{ Test, Program string }

// Use is the processor time of an owner, and how many processes have used it.
type Use struct {
	Time      time.Duration
	Processes int
}

// Process is a running process.
type Process struct {
	PID, Parent int
	// Name is the name of its program, of at most 15 bytes.
	Name string
	// Args, Env and Dir are its arguments, the environment that it was started with and its directory, if they can
	// be read.
	Args, Env []string
	Dir       string
}

// interval is the time between two readings.
const interval = time.Second

// Meter measures until it is stopped.
type Meter struct {
	stop func()
	done sync.WaitGroup
	book *book
}

// Start begins to measure the processes that the process root starts, and the ones that belongs reports. The
// function own returns the owner of a process, from the owner of its parent.
func Start(root int, belongs func(Process) bool, own func(p Process, parent Owner) Owner) *Meter {
	ctx, stop := context.WithCancel(context.Background())
	m := &Meter{stop: stop, book: newBook(root, belongs, own)}
	m.book.read()
	m.done.Go(func() {
		ticker := time.NewTicker(interval)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				m.book.read()
			}
		}
	})
	return m
}

// Stop ends the measurement, and returns the time of each owner. It does not count processes that no reading has seen.
func (m *Meter) Stop() map[Owner]Use {
	m.stop()
	m.done.Wait()
	m.book.read()
	return m.book.sums()
}
