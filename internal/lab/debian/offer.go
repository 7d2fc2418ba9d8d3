package debian

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// UnavailableError is the reason why packages are not available for the machine.
type UnavailableError struct{ Reason string }

// Error returns the reason.
func (e UnavailableError) Error() string { return e.Reason }

func unavailable(format string, args ...any) error {
	return UnavailableError{fmt.Sprintf(format, args...)}
}

// Offer is what apt-get would download.
type Offer struct {
	names []string
	// needed adds the packages to names that they depend on and the machine lacks.
	needed bool
	files  []file
	// options select the lists of packages that apt-get reads.
	options []string
}

// file is a package.
type file struct {
	name string
	size int64
	sum  string
}

// Find looks up packages with apt-get: first with the machine's own lists, which containers often
// lack, and then with lists below dir, which need no privileges. It takes the first offer that use
// accepts. The function use may refuse an offer with an [UnavailableError], because lists may name
// packages that no longer exist. If use accepts none, Find returns an UnavailableError.
func Find(ctx context.Context, dir string, names []string, use func(Offer) error) error {
	return find(ctx, dir, Offer{names: names}, use)
}

func find(ctx context.Context, dir string, base Offer, use func(Offer) error) error {
	for _, program := range []string{"apt-get", "dpkg-deb"} {
		if _, err := exec.LookPath(program); err != nil {
			return unavailable("%s is not on PATH: use Debian or Ubuntu", program)
		}
	}
	lists := filepath.Join(dir, "apt")
	own := []string{"-o", "Dir::State=" + lists, "-o", "Dir::Cache=" + lists}
	var refused error
	for _, attempt := range []struct {
		options []string
		update  bool
	}{{}, {options: own}, {options: own, update: true}} {
		if attempt.options != nil && !attempt.update {
			if _, err := os.Stat(lists); errors.Is(err, fs.ErrNotExist) {
				continue
			}
		}
		offer := base
		offer.options = attempt.options
		err := offer.ask(ctx, lists, attempt.update)
		if err == nil {
			err = use(offer)
		}
		if !errors.As(err, new(UnavailableError)) {
			return err
		}
		refused = err
	}
	return refused
}

// ask fills in the offer.
func (o *Offer) ask(ctx context.Context, lists string, update bool) error {
	if update {
		if err := o.update(ctx, lists); err != nil {
			return err
		}
	}
	if o.needed {
		if err := o.addNeeded(ctx); err != nil {
			return err
		}
	}
	printed, err := o.apt(ctx, "", append([]string{"--print-uris", "download"}, o.names...)...)
	if err != nil {
		return err
	}
	o.files, err = parse(printed, o.names)
	return err
}

// named matches what apt-get prints for a package that it would install. It ignores the hash, which apt-get does not
// print for all packages there.
var named = regexp.MustCompile(`^'[^']+' (\S+?)_\S*\.deb \d+`)

// addNeeded adds what installing the packages would download. The libraries that a large program needs, and
// their names, differ between releases, so apt-get resolves them.
func (o *Offer) addNeeded(ctx context.Context) error {
	printed, err := o.apt(ctx, "", append([]string{
		"-o", "Debug::NoLocking=1", "--print-uris", "--yes", "--no-install-recommends", "install",
	}, o.names...)...)
	if err != nil {
		return err
	}
	var all []string
	for line := range strings.Lines(printed) {
		if fields := named.FindStringSubmatch(strings.TrimSpace(line)); fields != nil {
			all = append(all, fields[1])
		}
	}
	for _, name := range o.names {
		if !slices.Contains(all, name) {
			return unavailable("apt-get does not offer %s", name)
		}
	}
	o.names = all
	return nil
}

// update downloads the lists. Only one process does so at a time, because apt-get does not wait for another one.
func (o *Offer) update(ctx context.Context, lists string) error {
	if err := makeDirs(filepath.Join(lists, "lists", "partial"),
		filepath.Join(lists, "archives", "partial")); err != nil {
		return err
	}
	lock := flock.New(filepath.Join(lists, "mixedkube.lock"))
	if _, err := lock.TryLockContext(ctx, 200*time.Millisecond); err != nil {
		return err
	}
	defer func() { _ = lock.Close() }()
	_, err := o.apt(ctx, "", "update")
	return err
}

// apt runs apt-get in a directory, "" for the current one, and returns what it prints.
func (o *Offer) apt(ctx context.Context, dir string, args ...string) (string, error) {
	// As root, apt-get would download as another user, who may not write here.
	options := append([]string{"-q", "-o", "APT::Sandbox::User="}, o.options...)
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, "apt-get", append(options, args...)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &errs
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		return "", unavailable("apt-get %s: %v: %s", strings.Join(args, " "), err,
			strings.Join(strings.Fields(errs.String()), " "))
	}
	return out.String(), nil
}

// offered matches what apt-get prints for a package that it would download.
var offered = regexp.MustCompile(`^'[^']+' (\S+\.deb) (\d+) (\S+)$`)

func parse(printed string, names []string) ([]file, error) {
	var files []file
	for line := range strings.Lines(printed) {
		fields := offered.FindStringSubmatch(strings.TrimSpace(line))
		if fields == nil {
			continue
		}
		size, err := strconv.ParseInt(fields[2], 10, 64)
		if err != nil {
			return nil, err
		}
		files = append(files, file{filepath.Base(fields[1]), size, fields[3]})
	}
	if len(files) != len(names) {
		return nil, unavailable("apt-get offers %d of the %d packages %s", len(files), len(names),
			strings.Join(names, ", "))
	}
	return files, nil
}

// Version returns the version of a package.
func (o Offer) Version(name string) string {
	for _, f := range o.files {
		if rest, ok := strings.CutPrefix(f.name, name+"_"); ok {
			version, _, _ := strings.Cut(rest, "_")
			return version
		}
	}
	return ""
}

// Size returns the size of the packages in bytes.
func (o Offer) Size() int64 {
	var sum int64
	for _, f := range o.files {
		sum += f.size
	}
	return sum
}

// Key identifies unpacked packages: by their content, and by how they are processed further.
func (o Offer) Key(further ...string) string {
	h := sha256.New()
	for _, f := range o.files {
		fmt.Fprintf(h, "%s %s\n", f.name, f.sum)
	}
	for _, text := range further {
		fmt.Fprintf(h, "%s\n", text)
	}
	return hex.EncodeToString(h.Sum(nil))[:10]
}

// Unpack downloads the packages and unpacks them into the directory root. The error is an
// [UnavailableError] if they are not available.
func (o Offer) Unpack(ctx context.Context, root string) error {
	debs := root + ".debs"
	if err := makeDirs(debs, root); err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(debs) }()
	if _, err := o.apt(ctx, debs, append([]string{"download"}, o.names...)...); err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(debs, "*.deb"))
	if err != nil {
		return err
	}
	for _, file := range files {
		if out, err := exec.CommandContext(ctx, "dpkg-deb", "-x", file, root).CombinedOutput(); err != nil {
			return fmt.Errorf("dpkg-deb -x %s: %w: %s", filepath.Base(file), err, bytes.TrimSpace(out))
		}
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
