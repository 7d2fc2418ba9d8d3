package wine

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Machine is a Windows machine with its own drive C:, registry and services. [Machine.End]
// ends its programs.
type Machine struct {
	wine Wine
	dir  string
}

// Machine creates a machine in the empty directory dir, an absolute path. Its C:\windows is shared with
// all other machines, and must only be read.
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
	for _, name := range []string{"drive_c", "dosdevices"} {
		if err := makeDirs(filepath.Join(dir, name)); err != nil {
			return Machine{}, err
		}
	}
	// There is no drive Z: with all of Linux, because paths without a drive would lead there.
	if err := os.Symlink("../drive_c", filepath.Join(dir, "dosdevices", "c:")); err != nil {
		return Machine{}, err
	}
	if err := os.Symlink(filepath.Join(w.template(), "drive_c", "windows"), m.Path("C:/windows")); err != nil {
		return Machine{}, err
	}
	for _, dir := range []string{"C:/Program Files", "C:/ProgramData", "C:/users/node"} {
		if err := makeDirs(m.Path(dir)); err != nil {
			return Machine{}, err
		}
	}
	return m, nil
}

// Path returns the path on Linux of a file on drive C:, C:/k/kubelet.exe for example.
func (m Machine) Path(windows string) string {
	inside := strings.TrimPrefix(strings.ReplaceAll(windows, `\`, "/"), "C:/")
	return filepath.Join(m.dir, "drive_c", filepath.FromSlash(inside))
}

// Write writes a file on drive C:, and creates its parent directories.
func (m Machine) Write(windows, content string) error {
	at := m.Path(windows)
	if err := makeDirs(filepath.Dir(at)); err != nil {
		return err
	}
	return os.WriteFile(at, []byte(content), 0o600)
}

// Link puts a file of Linux onto drive C:.
func (m Machine) Link(windows, file string) error {
	at := m.Path(windows)
	if err := makeDirs(filepath.Dir(at)); err != nil {
		return err
	}
	return os.Symlink(file, at)
}

// Command returns the command for a program of the machine with its arguments, C:/k/kubelet.exe for example.
// Canceling the context kills the program, but not what it has started: see [Machine.End].
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

// End kills everything that runs on the machine, including its services. If nothing runs, it does
// nothing.
func (m Machine) End() {
	server := filepath.Join(m.wine.root(), "usr", "lib", "wine", "wineserver64")
	ctx := context.Background()
	if run(ctx, m.dir, m.environ(), server, "-k") == nil {
		_ = run(ctx, m.dir, m.environ(), server, "-w")
	}
}
