package wine

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
)

// packageNames are Debian's. Wine's own dependencies are mostly for sound, graphics and
// cameras, and are loaded when a program asks for them; libwine needs zlib1.dll. The
// binutils link the DLLs that are added.
var packageNames = []string{"wine64", "libwine", "libz-mingw-w64", "libunwind8", "binutils-mingw-w64-x86-64"}

// UnavailableError says why there is no Wine on this machine.
type UnavailableError struct{ Reason string }

// Error is a sentence with the reason.
func (e UnavailableError) Error() string { return "Wine cannot be had here: " + e.Reason }

func unavailable(format string, args ...any) error {
	return UnavailableError{fmt.Sprintf(format, args...)}
}

// debianPackage is one that apt-get offers.
type debianPackage struct {
	file string
	size int64
	sum  string
}

// offered is what apt-get prints of a package that it would download.
var offered = regexp.MustCompile(`^'[^']+' (\S+\.deb) (\d+) (\S+)$`)

// offers asks apt-get which versions of the packages the machine has.
func offers(ctx context.Context) ([]debianPackage, error) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		return nil, unavailable("it runs the programs for amd64 on linux/amd64 only, not on %s/%s", runtime.GOOS,
			runtime.GOARCH)
	}
	for _, program := range []string{"apt-get", "dpkg-deb"} {
		if _, err := exec.LookPath(program); err != nil {
			return nil, unavailable("%s is not on PATH: use Debian or Ubuntu", program)
		}
	}
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, "apt-get", append([]string{"--print-uris", "download"}, packageNames...)...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, unavailable("apt-get does not offer its packages: %s",
			strings.Join(strings.Fields(errs.String()), " "))
	}
	return parseOffers(out.String())
}

func parseOffers(printed string) ([]debianPackage, error) {
	var packages []debianPackage
	for line := range strings.Lines(printed) {
		fields := offered.FindStringSubmatch(strings.TrimSpace(line))
		if fields == nil {
			continue
		}
		size, err := strconv.ParseInt(fields[2], 10, 64)
		if err != nil {
			return nil, err
		}
		packages = append(packages, debianPackage{filepath.Base(fields[1]), size, fields[3]})
	}
	if len(packages) != len(packageNames) {
		return nil, unavailable("apt-get offers %d of the %d packages %s", len(packages), len(packageNames),
			strings.Join(packageNames, ", "))
	}
	return packages, nil
}

// version is the one of Wine among the packages.
func version(packages []debianPackage) string {
	for _, p := range packages {
		if rest, ok := strings.CutPrefix(p.file, "wine64_"); ok {
			of, _, _ := strings.Cut(rest, "_")
			return of
		}
	}
	return ""
}

// key tells unpacked trees apart: by the packages, and by what is added to them.
func key(packages []debianPackage) string {
	h := sha256.New()
	for _, p := range packages {
		fmt.Fprintf(h, "%s %s\n", p.file, p.sum)
	}
	for _, d := range dlls {
		fmt.Fprintf(h, "%s\n%s\n%s\n", d.name, d.definition(), d.assembly)
	}
	fmt.Fprint(h, registry)
	return hex.EncodeToString(h.Sum(nil))[:10]
}

func totalSize(packages []debianPackage) int64 {
	var sum int64
	for _, p := range packages {
		sum += p.size
	}
	return sum
}

// unpack downloads the packages and unpacks them into root.
func unpack(ctx context.Context, root string) error {
	debs := root + ".debs"
	if err := makeFolders(debs, root); err != nil {
		return err
	}
	// As root, apt-get would download as another user, who may not write here.
	args := append([]string{"-o", "APT::Sandbox::User=", "download"}, packageNames...)
	if err := run(ctx, debs, nil, "apt-get", args...); err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(debs, "*.deb"))
	if err != nil {
		return err
	}
	for _, file := range files {
		if err := run(ctx, debs, nil, "dpkg-deb", "-x", file, root); err != nil {
			return err
		}
	}
	return os.RemoveAll(debs)
}
