package wine

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/mixedkube/mixedkube/internal/lab/debian"
)

// packageNames are names of Debian packages. Wine's own dependencies are mostly for sound, graphics and
// cameras, and are only loaded when a program needs them; libwine needs zlib1.dll. The
// binutils link the DLLs that are added.
var packageNames = []string{"wine64", "libwine", "libz-mingw-w64", "libunwind8", "binutils-mingw-w64-x86-64"}

// UnavailableError is the reason why there is no Wine on this machine.
type UnavailableError struct{ Reason string }

// Error returns a sentence with the reason.
func (e UnavailableError) Error() string { return "Wine is not available here: " + e.Reason }

// find calls use with packages that apt-get offers for this machine.
func find(ctx context.Context, dir string, use func(debian.Offer) error) error {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		return UnavailableError{fmt.Sprintf("it runs the programs for amd64 on linux/amd64 only, not on %s/%s",
			runtime.GOOS, runtime.GOARCH)}
	}
	err := debian.Find(ctx, dir, packageNames, use)
	if unavailable, ok := errors.AsType[debian.UnavailableError](err); ok {
		return UnavailableError(unavailable)
	}
	return err
}

// key identifies unpacked trees: by the packages, and by what is added to them.
func key(packages debian.Offer) string {
	var added []string
	for _, d := range dlls {
		added = append(added, d.name, d.definition(), d.assembly)
	}
	return packages.Key(append(added, registry)...)
}
