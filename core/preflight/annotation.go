package preflight

import "github.com/mixedkube/mixedkube/internal/core/pods"

// PlatformAnnotation is an annotation of a workload, or of its pod template. It states what the pods run on if nothing
// else in the manifest does: a platform, in a form that [platform.Parse] accepts ("linux", "windows-2022"), or
// "windows" for any release. Package manifest mutates the pods accordingly.
const PlatformAnnotation = pods.PlatformAnnotation
