package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// inPlaceChange is a difference between a program and a pool in Azure that AKS removes in place.
type inPlaceChange struct {
	difference

	// path and value are those of the program's argument.
	path  string
	value any
	needs Preview
}

// inPlace returns the changes of a pool that AKS makes in place.
func (p retained) inPlace() []inPlaceChange {
	profile, exists := p.inAzure.profile(p.options.NameInAzure)
	if !exists || p.options.Change != InPlace {
		return nil
	}
	var changes []inPlaceChange
	for _, d := range differing(p.Pool, p.options, profile) {
		switch d.property {
		case vmSize:
			changes = append(changes, inPlaceChange{d, p.at + "size", p.Size, VMSSResize})
		case osSKU:
			changes = append(changes, inPlaceChange{d, p.at + "platform", p.Platform.String(), WindowsOSUpgrade})
		}
	}
	return changes
}

// follows reports whether a difference belongs to a change in place.
func (p retained) follows(d difference) bool {
	return slices.ContainsFunc(p.inPlace(), func(c inPlaceChange) bool {
		return c.property == d.property || c.property == osSKU && d.property == enableFIPS
	})
}

// command returns the command that makes the change.
func (c inPlaceChange) command(pool string, at Place) Command {
	if c.property == osSKU {
		return OSCommand(pool, OSSKU(platform.Platform(fmt.Sprint(c.value))), at)
	}
	return ResizeCommand(pool, fmt.Sprint(c.value), at)
}

// IgnoredInPlace returns the properties of a pool that keeps its name whose changes its resource ignores. Commands
// change a pool in place: azure-native would replace the pool for another size, and has an API without the previews. A
// pool that no longer changes in place ignores those that it has in Azure already, because the state can still have the
// values before: MK777 compares with Azure. A Linux pool changes all but its size without a preview.
func (a InAzure) IgnoredInPlace(p topology.Pool, o PoolOptions) []string {
	ignored := []string{vmSize}
	if p.Platform.IsWindows() {
		ignored = []string{vmSize, osSKU, enableFIPS}
	}
	if o.Change == InPlace {
		return ignored
	}
	profile, exists := a.profile(o.NameInAzure)
	if !exists {
		return nil
	}
	differ := differing(p, o, profile)
	return slices.DeleteFunc(ignored, func(property string) bool {
		return slices.ContainsFunc(differ, func(d difference) bool { return d.property == property })
	})
}

// InPlaceCommand is a command that changes a property of a pool in place.
type InPlaceCommand struct {
	// Name is what Command changes: size or os.
	Name    string
	Command Command
	// Differs describes the pool in Azure if it has another value there, or if its last change has not succeeded yet:
	// the same request continues with the nodes that are left. It is empty if there is nothing to do, and has another
	// value after each change of the pool in Azure.
	Differs string
}

// InPlaceCommands returns the commands for a pool that keeps its name. They depend on the program only, except for
// Differs. A pool that stays on Windows Server 2022 has none for its release. AKS refuses the commands of previews that
// the program does not list, so they do not continue anything.
func (a InAzure) InPlaceCommands(p topology.Pool, o PoolOptions, at Place) []InPlaceCommand {
	name := o.NameInAzure
	inAzure, exists := a.Pool(name)
	differs := func(differs bool, needs Preview) string {
		if !exists || !differs && !a.goesOn(name, o, needs) {
			return ""
		}
		profile, _ := a.profile(name)
		var has []string
		for _, property := range []string{vmSize, osSKU, "provisioningState", "eTag"} {
			has = append(has, property+"="+open(profile[property]))
		}
		return strings.Join(has, " ")
	}
	commands := []InPlaceCommand{{
		"size", ResizeCommand(name, p.Size, at), differs(!isSameSize(inAzure.Size, p.Size), VMSSResize),
	}}
	if p.Platform == platform.WindowsServer2025 {
		commands = append(commands, InPlaceCommand{
			"os", OSCommand(name, OSSKU(p.Platform), at), differs(inAzure.Platform != p.Platform, WindowsOSUpgrade),
		})
	}
	return commands
}
