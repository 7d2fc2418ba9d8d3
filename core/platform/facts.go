package platform

// Facts are the facts about an image from its registry. They are data: package platform does not query registries.
type Facts struct {
	// Digest is the digest of the index, or of the manifest if there is no index, that the reference resolves to:
	// "sha256:…".
	Digest string
	// Variants are the manifests of the image, one for each platform: those of an index in its order, or the only one.
	Variants []Variant
}

// Variant is one manifest of an image, with the fields of its configuration.
type Variant struct {
	// OS is the operating system: [LinuxOS], [WindowsOS] or another value of the OCI image specification.
	OS OS
	// OSVersion is the build of Windows with its revision, for example "10.0.20348.2700". It is "" if the image does
	// not state it.
	OSVersion string
	// Architecture is the architecture of the processor, in Go's notation: "amd64", "arm64".
	Architecture string
	// Digest is the digest of the manifest.
	Digest string
	// User is the user of the configuration, "" for the default. This and the following fields are read for Windows,
	// and for Linux on amd64 and arm64. For other variants, Layers is empty.
	User string
	// Entrypoint and Command are what starts unless the container overrides it.
	Entrypoint, Command []string
	// Layers are the sizes of the compressed layers in bytes, the lowest layer first.
	Layers []int64
}

// Size returns the total size of the compressed layers in bytes.
func (v *Variant) Size() int64 {
	var size int64
	for _, layer := range v.Layers {
		size += layer
	}
	return size
}
