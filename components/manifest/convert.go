package manifest

import (
	"github.com/mixedkube/mixedkube/core/conversion"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// Annotation sets what the pods of a workload are for, if nothing else in the manifest does: mixedkube.dev/platform, on
// the object or on its pod template, with a platform ("linux", "windows-2022") or "windows" for any release.
const Annotation = preflight.PlatformAnnotation

type (
	// Options are the cluster for which manifests are completed, and how.
	Options = conversion.Options
	// File is a file with manifests.
	File = conversion.File
	// Result is the result of converting files.
	Result = conversion.Result
	// Object is an object of a file, and what was done with it.
	Object = conversion.Object
	// Finding is a mistake in an object, or a question about it.
	Finding = conversion.Finding
	// Done is what was done with an object.
	Done = conversion.Done
)

// These are the values of [Done].
const (
	NoPods      = conversion.NoPods
	Unchanged   = conversion.Unchanged
	Wrong       = conversion.Wrong
	Completed   = conversion.Completed
	Assumed     = conversion.Assumed
	Unknown     = conversion.Unknown
	Unsupported = conversion.Unsupported
)

// Convert completes the objects of files for a cluster, in their own text. The
// result has the files in their order; converting them again changes nothing.
//
// Documents that are not Kubernetes objects stay unchanged, and are counted; a finding warns about a document that has
// only one of apiVersion and kind.
//
// The error does not include the findings: those that block (see [preflight.Finding.Blocks]) are about objects that
// cannot work, those with Question about pods with an unknown operating system.
//
// The error lists all mistakes in the options or, if there are none, in the files: text that cannot be read, values
// that cannot be completed in place (because an alias repeats them in another place), and Platforms that match nothing
// or contradict their object. There is no result then.
func Convert(files []File, options Options) (Result, error) {
	result, errs := conversion.Convert(files, options)
	return result, fielderrors.Join("manifest.Convert", nil, at(errs)...)
}
