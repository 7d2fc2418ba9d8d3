package azcli

import (
	"context"
	"strings"

	"github.com/mixedkube/mixedkube/internal/azuresim/armclient"
)

// command is a command of az.
type command struct {
	words string
	flags []flag
	// run runs it, and returns what to print, if anything.
	run func(context.Context, *armclient.Client, flagValues) (any, error)
}

var (
	output        = flag{name: "--output", short: "-o", choices: []string{"json", "none"}}
	yes           = flag{name: "--yes", short: "-y", isSwitch: true}
	resourceGroup = flag{name: "--resource-group", short: "-g", required: true}
	name          = flag{name: "--name", short: "-n", required: true}
	clusterName   = flag{name: "--cluster-name", required: true}

	ids = flag{name: "--ids", isList: true, required: true}

	size              = flag{name: "--node-vm-size", short: "-s"}
	osSKU             = flag{name: "--os-sku", choices: osSKUs()}
	mode              = flag{name: "--mode", choices: []string{"System", "User", "Gateway"}}
	maxSurge          = flag{name: "--max-surge"}
	maxUnavailable    = flag{name: "--max-unavailable"}
	drainTimeout      = flag{name: "--drain-timeout"}
	soakDuration      = flag{name: "--node-soak-duration"}
	undrainable       = flag{name: "--undrainable-node-behavior", choices: []string{"Cordon", "Schedule"}}
	enableFIPS        = flag{name: "--enable-fips-image", isSwitch: true}
	disableFIPS       = flag{name: "--disable-fips-image", isSwitch: true}
	ignorePDB         = flag{name: "--ignore-pdb", isSwitch: true}
	namespace         = flag{name: "--namespace", required: true}
	updateOfPoolFlags = []flag{
		resourceGroup, clusterName, name, size, osSKU, mode, maxSurge, maxUnavailable, drainTimeout, soakDuration,
		undrainable, enableFIPS, disableFIPS, yes, output,
	}

	version = flag{name: "--kubernetes-version", short: "-k", required: true}

	password    = flag{name: "--windows-admin-password"}
	enableAHUB  = flag{name: "--enable-ahub", isSwitch: true}
	disableAHUB = flag{name: "--disable-ahub", isSwitch: true}
	enableGMSA  = flag{name: "--enable-windows-gmsa", isSwitch: true}
	disableGMSA = flag{name: "--disable-windows-gmsa", isSwitch: true}
	gmsaServer  = flag{name: "--gmsa-dns-server"}
	gmsaDomain  = flag{name: "--gmsa-root-domain-name"}
)

// commands are the supported commands.
var commands = []command{
	{"aks show", []flag{resourceGroup, name, output}, showCluster},
	{
		"aks update",
		[]flag{
			resourceGroup, name, password, enableAHUB, disableAHUB, enableGMSA, disableGMSA, gmsaServer, gmsaDomain,
			yes, output,
		},
		updateCluster,
	},
	{"aks nodepool delete", []flag{resourceGroup, clusterName, name, ignorePDB, output}, deletePool},
	{"aks nodepool list", []flag{resourceGroup, clusterName, output}, listPools},
	{"aks nodepool show", []flag{resourceGroup, clusterName, name, output}, showPool},
	{"aks nodepool update", updateOfPoolFlags, updatePool},
	{"aks nodepool upgrade", []flag{resourceGroup, clusterName, name, version, yes, output}, upgradePool},
	{"feature register", []flag{namespace, name, output}, registerFeature},
	{"feature show", []flag{namespace, name, output}, showFeature},
	{"resource delete", []flag{ids, output}, deleteResources},
}

func names() string {
	var all []string
	for _, c := range commands {
		all = append(all, c.words)
	}
	return strings.Join(all, ", ")
}
