package record

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

// Images is the lock file of images.
type Images struct {
	Lock    *images.Lock // nil if there is none
	Path    string
	Writing bool // this run writes it
}

// ReadImages reads the lock file that the arguments name. Only a preview writes it, as with the baseline.
func ReadImages(ctx *pulumi.Context, path string) (Images, error) {
	mode := os.Getenv(imagesVariable)
	if mode != "" && mode != "write" {
		return Images{}, field.NotSupported(field.NewPath(imagesVariable), mode, []string{"write"})
	}
	l := Images{Path: cmp.Or(path, images.DefaultFile), Writing: mode != "" && ctx.DryRun()}
	var err error
	l.Lock, err = userfiles.Find(path, images.DefaultFile, images.Decode)
	if l.Writing && errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		return l, fmt.Errorf("images: %w", err)
	}
	return l, nil
}

// write adds the images of objects to the lock file if this run has to, and returns how many images have no facts
// yet: a program sends no requests to registries.
func (l Images) write(of clusters) (string, error) {
	if !l.Writing {
		return "", nil
	}
	// Others may still read the lock of the run.
	lock, err := userfiles.Decode(l.Path, images.Decode)
	if errors.Is(err, fs.ErrNotExist) {
		lock, err = &images.Lock{}, nil
	}
	if err != nil {
		return "", err
	}
	before := len(lock.References())
	for _, c := range of {
		for _, o := range c.objects {
			for _, reference := range pods.References(o.Tree) {
				if lock.Facts(reference) == nil {
					_ = lock.Set(reference, nil) // an invalid reference is left out
				}
			}
		}
	}
	all := lock.References()
	if len(all) > before {
		if err := userfiles.Write(l.Path, lock.Encode); err != nil {
			return "", err
		}
	}
	text := fmt.Sprintf("%s has %s, %d of them new", l.Path, fielderrors.Count(len(all), "image"), len(all)-before)
	unknown := slices.DeleteFunc(all, func(reference string) bool { return lock.Facts(reference) != nil })
	if len(unknown) > 0 {
		text += fmt.Sprintf(", %d to look up: mixedkube images lock --file %s", len(unknown), l.Path)
	}
	return text, nil
}
