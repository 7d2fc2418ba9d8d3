package debian

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/system/executable"
)

// Program is a program that the machine may have, or that Debian packages contain.
type Program struct {
	// Name is the name of the file.
	Name string
	// packages are the package with the program, followed by the packages of the libraries that a
	// machine may lack. Their names are the same in all supported releases of Debian and Ubuntu.
	packages []string
	// needed makes apt-get resolve the libraries.
	needed bool
	// inside is the directory of the program in the packages, if it is not a usual directory for programs.
	inside string
	// python means that the program is in Python, with its modules in the packages.
	python bool
}

// The programs of tests.
var (
	// NFT loads rules for packets.
	NFT = Program{Name: "nft", packages: []string{
		"nftables", "libnftables1", "libnftnl11", "libmnl0", "libxtables12", "libjansson4", "libgmp10",
		"libedit2", "libbsd0", "libmd0", "libtinfo6",
	}}
	// IP sets addresses and routes.
	IP = Program{Name: "ip", packages: []string{"iproute2"}, needed: true}
	// BusyBox is linked statically.
	BusyBox = Program{Name: "busybox", packages: []string{"busybox-static"}}
	// Chromium is a browser. Debian's usr/bin has a script that starts the machine's own Chromium.
	// Ubuntu has no such package.
	Chromium = Program{
		Name: "chromium-headless-shell", packages: []string{"chromium-headless-shell"}, needed: true,
		inside: "usr/lib/chromium",
	}
	// XMLLint validates XML.
	XMLLint = Program{Name: "xmllint", packages: []string{"libxml2-utils"}, needed: true}
	// RSVGConvert draws SVGs with librsvg.
	RSVGConvert = Program{Name: "rsvg-convert", packages: []string{"librsvg2-bin"}, needed: true}
	// CloudInit validates cloud-configs.
	CloudInit = Program{Name: "cloud-init", packages: []string{"cloud-init"}, needed: true, python: true}
	// SystemdAnalyze validates units.
	SystemdAnalyze = Program{Name: "systemd-analyze", packages: []string{"systemd"}, needed: true}
)

// Programs lists the programs of tests.
func Programs() []Program {
	return []Program{NFT, IP, BusyBox, Chromium, XMLLint, RSVGConvert, CloudInit, SystemdAnalyze}
}

// Ensure returns the path of the program. If the program is not on PATH, Ensure unpacks it into a
// directory below dir, unless it has done so before. It writes its progress to out. The error is an
// [UnavailableError] if the program is not available for the machine. Several processes may call Ensure
// at once.
func (p Program) Ensure(ctx context.Context, dir string, out io.Writer) (string, error) {
	if path, err := exec.LookPath(p.Name); err == nil {
		return filepath.Abs(path)
	}
	var path string
	err := find(ctx, dir, Offer{names: p.packages, needed: p.needed}, func(offer Offer) (err error) {
		path, err = p.unpack(ctx, offer, dir, out)
		return err
	})
	if unavailable, ok := errors.AsType[UnavailableError](err); ok {
		return "", UnavailableError{fmt.Sprintf("%s: apt-get install %s, as root (it cannot be unpacked: %s)", p.Name,
			p.packages[0], unavailable.Reason)}
	}
	return path, err
}

// unpack puts the packages into the cache, and starter next to them.
func (p Program) unpack(ctx context.Context, offer Offer, dir string, out io.Writer) (string, error) {
	version := offer.Version(p.packages[0])
	at := filepath.Join(dir, p.Name, version+"-"+offer.Key(p.starter()))
	started := filepath.Join(at, p.Name)
	if _, err := os.Stat(started); err == nil {
		return started, nil
	}
	fmt.Fprintf(out, "tools    %s %s: unpacking Debian's packages …\n", p.Name, version)
	if err := makeDirs(filepath.Dir(at)); err != nil {
		return "", err
	}
	scratch, err := os.MkdirTemp(filepath.Dir(at), "unpack-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	root := filepath.Join(scratch, "root")
	if err := offer.Unpack(ctx, root); err != nil {
		return "", err
	}
	if err := p.link(scratch); err != nil {
		return "", err
	}
	// Another process may have done the same in the meantime.
	if err := os.Rename(scratch, at); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	return started, nil
}

// starter starts a program with the libraries that are unpacked next to it.
const starter = `#!/bin/sh
dir=${0%/*}
LD_LIBRARY_PATH=LIBRARIES exec "$dir/PROGRAM" "$@"
`

// pythonStarter starts a program in Python with the modules that are unpacked next to it. They belong to Debian's
// Python, whatever PATH has.
const pythonStarter = `#!/bin/sh
dir=${0%/*}
python=$dir/root/usr/bin/python3
[ -x "$python" ] || python=/usr/bin/python3
LD_LIBRARY_PATH=LIBRARIES PYTHONPATH=$dir/root/usr/lib/python3/dist-packages PYTHONDONTWRITEBYTECODE=1 \
	exec "$python" "$dir/PROGRAM" "$@"
`

func (p Program) starter() string {
	if p.python {
		return pythonStarter
	}
	return starter
}

// link creates the file to run. If the program has no libraries, that is the program itself.
func (p Program) link(dir string) error {
	program, err := p.unpacked(dir)
	if err != nil {
		return err
	}
	at := filepath.Join(dir, p.Name)
	libraries, err := filepath.Glob(filepath.Join(dir, "root", "usr", "lib", "*-linux-*"))
	if err != nil {
		return err
	}
	more, err := filepath.Glob(filepath.Join(dir, "root", "lib", "*-linux-*"))
	if err != nil {
		return err
	}
	libraries = append(libraries, more...)
	libraries, err = withThoseBelow(libraries)
	if err != nil {
		return err
	}
	if len(libraries) == 0 && !p.python {
		return os.Symlink(program, at)
	}
	for i, library := range libraries {
		libraries[i] = `"$dir"` + strings.TrimPrefix(library, dir)
	}
	script := strings.NewReplacer("LIBRARIES", strings.Join(libraries, ":"), "PROGRAM", program).Replace(p.starter())
	return executable.Write(at, []byte(script), 0o755)
}

// withThoseBelow adds the subdirectories, which have libraries for some programs only.
func withThoseBelow(dirs []string) ([]string, error) {
	all := slices.Clone(dirs)
	for _, dir := range dirs {
		files, err := filepath.Glob(filepath.Join(dir, "*", "lib*.so*"))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			if below := filepath.Dir(file); !slices.Contains(all, below) {
				all = append(all, below)
			}
		}
	}
	return all, nil
}

// unpacked returns the path of the program from the packages, below the directory. The packages' own links from
// /bin to /usr/bin are absent.
func (p Program) unpacked(dir string) (string, error) {
	dirs := []string{"usr/sbin", "usr/bin", "sbin", "bin"}
	if p.inside != "" {
		dirs = []string{p.inside}
	}
	for _, in := range dirs {
		path := filepath.Join("root", in, p.Name)
		if _, err := os.Stat(filepath.Join(dir, path)); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("the packages %s have no program %s", strings.Join(p.packages, ", "), p.Name)
}
