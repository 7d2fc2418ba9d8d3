package lab

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/internal/lab/processes"
	"github.com/mixedkube/mixedkube/internal/stackconfig"
)

// change does something to the lab, for a valid configuration of the stack and
// alone. If it is cut off, the next one finds a mark and starts with an empty
// lab: nobody can know how far the first one came.
func (l *Lab) change(o Options, do func(stackconfig.Config) error) error {
	config, err := deploy.ReadStack(l.Stacks, o.Stack)
	if err != nil {
		return err
	}
	if err := l.checkVersion(config); err != nil {
		return err
	}
	unlock, err := l.lock()
	if err != nil {
		return err
	}
	defer unlock()
	if running := l.stack(); running != "" && running != o.Stack {
		return fmt.Errorf("the lab runs the stack %s: take it down with `make down` before you start %s", running, o.Stack)
	}
	mark := filepath.Join(l.dir, "changing")
	if _, err := os.Stat(mark); err == nil {
		l.progress("lab", "an earlier run was cut off: removing what it left in %s", l.dir)
		if err := l.empty(); err != nil {
			return err
		}
	}
	if err := os.WriteFile(mark, nil, 0o600); err != nil {
		return err
	}
	if err = do(config); !errors.Is(err, deploy.ErrCutOff) {
		err = errors.Join(err, os.Remove(mark))
	}
	return err
}

// empty ends all processes of the lab and removes what it has made.
func (l *Lab) empty() error {
	if err := processes.Kill(l.ID()); err != nil {
		return err
	}
	for _, path := range []string{l.cluster().Dir, l.AzureDir(), l.pulumiDir(), l.stackNote()} {
		if err := os.RemoveAll(path); err != nil {
			return err
		}
	}
	return nil
}

// lock keeps other commands off the lab, and sees that it has an ID.
func (l *Lab) lock() (unlock func(), err error) {
	if err := os.MkdirAll(l.dir, 0o700); err != nil {
		return nil, err
	}
	lock := flock.New(filepath.Join(l.dir, "lock"))
	got, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock the lab: %w", err)
	}
	if !got {
		return nil, fmt.Errorf("another command is at work on the lab in %s: wait until it has ended", l.dir)
	}
	unlock = func() { _ = lock.Unlock() }
	if l.ID() == "" {
		if err := os.WriteFile(l.idNote(), []byte(rand.Text()), 0o600); err != nil {
			unlock()
			return nil, err
		}
	}
	return unlock, nil
}

// ID tells the lab's processes from those of other labs, wherever its folder is
// moved. It is "" for a lab that has never been started.
func (l *Lab) ID() string {
	id, _ := os.ReadFile(l.idNote())
	return string(id)
}

func (l *Lab) idNote() string { return filepath.Join(l.dir, "id") }

// stack is the stack of the lab, "" where none was started.
func (l *Lab) stack() string {
	name, _ := os.ReadFile(l.stackNote())
	return string(name)
}

func (l *Lab) stackNote() string { return filepath.Join(l.dir, "stack") }
