package plan

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/rule"
	"github.com/mixedkube/mixedkube/internal/facts"
)

// Image is what a machine is made from: an image of the marketplace, or one's own by its ID.
type Image struct {
	// Publisher, Offer, SKU and Version are those of the marketplace; the version may be
	// "latest".
	Publisher string `json:"publisher"`
	Offer     string `json:"offer"`
	SKU       string `json:"sku"`
	Version   string `json:"version"`
	// ID is the resource ID of an image, or of one of a gallery.
	ID string `json:"id"`
}

// or is the image, or the default one of a platform. All are of the second generation of
// virtual machines, which all sizes since the second version boot
// (https://learn.microsoft.com/azure/virtual-machines/generation-2). Windows has no
// desktop: containers need none.
func (i Image) or(p platform.Platform) Image {
	if i != (Image{}) {
		return i
	}
	return defaultImages[p]
}

var defaultImages = map[platform.Platform]Image{
	platform.Linux:             {Publisher: "Canonical", Offer: facts.UbuntuOffer, SKU: "server", Version: "latest"},
	platform.WindowsServer2019: windowsImage("2019-datacenter-core-g2"),
	platform.WindowsServer2022: windowsImage("2022-datacenter-core-g2"),
	platform.WindowsServer2025: windowsImage("2025-datacenter-core-g2"),
}

func windowsImage(sku string) Image {
	return Image{Publisher: "MicrosoftWindowsServer", Offer: "WindowsServer", SKU: sku, Version: "latest"}
}

var imageIncomplete = rule.Rule{
	ID: "MK647", Severity: rule.Error, Title: "an image that is named by half, or twice",
	Reason:    "An image of the marketplace has a publisher, an offer, a SKU and a version. Any other has an ID.",
	Source:    machineAPI,
	Mandatory: true,
}

func (c *check) image(i Image, path *field.Path) {
	marketplace := Image{Publisher: i.Publisher, Offer: i.Offer, SKU: i.SKU, Version: i.Version}
	switch {
	case i == Image{}:
		return
	case i.ID != "" && marketplace != Image{}:
		c.Report(imageIncomplete, invalid(path.Child("id"), i.ID,
			"give an ID, or publisher, offer, sku and version, not both", ""))
		return
	case i.ID != "":
		return
	}
	for _, f := range []struct{ name, value string }{
		{"offer", i.Offer}, {"publisher", i.Publisher}, {"sku", i.SKU}, {"version", i.Version},
	} {
		if f.value == "" {
			c.Report(imageIncomplete, required(path.Child(f.name),
				"an image of the marketplace has publisher, offer, sku and version; the version may be latest"))
		}
	}
}
