package wine

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Machine is a Windows machine: a drive C:, a registry and services of its own. What runs
// on it ends with [Machine.End].
type Machine struct {
	wine Wine
	dir  string
}

// Machine makes one in the empty folder dir, an absolute path. Its C:\windows is shared with
// all other machines, and is only for reading.
func (w Wine) Machine(dir string) (Machine, error) {
	m := Machine{wine: w, dir: dir}
	entries, err := os.ReadDir(w.template())
	if err != nil {
		return Machine{}, err
	}
	for _, entry := range entries {
		if !entry.Type().IsRegular() {
			continue
		}
		content, err := os.ReadFile(filepath.Join(w.template(), entry.Name()))
		if err != nil {
			return Machine{}, err
		}
		if err := os.WriteFile(filepath.Join(dir, entry.Name()), content, 0o600); err != nil {
			return Machine{}, err
		}
	}
	for _, folder := range []string{"drive_c", "dosdevices"} {
		if err := makeFolders(filepath.Join(dir, folder)); err != nil {
			return Machine{}, err
		}
	}
	for link, target := range map[string]string{
		"dosdevices/c:":          "../drive_c",
		"dosdevices/z:":          "/",
		"drive_c/windows":        filepath.Join(w.template(), "drive_c", "windows"),
		"drive_c/Program Files":  "",
		"drive_c/ProgramData":    "",
		"drive_c/users/Public":   "",
		"drive_c/users/node":     "",
		"drive_c/mixedkube/temp": "",
	} {
		at := filepath.Join(dir, filepath.FromSlash(link))
		if target == "" {
			err = makeFolders(at)
		} else {
			err = os.Symlink(target, at)
		}
		if err != nil {
			return Machine{}, err
		}
	}
	return m, nil
}

// Path is where a file of drive C: is on Linux: C:/k/kubelet.exe for example.
func (m Machine) Path(windows string) string {
	inside := strings.TrimPrefix(strings.ReplaceAll(windows, `\`, "/"), "C:/")
	return filepath.Join(m.dir, "drive_c", filepath.FromSlash(inside))
}

// Write writes a file of drive C:, and makes the folders that it is in.
func (m Machine) Write(windows, content string) error {
	at := m.Path(windows)
	if err := makeFolders(filepath.Dir(at)); err != nil {
		return err
	}
	return os.WriteFile(at, []byte(content), 0o600)
}

// Link puts a file of Linux onto drive C:.
func (m Machine) Link(windows, file string) error {
	at := m.Path(windows)
	if err := makeFolders(filepath.Dir(at)); err != nil {
		return err
	}
	err := os.Symlink(file, at)
	if os.IsExist(err) {
		err = fs.ErrExist
	}
	return err
}

// Command is a program of the machine with its arguments, C:/k/kubelet.exe for example.
// Cancelling the context kills it, not what it has started: see [Machine.End].
func (m Machine) Command(ctx context.Context, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(m.wine.root(), "usr", "lib", "wine", "wine64"),
		append([]string{program}, args...)...)
	cmd.Env, cmd.Dir = m.environ(), m.Path("C:/")
	return cmd
}

func (m Machine) environ() []string {
	return []string{
		"WINEPREFIX=" + m.dir,
		"WINEDLLOVERRIDES=" + overrides(),
		"WINEDEBUG=-all",
		"HOME=" + m.dir,
		"USER=node",
		"PATH=/usr/bin:/bin",
		"LD_LIBRARY_PATH=" + filepath.Join(m.wine.root(), "usr", "lib", "x86_64-linux-gnu"),
	}
}

func (m Machine) run(ctx context.Context, program string, args ...string) error {
	cmd := m.Command(ctx, program, args...)
	return run(ctx, m.dir, m.environ(), cmd.Path, cmd.Args[1:]...)
}

// End kills all that runs on the machine, its services too.
func (m Machine) End(ctx context.Context) error {
	server := filepath.Join(m.wine.root(), "usr", "lib", "wine", "wineserver64")
	if err := run(ctx, m.dir, m.environ(), server, "-k"); err != nil {
		// There is none.
		return nil //nolint:nilerr // nothing runs
	}
	return run(ctx, m.dir, m.environ(), server, "-w")
}
