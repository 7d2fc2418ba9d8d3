package plan

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/facts/vm"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// SecurityType is Azure's name for how a machine starts.
type SecurityType string

// The security types.
const (
	// TrustedLaunch is a start with Secure Boot and a virtual TPM
	// (https://learn.microsoft.com/azure/virtual-machines/trusted-launch).
	TrustedLaunch SecurityType = "TrustedLaunch"
	// StandardSecurity is a start without them: the setting is left out, and Azure uses its own
	// default.
	StandardSecurity SecurityType = "Standard"
)

// Security configures how Azure protects a machine. A machine keeps the settings that it was
// created with.
type Security struct {
	// Type is [TrustedLaunch] by default if the size and the image support it, and
	// [StandardSecurity] otherwise. The sizes are those of the series B, D, E, F, FX and L that
	// start machines of generation 2; the images are the default images, in any version. Set it for
	// other images, and for other sizes that Azure's documentation lists.
	Type SecurityType `json:"type" pulumi:"type,optional"`
	// DisableSecureBoot lets a machine with [TrustedLaunch] load drivers that are not signed by an
	// authority that Windows or Linux trusts. By default the machine refuses them. The exception
	// are Windows machines whose pods are in a network of Antrea, unless Type is set: the driver of
	// Open vSwitch that Antrea provides has only a test signature.
	DisableSecureBoot bool `json:"disableSecureBoot" pulumi:"disableSecureBoot,optional"`
	// EncryptionAtHost also encrypts temporary disks and the caches of disks, on the machine's
	// host. It is off by default, because Azure refuses such a machine in a subscription that has
	// not registered for it: first run `az feature register --namespace Microsoft.Compute --name
	// EncryptionAtHost`, wait until `az feature show` says Registered, and run `az provider
	// register --namespace Microsoft.Compute`. Not all sizes support it
	// (https://learn.microsoft.com/azure/virtual-machines/disks-enable-host-based-encryption-portal).
	EncryptionAtHost bool `json:"encryptionAtHost" pulumi:"encryptionAtHost,optional"`
}

// of returns the security of the machines of a pool, with its defaults.
func (s Security) of(p topology.Pool, i Image, kind network.Kind) Security {
	if s.Type != "" {
		return s
	}
	s.Type = StandardSecurity
	if has, _ := vm.TrustedLaunch(p.Size); has && i.or(p.Platform).hasTrustedLaunch() {
		s.Type = TrustedLaunch
	}
	s.DisableSecureBoot = s.DisableSecureBoot || unsignedDriver(p, kind)
	return s
}

// unsignedDriver reports whether Windows machines load a driver that Secure Boot refuses
// (https://github.com/antrea-io/antrea/blob/main/docs/windows.md).
func unsignedDriver(p topology.Pool, kind network.Kind) bool {
	return kind == network.Antrea && p.Platform.IsWindows()
}

// withTrustedLaunch are images of generation 2 that support it
// (https://learn.microsoft.com/azure/virtual-machines/trusted-launch#operating-systems-supported).
// That page ends with Ubuntu 23.10; for 24.04, `az vm image show` lists what an image supports.
var withTrustedLaunch = []struct {
	publisher, offer string
	sku              *regexp.Regexp
}{
	{"Canonical", facts.UbuntuOffer, regexp.MustCompile(`^server$`)},
	{windowsPublisher, windowsOffer, regexp.MustCompile(`^20(19|22|25)-datacenter(-[a-z]+)*-g2$`)},
}

// hasTrustedLaunch reports whether an image supports Trusted Launch. It is false for images that
// this library does not know.
func (i Image) hasTrustedLaunch() bool {
	for _, known := range withTrustedLaunch {
		if strings.EqualFold(i.Publisher, known.publisher) && strings.EqualFold(i.Offer, known.offer) &&
			known.sku.MatchString(strings.ToLower(i.SKU)) {
			return true
		}
	}
	return false
}

var (
	securityTypeUnknown = engine.Rule{
		Rule: rule.Rule{
			ID: "MK670", Severity: rule.Error, Title: "a security type that machines cannot have",
			Page: rulepages.Kubeadm,
			Reason: "Machines start with Trusted Launch or without it. Confidential machines need sizes, images and " +
				"disks of their own, which this library does not create.",
			Source:    trustedLaunchPage,
			Mandatory: true,
		},
		Checks: []engine.Check{engine.On(allOptions, func(o settings) []rule.Problem {
			switch o.security.Type {
			case "", StandardSecurity, TrustedLaunch:
				return nil
			}
			return []rule.Problem{invalid(o.path.Child("security", "type"), string(o.security.Type),
				"must be TrustedLaunch or Standard, or empty for TrustedLaunch if size and image support it", "")}
		})},
	}
	noTrustedLaunch = engine.Rule{
		Rule: rule.Rule{
			ID: "MK671", Severity: rule.Error, Title: "Trusted Launch with a size that does not support it",
			Page: rulepages.Kubeadm,
			Reason: "Azure refuses to create the machine. Sizes that support only machines of generation 1, and " +
				"confidential sizes, do not support Trusted Launch.",
			Source: trustedLaunchPage + "#virtual-machines-sizes",
		},
		Checks: []engine.Check{engine.On(allOptions, func(o settings) []rule.Problem {
			has, known := vm.TrustedLaunch(o.pool.Size)
			if o.security.Type != TrustedLaunch || has || !known {
				return nil
			}
			return []rule.Problem{invalid(o.path.Child("security", "type"), string(TrustedLaunch),
				fmt.Sprintf("machines of the size %s do not support it", o.pool.Size),
				"leave it out, or use a size that does, for example Standard_D4s_v5")}
		})},
	}
	secureBootWithTestDriver = engine.Rule{
		Rule: rule.Rule{
			ID: "MK672", Severity: rule.Warning, Title: "Secure Boot on Windows machines in a network of Antrea",
			Page: rulepages.Kubeadm,
			Reason: "The driver of Open vSwitch that Antrea provides has only a test signature. Windows loads it " +
				"only after `bcdedit /set TESTSIGNING ON`, which Secure Boot forbids.",
			Source: "https://github.com/antrea-io/antrea/blob/main/docs/windows.md, " +
				"https://github.com/antrea-io/antrea/issues/2638",
		},
		Checks: []engine.Check{engine.On(allOptions, func(o settings) []rule.Problem {
			if o.security.Type != TrustedLaunch || o.security.DisableSecureBoot || !unsignedDriver(o.pool, o.kind) {
				return nil
			}
			return []rule.Problem{invalid(o.path.Child("security", "disableSecureBoot"), false,
				"Secure Boot refuses the driver of Open vSwitch that Antrea provides",
				"set it to true, or install a driver that Microsoft has signed")}
		})},
	}
)
