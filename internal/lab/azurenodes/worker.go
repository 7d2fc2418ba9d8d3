package azurenodes

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/mixedkube/mixedkube/internal/azuresim/armclient"
)

const (
	// workerVariable is the directory of the simulated Azure in the environment of a worker, and stepsVariable the
	// number of the operation whose steps it runs.
	workerVariable = "MIXEDKUBE_AZURE_WORKER"
	stepsVariable  = "MIXEDKUBE_AZURE_STEPS"
)

// WorkerMark is the entry in the environment of the workers of the simulated Azure in a directory.
func WorkerMark(dir string) string { return workerVariable + "=" + dir }

// work runs the steps of an operation in another process of the same program, which calls [ContinueAsWorker]. Like
// Azure, it continues if the client is killed.
func work(ctx context.Context, steps int) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	dir := os.Getenv(armclient.DirVariable)
	log, err := os.OpenFile(filepath.Join(dir, "steps.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	cmd := exec.CommandContext(ctx, program)
	cmd.Env = append(os.Environ(), WorkerMark(dir), stepsVariable+"="+strconv.Itoa(steps))
	cmd.Stderr = log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("the steps of operation %d: %w: see %s", steps, err, log.Name())
	}
	return nil
}

// ContinueAsWorker runs the steps of an operation if the environment names one. The program then has to exit with the
// status.
func ContinueAsWorker() (status int, is bool) {
	number := os.Getenv(stepsVariable)
	if number == "" {
		return 0, false
	}
	steps, err := strconv.Atoi(number)
	if err == nil {
		err = runSteps(context.Background(), steps)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "operation %s: %v\n", number, err)
		return 1, true
	}
	return 0, true
}

func runSteps(ctx context.Context, steps int) error {
	cloud, err := armclient.CloudFromEnvironment(Options)
	if err != nil {
		return err
	}
	return cloud.RunSteps(ctx, steps)
}
