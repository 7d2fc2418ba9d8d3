package plan

import (
	"cmp"
	"regexp"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

// Image is the image of a machine: an image of the marketplace, or a custom image by its ID.
type Image struct {
	// Publisher is the publisher of an image of the marketplace.
	Publisher string `json:"publisher" pulumi:"publisher,optional"`
	// Offer is the offer of an image of the marketplace.
	Offer string `json:"offer" pulumi:"offer,optional"`
	// SKU is the SKU of an image of the marketplace.
	SKU string `json:"sku" pulumi:"sku,optional"`
	// Version is the version of an image of the marketplace. Alone, it is a version of the default
	// image, "20348.1906.230803" for example for Windows Server 2022: `az vm image list --all`
	// lists them. "latest" is the newest one when a machine is created: machines of a pool then
	// differ by their age.
	Version string `json:"version" pulumi:"version,optional"`
	// ID is the resource ID of an image, or of an image in a gallery.
	ID string `json:"id" pulumi:"id,optional"`
}

// or returns the image, or the default image of a platform in the configured version. All default
// images are for generation 2 virtual machines, which all sizes since their second version can boot
// (https://learn.microsoft.com/azure/virtual-machines/generation-2). Windows has no desktop,
// because containers do not need one.
func (i Image) or(p platform.Platform) Image {
	if i != (Image{Version: i.Version}) {
		return i
	}
	image := defaultImages[p]
	image.Version = cmp.Or(i.Version, image.Version)
	return image
}

const windowsPublisher, windowsOffer = "MicrosoftWindowsServer", "WindowsServer"

var defaultImages = map[platform.Platform]Image{
	platform.Linux:             {Publisher: "Canonical", Offer: facts.UbuntuOffer, SKU: "server", Version: "latest"},
	platform.WindowsServer2019: windowsImage("2019-datacenter-core-g2"),
	platform.WindowsServer2022: windowsImage("2022-datacenter-core-g2"),
	platform.WindowsServer2025: windowsImage("2025-datacenter-core-g2"),
}

func windowsImage(sku string) Image {
	return Image{Publisher: windowsPublisher, Offer: windowsOffer, SKU: sku, Version: "latest"}
}

var imageIncomplete = engine.Rule{
	Rule: rule.Rule{
		ID: "MK647", Severity: rule.Error, Title: "an image that is specified incompletely, or twice",
		Page:      rulepages.Kubeadm,
		Reason:    "An image of the marketplace has a publisher, an offer, a SKU and a version. Any other has an ID.",
		Source:    machineAPI,
		Mandatory: true,
	},
	Checks: []engine.Check{engine.On(allOptions, incompleteImage)},
}

// incompleteImage finds parts of an image that are missing, malformed or given twice.
func incompleteImage(o settings) []rule.Problem {
	i, path := o.image, o.path.Child("image")
	marketplace := Image{Publisher: i.Publisher, Offer: i.Offer, SKU: i.SKU, Version: i.Version}
	switch {
	case i == Image{Version: i.Version}:
		return wrongVersion(i.Version, path.Child("version"))
	case i.ID != "" && marketplace != Image{}:
		return []rule.Problem{invalid(path.Child("id"), i.ID,
			"give an ID, or publisher, offer, sku and version, not both", "")}
	case i.ID != "":
		return nil
	}
	var found []rule.Problem
	for _, f := range []struct{ name, value string }{
		{"offer", i.Offer}, {"publisher", i.Publisher}, {"sku", i.SKU}, {"version", i.Version},
	} {
		if f.value == "" {
			found = append(found, required(path.Child(f.name),
				"an image of the marketplace has publisher, offer, sku and version; the version may be latest"))
		}
	}
	return append(found, wrongVersion(i.Version, path.Child("version"))...)
}

// versionFormat is the format of versions in the marketplace.
var versionFormat = regexp.MustCompile(`^(latest|\d+\.\d+\.\d+)$`)

func wrongVersion(version string, path *field.Path) []rule.Problem {
	if version == "" || versionFormat.MatchString(version) {
		return nil
	}
	return []rule.Problem{invalid(path, version,
		"must be latest, or three numbers with periods between them, 20348.1906.230803 for example", "")}
}
