package manifest

import (
	"github.com/mixedkube/mixedkube/components/manifest/conversion"
	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/internal/fielderrors"
)

// Annotation says what the pods of a workload are for, where nothing else in the
// manifest does: mixedkube.dev/platform, on the object or on the template of its
// pods, with a platform ("linux", "windows-2022") or "windows" for any release.
const Annotation = preflight.PlatformAnnotation

type (
	// Options say for which cluster manifests are completed, and how.
	Options = conversion.Options
	// File is a file with manifests.
	File = conversion.File
	// Result is what became of files.
	Result = conversion.Result
	// Object is an object of a file, and what was done with it.
	Object = conversion.Object
	// Finding is something that is wrong with an object, or a question about it.
	Finding = conversion.Finding
	// Done is what was done with an object.
	Done = conversion.Done
)

// What can be done with an object.
const (
	NoPods    = conversion.NoPods
	Kept      = conversion.Kept
	Wrong     = conversion.Wrong
	Completed = conversion.Completed
	Assumed   = conversion.Assumed
	Asks      = conversion.Asks
	Foreign   = conversion.Foreign
)

// Convert completes the objects of files for a cluster, in their own text. The
// result has the files in their order; converting them again changes nothing.
//
// Documents that are no Kubernetes objects stay as they are, and are counted; a finding
// warns of one that has only one of apiVersion and kind.
//
// Findings are not in the error: those that block (see [preflight.Finding.Blocks])
// are about objects that cannot work, those with Asks about pods of which nothing is
// known.
//
// The error lists everything that is wrong with the options or, if they are right,
// with the files: what cannot be read, what cannot be completed in place (a value
// that an alias repeats elsewhere), and Platforms that match nothing or contradict
// their object. There is no result then.
func Convert(files []File, options Options) (Result, error) {
	result, errs := conversion.Convert(files, options)
	return result, fielderrors.Join("manifest.Convert", nil, at(errs)...)
}
