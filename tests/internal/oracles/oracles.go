// Package oracles runs the programs that compute what the API server of a version of Kubernetes answers to an object,
// and where its scheduler places a pod (internal/lab/tools/oracle).
package oracles

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/mixedkube/mixedkube/internal/lab/tools"
)

// Oracle is a running program that returns the answers of the API server of one version of Kubernetes. It handles one
// batch of questions at a time.
type Oracle struct {
	// Version is the release, v1.36.3 for example; Minor is 1.36.
	Version, Minor string
	Program        string

	mu        sync.Mutex
	questions io.WriteCloser
	answers   *bufio.Reader
}

// Start starts an oracle for each version, the oldest first, until the end of the test. It builds those that are not
// built yet, which takes a while.
func Start(t *testing.T, args ...string) []*Oracle {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	cache, err := tools.FromRoot(root, t.Output())
	if err != nil {
		t.Fatal(err)
	}
	names := tools.Oracles()
	paths, err := cache.Ensure(t.Context(), names...)
	if err != nil {
		t.Fatal(err)
	}
	var all []*Oracle
	for _, name := range names {
		version, err := cache.Pinned(name)
		if err != nil {
			t.Fatal(err)
		}
		o := start(t, paths[name], args...)
		o.Version, o.Minor = version, strings.TrimPrefix(name, "oracle-")
		all = append(all, o)
	}
	return all
}

func start(t *testing.T, path string, args ...string) *Oracle {
	t.Helper()
	// The context of the test is canceled before the cleanup, which lets the program end by itself.
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), path, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	questions, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	answers, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = questions.Close()
		// Discard the answers that have not been read.
		_, _ = io.Copy(io.Discard, answers)
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s: %v\n%s", filepath.Base(path), err, stderr.String())
		}
	})
	return &Oracle{Program: path, questions: questions, answers: bufio.NewReaderSize(answers, 1<<20)}
}

// Question encodes an object as a line of JSON.
func Question(object map[string]any) ([]byte, error) {
	line, err := json.Marshal(object)
	return append(line, '\n'), err
}

// Ask sends all questions, each a line of JSON, and decodes the answers in the same order.
func Ask[T any](o *Oracle, lines [][]byte) ([]T, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	written := make(chan error, 1)
	// Write while reading the answers: a pipe cannot hold all of them.
	go func() {
		_, err := o.questions.Write(bytes.Join(lines, nil))
		written <- err
	}()
	answers := make([]T, len(lines))
	for i := range answers {
		line, err := o.answers.ReadBytes('\n')
		if err == nil {
			err = json.Unmarshal(line, &answers[i])
		}
		if err != nil {
			return nil, fmt.Errorf("oracle %s: %w", o.Version, err)
		}
	}
	return answers, <-written
}
