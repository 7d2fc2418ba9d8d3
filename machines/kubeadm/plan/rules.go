package plan

import (
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/aged"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// Rules returns all rules, in the order of their IDs.
func Rules() rule.Set { return engine.Described(checked) }

// checked are all rules of the package. Nothing writes to it.
var checked = []engine.Rule{
	clusterNameMalformed, controlPlaneCount,
	// Pools and their machines.
	poolCalledControlPlane, windowsNameTooLong, sizeMissing, arm64Refused, settingOfAKS, imageIncomplete,
	optionsOfNoPool, securityTypeUnknown, noTrustedLaunch, secureBootWithTestDriver, patchModeUnknown,
	patchesNotOfImage,
	// The network in Azure.
	sourceMalformed, servicePortImpossible, networkNotInAzure, rangeTooSmall, tooManyMachines, azureDNSBlocked,
	// Keys and administrators.
	keysMalformed, generationImpossible, keyChanged, stepMissing, sshKeyRefused,
	usernameRefused, windowsPasswordMissing, windowsPasswordRefused, licenseUnknown,
	// Where the cluster of a joining pool is, and how its nodes join.
	placeMissing, refusedByBootstrap,
	// The API server.
	argumentRefused, optionRefused, openAPIServer,
	versionEnds,
	// What this library knows.
	factsOld,
}

// The checks of each kind of subject.
var (
	checkedNames     = engine.New[clusterName](checked...)
	checkedClusters  = engine.New[Defaulted](checked...)
	checkedNetworks  = engine.New[network.Defaulted](checked...)
	checkedPools     = engine.New[pool](checked...)
	checkedSettings  = engine.New[settings](checked...)
	checkedVersions  = engine.New[version](checked...)
	checkedSizes     = engine.New[size](checked...)
	checkedSources   = engine.New[clientSources](checked...)
	checkedServers   = engine.New[server](checked...)
	checkedJoinings  = engine.New[DefaultedJoining](checked...)
	checkedKeys      = engine.New[Keys](checked...)
	checkedRetained  = engine.New[retainedKeys](checked...)
	checkedSteps     = engine.New[missingSteps](checked...)
	checkedReach     = engine.New[reach](checked...)
	checkedUsernames = engine.New[username](checked...)
	checkedLinux     = engine.New[LinuxAdmin](checked...)
	checkedWindows   = engine.New[WindowsAdmin](checked...)
	checkedUses      = engine.New[aged.Use](checked...)
)
