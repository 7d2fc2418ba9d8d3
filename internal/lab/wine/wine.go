package wine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/mixedkube/mixedkube/internal/lab/debian"
)

// Wine is an unpacked Wine.
type Wine struct {
	// Version is the version of Debian's package, 8.0~repack-4 for example.
	Version string

	dir string
}

// root has the files of the packages, template the Windows that new machines are copies of.
func (w Wine) root() string     { return filepath.Join(w.dir, "root") }
func (w Wine) template() string { return filepath.Join(w.dir, "template") }

// Ensure unpacks Wine into a directory below dir, in the version that the machine's apt-get offers, unless
// it has done so before. That takes 700 MB and a minute. It writes its progress to out. The error
// is an [UnavailableError] if Wine is not available for the machine.
func Ensure(ctx context.Context, dir string, out io.Writer) (Wine, error) {
	var w Wine
	err := find(ctx, dir, func(packages debian.Offer) error {
		version := packages.Version(packageNames[0])
		w = Wine{Version: version, dir: filepath.Join(dir, version+"-"+key(packages))}
		if _, err := os.Stat(w.dir); err == nil {
			return nil
		}
		return w.unpack(ctx, packages, out)
	})
	if err != nil {
		return Wine{}, err
	}
	return w, nil
}

// unpack creates the directory of w.
func (w Wine) unpack(ctx context.Context, packages debian.Offer, out io.Writer) error {
	if err := makeDirs(filepath.Dir(w.dir)); err != nil {
		return err
	}
	scratch, err := os.MkdirTemp(filepath.Dir(w.dir), "unpack-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	started := time.Now()
	progress := func(format string, args ...any) { fmt.Fprintf(out, "wine     "+format+"\n", args...) }
	unpacked := Wine{Version: w.Version, dir: scratch}
	progress("downloading and unpacking Wine %s, %d MB …", w.Version, packages.Size()/1e6)
	if err := packages.Unpack(ctx, unpacked.root()); err != nil {
		return err
	}
	progress("creating a Windows installation from it …")
	if err := unpacked.prepare(ctx); err != nil {
		return fmt.Errorf("prepare Wine %s: %w", w.Version, err)
	}
	// Another process may have done the same in the meantime.
	if err := os.Rename(scratch, w.dir); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	progress("ready after %s", time.Since(started).Round(time.Second))
	return nil
}

// prepare does what the packages' scripts do, and creates the template.
func (w Wine) prepare(ctx context.Context) error {
	programs := filepath.Join(w.root(), "usr", "lib", "wine")
	libraries := filepath.Join(w.root(), "usr", "lib", "x86_64-linux-gnu", "wine")
	server := filepath.Join(programs, "wineserver")
	// This is a script that looks for the server below /usr.
	if err := os.RemoveAll(server); err != nil {
		return err
	}
	if err := os.Symlink("wineserver64", server); err != nil {
		return err
	}
	zlib, err := os.ReadFile(filepath.Join(w.root(), "usr", "x86_64-w64-mingw32", "lib", "zlib1.dll"))
	if err != nil {
		return err
	}
	// Wine copies files with this mark into each Windows.
	copy(zlib[0x40:], "Wine builtin DLL"+strings.Repeat("\x00", 16))
	err = os.WriteFile(filepath.Join(libraries, "x86_64-windows", "zlib1.dll"), zlib, 0o644) //nolint:gosec // a library
	if err != nil {
		return err
	}
	// There are no 32-bit programs, and each Windows would have a copy of this directory.
	if err := os.RemoveAll(filepath.Join(libraries, "i386-windows")); err != nil {
		return err
	}
	if err := makeDirs(w.template()); err != nil {
		return err
	}
	machine := Machine{wine: w, dir: w.template()}
	system32 := filepath.Join(w.template(), "drive_c", "windows", "system32")
	// wineboot fails because there is no 32-bit Windows, but only after it has done everything else.
	if err := machine.run(ctx, "wineboot", "-i"); err != nil {
		if _, missing := os.Stat(filepath.Join(system32, "kernel32.dll")); missing != nil {
			return err
		}
	}
	for _, d := range dlls {
		if err := d.build(ctx, w.root(), system32); err != nil {
			return err
		}
	}
	settings := filepath.Join(w.template(), "drive_c", "windows", "temp", "mixedkube.reg")
	if err := os.WriteFile(settings, []byte(registry), 0o600); err != nil {
		return err
	}
	if err := machine.run(ctx, "regedit", "/S", `C:\windows\temp\mixedkube.reg`); err != nil {
		return err
	}
	machine.End() //nolint:contextcheck // it ends what exists even if the context is done
	return nil
}

// run runs a program of Linux in a directory, and shows what it has printed if it fails.
func run(ctx context.Context, dir string, environ []string, program string, args ...string) error {
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &out
	if environ != nil {
		cmd.Env = environ
	}
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s %s: %w: %s", filepath.Base(program), strings.Join(args, " "), err,
			strings.Join(strings.Fields(out.String()), " "))
	}
	return nil
}

func makeDirs(dirs ...string) error {
	for _, dir := range dirs {
		if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // programs are for everyone
			return err
		}
	}
	return nil
}
