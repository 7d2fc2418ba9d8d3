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

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/system/registry"
)

func newImages(in *input) *cobra.Command {
	return group(&cobra.Command{
		Use:   "images",
		Short: "Look up images in their registries, and lock the results in a file",
		Long: `Look up images in their registries: their operating systems, releases of Windows and architectures,
their user, entry point and size. The lock file, mixedkube.images.yaml, stores the results: with it,
check, adopt and the guard of a Pulumi program work offline, and do not depend on the names of images.

The command reads indexes, manifests and configurations, never layers, with the credentials of
docker login.`,
		Example: `  mixedkube images lock deploy/
  mixedkube images show mcr.microsoft.com/dotnet/aspnet:8.0`,
	}, newImagesLock(in), newImagesShow(in))
}

// timeoutFlag adds the flag that limits how long the lookup of all images may take.
func timeoutFlag(cmd *cobra.Command, timeout *time.Duration) {
	cmd.Flags().DurationVar(timeout, "timeout", 5*time.Minute, "the `time` that all images may take together")
}

func checkTimeout(timeout time.Duration) error {
	if timeout <= 0 {
		return fmt.Errorf("--timeout %s: must be more than 0", timeout)
	}
	return nil
}

// references collects the references to images, each once and normalized. A text that is not a reference stays
// unchanged. Several goroutines may add references.
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

// spelledOut returns a reference with its registry and a tag or a digest, or the text itself if it is not a reference.
func spelledOut(reference string) string {
	if name, ok := platform.NormalizeReference(reference); ok {
		return name
	}
	return reference
}

// lookUp looks images up in their registries, and shows its progress.
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

// note writes why nothing is known about an image.
func note(w io.Writer, failure *registry.Error) { printLine(w, "note: "+failure.Error()) }

var errNoImages = errors.New("has no images: name other files or directories")
