package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/mixedkube/mixedkube/components/images/registry"
	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/internal/fielderrors"
	"github.com/mixedkube/mixedkube/internal/pods"
)

func newImages(in *input) *cobra.Command {
	return group(&cobra.Command{
		Use:   "images",
		Short: "Look up at registries what images are, and keep it in a file",
		Long: `Look up at registries what images are: for which systems, releases of Windows and processors, which
user they run as, what starts and how large they are. The lock file, mixedkube.images.yaml, keeps
it: with it, check, adopt and the guard of a Pulumi program know, offline, what a name does not say.

Indexes, manifests and configurations are read, never layers, with the credentials of docker login.`,
		Example: `  mixedkube images lock deploy/
  mixedkube images show mcr.microsoft.com/dotnet/aspnet:8.0`,
	}, newImagesLock(in), newImagesShow(in))
}

// timeoutFlag adds the flag that limits how long all images may take together.
func timeoutFlag(cmd *cobra.Command, timeout *time.Duration) {
	cmd.Flags().DurationVar(timeout, "timeout", 5*time.Minute, "the `time` for all images together")
}

func checkTimeout(timeout time.Duration) error {
	if timeout <= 0 {
		return fmt.Errorf("--timeout %s: must be more than 0", timeout)
	}
	return nil
}

// references gathers those of images, each once and normalized. What is not a reference stays as it
// is. Several goroutines may add some.
type references struct {
	mutex sync.Mutex
	all   map[string]bool
}

func newReferences() *references { return &references{all: map[string]bool{}} }

func (r *references) add(objects ...map[string]any) {
	for _, object := range objects {
		found := pods.References(object)
		r.mutex.Lock()
		for _, reference := range found {
			r.all[spelledOut(reference)] = true
		}
		r.mutex.Unlock()
	}
}

func (r *references) sorted() []string { return slices.Sorted(maps.Keys(r.all)) }

// spelledOut is a reference with its registry and a tag or a digest, or what it is if it is not one.
func spelledOut(reference string) string {
	if name, ok := platform.NormalizeReference(reference); ok {
		return name
	}
	return reference
}

// lookUp asks registries for images, and shows how many it has looked up.
func lookUp(
	ctx context.Context, client registry.Client, references []string, stderr io.Writer,
) []registry.Result {
	p := started(stderr, "looking up "+fielderrors.Count(len(references), "image"))
	defer p.end()
	done := 0
	return client.LookUp(ctx, references, func(registry.Result) {
		done++
		p.say("looked up %d of %s", done, fielderrors.Count(len(references), "image"))
	})
}

// note says why nothing is known about an image.
func note(w io.Writer, failure *registry.Error) { fmt.Fprintln(w, oneLine("note: "+failure.Error())) }

var errNoImages = errors.New("there are no images in it: name other files or folders")
