package platform

// Facts are what a registry says about an image. They are data: package platform reads none.
type Facts struct {
	// Digest is that of the index, or of the manifest if there is no index, that the
	// reference leads to: "sha256:…".
	Digest string
	// Variants are the manifests that the image has, one for each platform: those of an index in
	// its order, or the only one.
	Variants []Variant
}

// Variant is one manifest of an image, with what its configuration says.
type Variant struct {
	// OS is the operating system: [LinuxOS], [WindowsOS] or another one in the words of the
	// OCI image specification.
	OS OS
	// OSVersion is the build of Windows with its revision, for example "10.0.20348.2700"; ""
	// where nothing is said.
	OSVersion string
	// Architecture is that of the processor, in Go's words: "amd64", "arm64".
	Architecture string
	// Digest is that of the manifest.
	Digest string
	// User is the user that the configuration names, "" for the default. It and what follows are
	// read for Windows, and for Linux on amd64 and arm64; Layers is empty where they are not.
	User string
	// Entrypoint and Command are what starts unless the container says something else.
	Entrypoint, Command []string
	// Layers are the sizes of the compressed layers in bytes, the lowest layer first.
	Layers []int64
}

// Size is how many bytes the compressed layers have together.
func (v *Variant) Size() int64 {
	var size int64
	for _, layer := range v.Layers {
		size += layer
	}
	return size
}
