package plan

import (
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

// PatchMode is Azure's name for how updates of the operating system are installed.
type PatchMode string

// AutomaticByPlatform lets Azure install critical and security updates each month, on one group of
// machines after the other.
const AutomaticByPlatform PatchMode = "AutomaticByPlatform"

// RebootSetting is Azure's name for when a machine restarts after updates.
type RebootSetting string

// The reboot settings. Azure drains no node before it restarts a machine.
const (
	// RebootNever leaves the restart to you. It is the default.
	RebootNever RebootSetting = "Never"
	// RebootIfRequired restarts a machine if an update requires it.
	RebootIfRequired RebootSetting = "IfRequired"
	// RebootAlways restarts a machine after each installation of updates.
	RebootAlways RebootSetting = "Always"
)

// Patching configures who updates the operating system of existing machines. To get new machines
// instead, change the version of [Image].
type Patching struct {
	// Mode is empty by default: on Linux the image's own updates, which are unattended-upgrades for
	// Ubuntu, without restarts; on Windows no updates. With [AutomaticByPlatform] Azure installs
	// updates (https://learn.microsoft.com/azure/virtual-machines/automatic-vm-guest-patching). It
	// then checks with the extension Application Health, which probes the kubelet at /healthz,
	// whether the machine still works.
	Mode PatchMode `json:"mode" pulumi:"mode,optional"`
	// Reboot is for [AutomaticByPlatform]: [RebootNever] by default. In this case a new kernel of
	// Linux, and most updates of Windows, take effect only when something else restarts the
	// machine.
	Reboot RebootSetting `json:"reboot" pulumi:"reboot,optional"`
}

var (
	patchModeUnknown = engine.Rule{
		Rule: rule.Rule{
			ID: "MK673", Severity: rule.Error, Title: "a patch mode that pools do not have", Page: rulepages.Kubeadm,
			Reason: "Updates that Windows installs by itself restart machines with their pods at any time, and are " +
				"not offered. A reboot setting has an effect with AutomaticByPlatform only.",
			Source:    guestPatchingPage + "#patch-orchestration-modes",
			Mandatory: true,
		},
		Checks: []engine.Check{engine.On(allOptions, unknownPatching)},
	}
	patchesNotOfImage = engine.Rule{
		Rule: rule.Rule{
			ID: "MK674", Severity: rule.Warning, Title: "automatic patches for an image that may not have them",
			Page: rulepages.Kubeadm,
			Reason: "Azure patches machines of listed images only, compared by publisher, offer and SKU. It adds " +
				"some from time to time.",
			Source: guestPatchingPage + "#supported-os-images",
		},
		Checks: []engine.Check{engine.On(allOptions, func(o settings) []rule.Problem {
			image := o.image.or(o.pool.Platform)
			listed := slices.ContainsFunc(patchedImages, func(known Image) bool {
				return strings.EqualFold(image.Publisher, known.Publisher) &&
					strings.EqualFold(image.Offer, known.Offer) && strings.EqualFold(image.SKU, known.SKU)
			})
			if o.patching.Mode != AutomaticByPlatform || listed {
				return nil
			}
			return []rule.Problem{invalid(o.path.Child("patching", "mode"), string(o.patching.Mode),
				"the image of the machines is not on this library's copy of the list of images that Azure patches",
				"compare it with the list, or take new versions of the image")}
		})},
	}
)

// patchedImages are the images on Azure's list that pools are likely to use.
var patchedImages = []Image{
	{Publisher: "Canonical", Offer: facts.UbuntuOffer, SKU: "server"},
	{Publisher: windowsPublisher, Offer: windowsOffer, SKU: "2019-datacenter-gensecond"},
	{Publisher: windowsPublisher, Offer: windowsOffer, SKU: "2022-datacenter-core-g2"},
	{Publisher: windowsPublisher, Offer: windowsOffer, SKU: "2022-datacenter-g2"},
	{Publisher: windowsPublisher, Offer: windowsOffer, SKU: "2022-datacenter-azure-edition-core"},
	{Publisher: windowsPublisher, Offer: windowsOffer, SKU: "2025-datacenter-azure-edition-core"},
}

// unknownPatching finds modes and reboot settings that pools do not have.
func unknownPatching(o settings) []rule.Problem {
	var found []rule.Problem
	p, path := o.patching, o.path.Child("patching")
	if p.Mode != "" && p.Mode != AutomaticByPlatform {
		found = append(found, invalid(path.Child("mode"), string(p.Mode),
			"must be AutomaticByPlatform, or empty for the image's own updates", ""))
	}
	switch {
	case !slices.Contains([]RebootSetting{"", RebootNever, RebootIfRequired, RebootAlways}, p.Reboot):
		found = append(found, invalid(path.Child("reboot"), string(p.Reboot),
			"must be Never, IfRequired or Always, or empty for Never", ""))
	case p.Reboot != "" && p.Mode == "":
		found = append(found, invalid(path.Child("reboot"), string(p.Reboot),
			"has no effect without the mode AutomaticByPlatform", "set the mode, or leave it out"))
	}
	return found
}
