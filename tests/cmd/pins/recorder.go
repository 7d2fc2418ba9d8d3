package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/mixedkube/mixedkube/internal/lab"
	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/internal/lab/tools"
)

// recorder deploys stacks of a program into a lab of its own.
type recorder struct {
	lab           *lab.Lab
	program, temp string
}

// newRecorder starts the lab of a stack. end takes it down, and removes its files.
func newRecorder(
	ctx context.Context, cache *tools.Cache, stack, program string,
) (r recorder, end func() error, err error) {
	temp, err := os.MkdirTemp("", "pins-*")
	if err != nil {
		return recorder{}, nil, err
	}
	end = func() error { return os.RemoveAll(temp) }
	l, err := lab.New(cache, filepath.Join(temp, "lab"), os.Stdout)
	if err != nil {
		return recorder{}, nil, errors.Join(err, end())
	}
	end = func() error { return errors.Join(l.Down(), os.RemoveAll(temp)) }
	if err := l.Start(ctx, lab.Options{Stack: stack}); err != nil {
		return recorder{}, nil, errors.Join(err, end())
	}
	return recorder{l, program, temp}, end, nil
}

// export returns the state of a stack.
func (r recorder) export(ctx context.Context, stack *deploy.Stack) ([]byte, error) {
	file := filepath.Join(r.temp, stack.Name+".json")
	if err := stack.Export(ctx, file); err != nil {
		return nil, err
	}
	return os.ReadFile(file)
}
