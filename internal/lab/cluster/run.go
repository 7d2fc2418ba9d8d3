package cluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/client-go/kubernetes"

	"github.com/mixedkube/mixedkube/internal/lab/processes"
)

// run starts the components that do not run, and returns when all of them run and the API
// server is ready. On a busy machine that may take longer than the other components wait for it,
// and they end: run starts them again.
func (c Cluster) run(ctx context.Context, o Options) (*kubernetes.Clientset, error) {
	var problem error
	for tries := 3; tries > 0; tries-- {
		forgotten, err := c.forget(o.LabID)
		if err != nil {
			return nil, err
		}
		started := time.Now()
		if err := c.kwokctlCreate(ctx, o); err != nil {
			return nil, err
		}
		client, err := c.Client()
		if err != nil {
			return nil, err
		}
		// kwokctl reports a cluster that does not become ready, and succeeds.
		problem = waitReady(ctx, client)
		// A component that waits for the API server checks every second, and ends after a while.
		if time.Since(started) > apiServerTimeout-time.Second {
			if err := sleep(ctx, 2*time.Second); err != nil {
				return nil, err
			}
		}
		ended, err := c.ended(o.LabID)
		if err != nil {
			return nil, err
		}
		if len(ended) == 0 && problem == nil {
			orphans, err := c.orphans(ctx, client, forgotten, started)
			if err != nil || len(orphans) == 0 {
				return client, err
			}
			if err := c.endLeases(ctx, client, o.LabID, orphans); err != nil {
				return nil, err
			}
			// KWOK has to start again, which does not count as a failure.
			tries++
			continue
		}
		if len(ended) == 0 {
			break
		}
		problem = errors.Join(problem, fmt.Errorf("%s ended", strings.Join(ended, ", ")))
	}
	return nil, fmt.Errorf("the control plane is not ready: %w\n%s", problem, c.logs())
}

// apiServerTimeout is how long kube-controller-manager waits for the API server when it starts
// (WaitForAPIServer in cmd/kube-controller-manager/app). KWOK waits a little longer.
const apiServerTimeout = 10 * time.Second

// ended lists the components whose processes have ended without kwokctl.
func (c Cluster) ended(labID string) ([]string, error) {
	alive, err := processes.Of(labID)
	if err != nil {
		return nil, err
	}
	var ended []string
	files, _ := filepath.Glob(c.pidFile("*"))
	for _, file := range files {
		component := strings.TrimSuffix(filepath.Base(file), ".pid")
		if pid, err := c.pid(component); err != nil || !slices.Contains(alive, pid) {
			ended = append(ended, component)
		}
	}
	return ended, nil
}

// forget removes kwokctl's files with the IDs of processes that have ended without it, by a reboot
// for example. kwokctl would mistake any process that has such an ID now for its own, and would not
// start the component again.
func (c Cluster) forget(labID string) ([]string, error) {
	ended, err := c.ended(labID)
	for _, component := range ended {
		err = errors.Join(err, os.Remove(c.pidFile(component)))
	}
	return ended, err
}

// pidFile returns the file in which kwokctl writes the process ID of a component.
func (c Cluster) pidFile(component string) string {
	return filepath.Join(c.workdir(), "pids", component+".pid")
}

// pid returns the process ID of a component from kwokctl's file.
func (c Cluster) pid(component string) (int, error) {
	content, err := os.ReadFile(c.pidFile(component))
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(content)))
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
