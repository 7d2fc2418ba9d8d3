package kustomize

// The limits of a build. They are far above what repositories have, and below what exhausts a machine: a kustomization
// can include others that include others, each twice.
const (
	// maxSize is how many bytes of files a build reads, each file as often as it is included.
	maxSize = 32 << 20
	// maxObjects is how many objects a build has, counted by their kinds in the texts: the library compares the names
	// of each object with those of all others.
	maxObjects = 10_000
	// maxIncluded is how many kustomizations a build includes, each as often as it is included.
	maxIncluded = 1000
	// maxSteps is how many patches and other changes a build has, each as often as it is included.
	maxSteps = 10_000
)
