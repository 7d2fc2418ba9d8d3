package connectivity

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/mixedkube/mixedkube/tests/internal/keeper"
)

const (
	// inside marks the process in the namespaces.
	inside = "MIXEDKUBE_CONNECTIVITY_NAMESPACE"
	// nameServer is the only one that resolv.conf names there.
	nameServer = "127.0.0.53"
)

// TestMain runs the tests in a child process in namespaces of its own, and skips them if that
// is not allowed, or if there is no BusyBox.
func TestMain(m *testing.M) {
	if os.Getenv(inside) != "" {
		if err := prepare(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(m.Run())
	}
	os.Exit(outside(m))
}

// outside returns the exit code of the child.
func outside(m *testing.M) int {
	program, err := findBusybox()
	if err != nil {
		reason = err.Error()
		return m.Run()
	}
	if _, err := keeper.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	cmd := exec.Command("/proc/self/exe", os.Args[1:]...)
	cmd.Env = append(os.Environ(), inside+"=1", programVariable+"="+program)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWNET | unix.CLONE_NEWNS, Pdeathsig: syscall.SIGKILL}
	if os.Geteuid() != 0 {
		cmd.SysProcAttr.Cloneflags |= unix.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	err = cmd.Start()
	if errors.Is(err, unix.EPERM) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EACCES) ||
		errors.Is(err, unix.ENOSPC) {
		reason = fmt.Sprintf("the right to create network namespaces: run the tests as root: %v", err)
		return m.Run()
	}
	if err == nil {
		err = cmd.Wait()
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return max(exit.ExitCode(), 1)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// reason is what is missing for namespaces or BusyBox.
var reason string

// prepare brings the loopback interface up, all of 127.0.0.0/8, and puts a resolv.conf in
// place of the machine's.
func prepare() error {
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(socket) }()
	lo, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	lo.SetUint16(unix.IFF_UP)
	if err := unix.IoctlIfreq(socket, unix.SIOCSIFFLAGS, lo); err != nil {
		return fmt.Errorf("bring lo up: %w", err)
	}
	// Mounts created here must not be visible outside.
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("make mounts private: %w", err)
	}
	file, err := os.CreateTemp("", "resolv.conf")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(file.Name()) }() // the mount keeps it
	if _, err := file.WriteString("nameserver " + nameServer + "\noptions timeout:1 attempts:1\n"); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	target, err := filepath.EvalSymlinks("/etc/resolv.conf")
	if err != nil {
		return err
	}
	if err := unix.Mount(file.Name(), target, "", unix.MS_BIND, ""); err != nil {
		return fmt.Errorf("mount resolv.conf: %w", err)
	}
	return nil
}
