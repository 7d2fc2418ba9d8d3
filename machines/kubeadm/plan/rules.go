package plan

import (
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
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

// index has the checks of the rules.
var index = engine.NewIndex(checked...)

// find returns what the rules find in a subject.
func find[S any](subject S) rule.Findings { return engine.Find(index, subject) }
