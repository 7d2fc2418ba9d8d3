package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mixedkube/mixedkube/core/images"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/system/disk"
	"github.com/mixedkube/mixedkube/internal/system/userfiles"
	"github.com/mixedkube/mixedkube/system/registry"
)

// locking has the flags and arguments of images lock.
type locking struct {
	file string
	// named is true if the flag names the file.
	named         bool
	update, prune bool
	timeout       time.Duration
	paths         []string
	files         selection
	charts        charts
}

func newImagesLock(in *input) *cobra.Command {
	var l locking
	var config string
	cmd := &cobra.Command{
		Use:   "lock [flags] [PATH...]",
		Short: "Look up the images of manifests, and write the results into a lock file",
		Long: `Look up the images of manifests, and write the results into a lock file. Commit the lock file.

Each PATH is a file, a directory (with the *.yaml, *.yml and *.json files in and below it), a Helm chart,
which the helm on PATH renders, or - for standard input; files that .mixedkube.yaml excludes are
skipped. Without a PATH, the command uses the images in the lock file. It looks up only new images,
or all of them with --update. An image that cannot be looked up is left out, or stays unchanged.

The exit code is 0 if all images are known, 1 if some could not be looked up (the others are
written), and 2 if a file cannot be read or written, or the command line is wrong.`,
		Example: `  mixedkube images lock deploy/
  helm template . | mixedkube images lock -
  mixedkube images lock --update`,
		RunE: func(cmd *cobra.Command, paths []string) error {
			l.paths, l.named = paths, cmd.Flags().Changed("file")
			if err := l.complete(in, config, cmd.ErrOrStderr()); err != nil {
				return err
			}
			return l.run(cmd.Context(), in, cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&l.file, "file", images.DefaultFile, "the lock `file`")
	flags.BoolVar(&l.update, "update", false, "look up locked images again")
	flags.BoolVar(&l.prune, "prune", false, "remove images that no PATH uses")
	configFlag(cmd, &config)
	in.linksFlag(cmd)
	l.files.flag(cmd)
	timeoutFlag(cmd, &l.timeout)
	l.charts.flags(cmd)
	return cmd
}

// complete reads the patterns, and returns all errors of the command line.
func (l *locking) complete(in *input, config string, stderr io.Writer) error {
	c, err := in.configuration(config, stderr)
	errs := []error{err, checkTimeout(l.timeout), l.files.complete(c), disk.CheckReplace(l.file)}
	if !l.named {
		if reason, _ := in.access.OtherOwner(l.file); reason != "" {
			errs = append(errs, fmt.Errorf("%s: %s: name it with --file to update it", l.file, reason))
		}
	}
	if l.prune && len(l.paths) == 0 {
		errs = append(errs, errors.New("--prune: name the files or directories whose images to retain"))
	}
	return errors.Join(errs...)
}

func (l *locking) run(ctx context.Context, in *input, stderr io.Writer) error {
	lock, err := in.lock("--file", l.file, stderr)
	isNew := errors.Is(err, fs.ErrNotExist)
	switch {
	case isNew && len(l.paths) > 0:
		lock = &images.Lock{}
	case isNew:
		return fmt.Errorf("%w: name the files or directories with the images to lock", err)
	case err != nil:
		return err
	}
	p := started(stderr, "reading "+shownAll(l.paths))
	used, problems := l.references(ctx, in, lock)
	p.end()
	printLines(stderr, l.charts.notes)
	printText(stderr, l.charts.below.String())
	printProblems(stderr, problems)
	if len(used) == 0 && len(l.paths) > 0 && len(problems) == 0 {
		return fmt.Errorf("%s: %w", strings.Join(l.paths, ", "), errNoImages)
	}
	changes := l.look(ctx, in, lock, used, stderr)
	// A file that could not be read may use any of the images.
	if l.prune && len(problems) == 0 {
		changes.prune(lock, used)
	}
	if changes.any() {
		if err := userfiles.Write(l.file, lock.Encode); err != nil {
			return err
		}
	}
	printLine(
		stderr,
		fmt.Sprintf("%s: %s%s", shown(l.file), fielderrors.Count(len(lock.References()), "image"), changes),
	)
	switch {
	case len(problems) > 0:
		return unusable
	case changes.failed > 0:
		return failed
	default:
		return nil
	}
}

// references returns the images of the paths, or the images in the lock.
func (l *locking) references(
	ctx context.Context, in *input, lock *images.Lock,
) (references []string, problems []error) {
	if len(l.paths) == 0 {
		return lock.References(), nil
	}
	problems = l.charts.render(ctx, in, l.paths, "")
	in.charts = &l.charts
	files, errs := in.listed(l.paths, l.files.skips(in, &l.charts))
	problems = append(problems, errs...)
	in.survey(files)
	found := newReferences()
	for _, file := range files {
		objects, _, errs := in.objects(file)
		problems = append(problems, errs...)
		found.add(treesOf(objects)...)
	}
	return found.sorted(), problems
}

// look looks up the images that are missing or to update, and adds them to the lock.
func (l locking) look(
	ctx context.Context, in *input, lock *images.Lock, used []string, stderr io.Writer,
) *changes {
	ctx, cancel := context.WithTimeout(ctx, l.timeout)
	defer cancel()
	missing := slices.DeleteFunc(slices.Clone(used), func(reference string) bool {
		return !l.update && lock.Facts(reference) != nil
	})
	client := in.registries
	client.Known = lock
	c := &changes{}
	for _, result := range lookUp(ctx, client, missing, stderr) {
		if result.Failure != nil {
			c.failed++
			note(stderr, result.Failure)
			continue
		}
		c.set(lock, result)
	}
	return c
}

// changes counts the changes of a lock.
type changes struct{ added, changed, removed, failed int }

func (c *changes) any() bool { return c.added+c.changed+c.removed > 0 }

func (c *changes) set(lock *images.Lock, result registry.Result) {
	switch before := lock.Facts(result.Reference); {
	case before == nil:
		c.added++
	case !reflect.DeepEqual(before, result.Facts):
		c.changed++
	default:
		return
	}
	_ = lock.Set(result.Reference, result.Facts) // it has been looked up: it is a reference
}

func (c *changes) prune(lock *images.Lock, used []string) {
	for _, reference := range lock.References() {
		if !slices.Contains(used, reference) {
			lock.Remove(reference)
			c.removed++
		}
	}
}

// String is empty if nothing has changed.
func (c *changes) String() string {
	var b strings.Builder
	for _, part := range []struct {
		n    int
		what string
	}{{c.added, "added"}, {c.changed, "changed"}, {c.removed, "removed"}, {c.failed, "not looked up"}} {
		if part.n > 0 {
			fmt.Fprintf(&b, ", %d %s", part.n, part.what)
		}
	}
	return b.String()
}
