package registry_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http/httptest"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
	memory "github.com/google/go-containerregistry/pkg/registry"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	client "github.com/google/go-containerregistry/pkg/v1/remote"

	"github.com/mixedkube/mixedkube/system/registry"
)

// The client asks a registry, here one in this process, which platforms an image is for.
func Example() {
	server := httptest.NewServer(memory.New(memory.Logger(log.New(io.Discard, "", 0))))
	defer server.Close()
	image := strings.TrimPrefix(server.URL, "http://") + "/shop:1.4"
	if err := push(image); err != nil {
		fmt.Println(err)
		return
	}

	for _, result := range (registry.Client{}).LookUp(context.Background(), []string{image, "no such image"}, nil) {
		if result.Failure != nil {
			fmt.Println(result.Failure)
			continue
		}
		for _, variant := range result.Facts.Variants {
			fmt.Println(variant.OS, variant.OSVersion, variant.Architecture)
		}
	}
	// Output:
	// windows 10.0.20348.2700 amd64
	// no such image: invalid reference: it is not an image reference: write one such as nginx:1.27
}

// push creates an image for Windows Server 2022 without layers.
func push(image string) error {
	config, err := empty.Image.ConfigFile()
	if err != nil {
		return err
	}
	config = config.DeepCopy()
	config.OS, config.OSVersion, config.Architecture = "windows", "10.0.20348.2700", "amd64"
	made, err := mutate.ConfigFile(empty.Image, config)
	if err != nil {
		return err
	}
	reference, err := name.ParseReference(image)
	if err != nil {
		return err
	}
	return client.Write(reference, made)
}
