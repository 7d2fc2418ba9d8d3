package images_test

import (
	"bytes"
	"fmt"

	"github.com/mixedkube/mixedkube/core/images"
	"github.com/mixedkube/mixedkube/core/platform"
)

// A lock file keeps what a registry has said about an image. Afterwards the rules find it there, however the image
// is spelled.
func Example() {
	var lock images.Lock
	digest := "sha256:" + "0000000000000000000000000000000000000000000000000000000000000000"
	err := lock.Set("shop.example.com/shop:1.4", &platform.Facts{
		Digest: digest,
		Variants: []platform.Variant{
			{OS: platform.WindowsOS, OSVersion: "10.0.20348.2700", Architecture: "amd64", Digest: digest},
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := lock.Encode() // the content of the file
	if err != nil {
		fmt.Println(err)
		return
	}

	read, err := images.Decode(bytes.NewReader(text), images.DefaultFile)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, reference := range []string{"shop.example.com/shop:1.4", "shop.example.com/shop:1.5"} {
		facts := read.Facts(reference)
		if facts == nil {
			fmt.Println(reference, "is not known")
			continue
		}
		fmt.Println(reference, "is for", facts.Variants[0].OS, facts.Variants[0].OSVersion)
	}
	// Output:
	// shop.example.com/shop:1.4 is for windows 10.0.20348.2700
	// shop.example.com/shop:1.5 is not known
}
