package cli

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/mixedkube/mixedkube/core/images"
	"github.com/mixedkube/mixedkube/system/registry"
)

// lockThem is the fix for images that are not known.
const lockThem = "run mixedkube images lock PATH"

// lookTime is the timeout of lookups for commands whose main task is another one.
const lookTime = time.Minute

// known has the flags about images.
type known struct {
	file          string
	look, require bool
	lock          *images.Lock
}

// flags adds the flags of commands that use the lock file.
func (k *known) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&k.file, "images", "",
		"the lock `file` of mixedkube images (default "+images.DefaultFile+", if it exists)")
	cmd.Flags().BoolVar(&k.look, "look", false, "look up images that are not locked in their registries")
	cmd.Flags().BoolVar(&k.require, "require-images", false, "fail if nothing is known about an image")
}

// read reads the lock file.
func (k *known) read(in *input, stderr io.Writer) (err error) {
	k.lock, err = in.lock("--images", k.file, stderr)
	return err
}

// needed reports whether the run has to know which images are used.
func (k *known) needed() bool { return k.look || k.require || k.lock != nil }

// complete looks up the images that are not locked, if the flags allow it, without saving the results. It reports the
// unknown images, as errors if all images must be known.
func (k *known) complete(ctx context.Context, in *input, used []string, stderr io.Writer) (problems []error) {
	var missing []string
	for _, reference := range used {
		if k.lock.Facts(reference) == nil {
			missing = append(missing, reference)
		}
	}
	unknown := func(reason error) {
		if k.require {
			problems = append(problems, reason)
		} else {
			printLine(stderr, "note: "+reason.Error())
		}
	}
	switch {
	case len(missing) == 0:
	case k.look:
		ctx, cancel := context.WithTimeout(ctx, lookTime)
		defer cancel()
		if k.lock == nil {
			k.lock = &images.Lock{}
		}
		for _, result := range lookUp(ctx, in.registries, missing, stderr) {
			if result.Failure != nil {
				if result.Failure.Kind == registry.Offline {
					result.Failure.Fix += ", or on a machine that can reach it " + lockThem
				}
				unknown(result.Failure)
				continue
			}
			_ = k.lock.Set(result.Reference, result.Facts) // it has been looked up: it is a reference
		}
	case k.require:
		for _, reference := range missing {
			unknown(fmt.Errorf("%s: is not locked: "+lockThem, reference))
		}
	case k.lock != nil:
		unknown(fmt.Errorf("%d of %s not locked, and judged only by their names: "+lockThem,
			len(missing), are(len(used), "image")))
	}
	return problems
}

// are returns a number of things, with the verb.
func are(n int, what string) string {
	if n == 1 {
		return "1 " + what + " is"
	}
	return fmt.Sprintf("%d %ss are", n, what)
}
