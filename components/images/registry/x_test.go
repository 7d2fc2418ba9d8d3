package registry

import (
	_ "github.com/google/go-containerregistry/pkg/registry"
)
