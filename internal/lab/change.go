package lab

import (
	"errors"
	"fmt"
	"os"

	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/stacks/stackconfig"
)

// change calls do for a valid configuration of the stack, while no other command works on the lab. If it is
// interrupted, the next change finds a mark and starts with an empty lab, because it cannot know how far the
// interrupted one got.
func (l *Lab) change(o Options, do func(stackconfig.Config) error) error {
	config, err := deploy.ReadStack(l.Stacks, o.Stack)
	if err != nil {
		return err
	}
	if err := l.checkVersion(config); err != nil {
		return err
	}
	if _, err := l.projectOf(config, o.Stack, o.language()); err != nil {
		return err
	}
	unlock, err := l.lock()
	if err != nil {
		return err
	}
	defer unlock()
	if running := l.stack(); running != "" && running != o.Stack {
		return fmt.Errorf("the lab runs the stack %s: take it down with `make down` before you start %s", running,
			o.Stack)
	}
	if err := l.checkLanguage(config, o.language()); err != nil {
		return err
	}
	mark := l.changeMark()
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
