//go:build linux

package podnetwork

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/mixedkube/mixedkube/internal/lab/debian"
	"github.com/mixedkube/mixedkube/tests/internal/unpacked"
)

// namespace is a network namespace without a name: an open file keeps it, so that it is
// gone with the test, however that ends.
type namespace struct {
	name string // for messages
	file *os.File
}

// newNamespace creates a namespace in which packets are forwarded and nothing else happens to
// them: no redirects, and none is dropped for where it comes from. It skips the test
// where that is not allowed.
func newNamespace(t *testing.T, name string) namespace {
	t.Helper()
	ns := namespace{name: name}
	err := onThread(func() (err error) {
		if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
			return fmt.Errorf("make a network namespace: %w", err)
		}
		// The file of this thread, not of the process.
		ns.file, err = os.Open(fmt.Sprintf("/proc/self/task/%d/ns/net", unix.Gettid()))
		return err
	})
	if errors.Is(err, unix.EPERM) || errors.Is(err, unix.ENOSYS) {
		t.Skipf("needs the right to create network namespaces: run the tests as root: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ns.file.Close() })
	ns.do(t, func() error {
		for _, kind := range []string{"all", "default"} {
			for setting, value := range map[string]string{
				"rp_filter": "0", "accept_redirects": "0",
				"send_redirects": "0",
			} {
				if err := os.WriteFile(filepath.Join("/proc/sys/net/ipv4/conf", kind, setting), []byte(value),
					0o600); err != nil {
					return err
				}
			}
		}
		return os.WriteFile("/proc/sys/net/ipv4/ip_forward", []byte("1"), 0o600)
	})
	ns.ip(t, "link set lo up")
	return ns
}

// path returns what the program ip takes for the namespace, in this process' children too.
func (ns namespace) path() string {
	return fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), ns.file.Fd())
}

// do calls a function on a thread in the namespace.
func (ns namespace) do(t *testing.T, f func() error) {
	t.Helper()
	err := onThread(func() error {
		if err := unix.Setns(int(ns.file.Fd()), unix.CLONE_NEWNET); err != nil {
			return fmt.Errorf("enter the namespace: %w", err)
		}
		return f()
	})
	if err != nil {
		t.Fatalf("%s: %v", ns.name, err)
	}
}

// ip runs the program of that name in the namespace, with one command a line.
func (ns namespace) ip(t *testing.T, commands ...string) {
	t.Helper()
	program := unpacked.Program(t, debian.IP)
	ns.do(t, func() error {
		cmd := exec.CommandContext(t.Context(), program, "-batch", "-")
		cmd.Stdin = strings.NewReader(strings.Join(commands, "\n"))
		var output bytes.Buffer
		cmd.Stdout, cmd.Stderr = &output, &output
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("ip, of %q: %w: %s", commands, err, output.String())
		}
		return nil
	})
}

// onThread calls a function on a thread of its own, which ends with it: changes to the thread
// do not affect other code. A process that it starts is in its namespace.
func onThread(f func() error) error {
	result := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // never unlocked, so that the thread is not used again
		result <- f()
	}()
	return <-result
}

// needNamespaces skips the test where there can be none.
func needNamespaces(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root: run the tests as root")
	}
	unpacked.Program(t, debian.IP)
}
