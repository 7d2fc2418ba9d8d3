package guard

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/images"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/system/userfiles"
)

// imagesVariable makes a preview write the images that the program uses into the lock file.
const imagesVariable = "MIXEDKUBE_IMAGES"

// locked is the lock file of images.
type locked struct {
	lock    *images.Lock // nil if there is none
	path    string
	writing bool // this run writes it
}

// readImages reads the lock file that the arguments name. Only a preview writes it, as with the baseline.
func readImages(ctx *pulumi.Context, path string) (locked, error) {
	mode := os.Getenv(imagesVariable)
	if mode != "" && mode != "write" {
		return locked{}, field.NotSupported(field.NewPath(imagesVariable), mode, []string{"write"})
	}
	l := locked{path: cmp.Or(path, images.DefaultFile), writing: mode != "" && ctx.DryRun()}
	var err error
	l.lock, err = userfiles.Find(path, images.DefaultFile, images.Decode)
	if l.writing && errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		return l, fmt.Errorf("images: %w", err)
	}
	return l, nil
}

// write adds the images of resources to the lock file if this run has to, and returns how many images have no facts
// yet: a program sends no requests to registries.
func (l locked) write(seen []*resource) (string, error) {
	if !l.writing {
		return "", nil
	}
	// Others may still read the lock of the run.
	lock, err := userfiles.Decode(l.path, images.Decode)
	if errors.Is(err, fs.ErrNotExist) {
		lock, err = &images.Lock{}, nil
	}
	if err != nil {
		return "", err
	}
	before := len(lock.References())
	for _, r := range seen {
		for _, reference := range pods.References(r.object.Tree) {
			if lock.Facts(reference) == nil {
				_ = lock.Set(reference, nil) // an invalid reference is left out
			}
		}
	}
	all := lock.References()
	if len(all) > before {
		if err := userfiles.Write(l.path, lock.Encode); err != nil {
			return "", err
		}
	}
	text := fmt.Sprintf("%s has %s, %d of them new", l.path, fielderrors.Count(len(all), "image"), len(all)-before)
	unknown := slices.DeleteFunc(all, func(reference string) bool { return lock.Facts(reference) != nil })
	if len(unknown) > 0 {
		text += fmt.Sprintf(", %d to look up: mixedkube images lock --file %s", len(unknown), l.path)
	}
	return text, nil
}
