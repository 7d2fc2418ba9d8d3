package machine

import (
	"errors"
	"net/netip"
	"slices"
)

// WireServer is where the host of each virtual machine answers its agent
// (https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16).
var WireServer = netip.MustParseAddr("168.63.129.16")

// wireServerPorts are those of the goal state, and of the agent's own service with the
// settings of extensions.
var wireServerPorts = []uint16{80, 32526}

// GoalState is what the WireServer hands out for a machine.
type GoalState struct {
	// Extensions have their protected settings. In Azure these are encrypted for a
	// certificate, and the WireServer wraps its key for any other certificate that is sent
	// along: who gets an answer can read them. customData is not in it.
	Extensions []Extension
	// RunCommands have their protected parameters: to the WireServer they are settings of an
	// extension, Microsoft.CPlat.Core.RunCommandHandlerLinux.
	RunCommands []RunCommand
}

// Pod is a pod on a machine, and whoever runs programs in it.
type Pod struct {
	// HostNetwork says that it has the machine's own network. A host-process container on
	// Windows has no other.
	HostNetwork bool
}

// ErrNoAnswer says that the WireServer got no packet of a pod.
var ErrNoAnswer = errors.New("no answer from 168.63.129.16: the machine lets no packet of the pod through")

// Ask is what the WireServer answers to a pod. It knows who asks by the address that packets
// have when they leave the machine, which is the machine's for those of pods as well. So it
// answers if there is a way to it. The error is [ErrNoAnswer], or that of [Machine.PodReaches].
func (m Machine) Ask(pod Pod) (GoalState, error) {
	for _, port := range wireServerPorts {
		reached := pod.HostNetwork
		if !reached {
			var err error
			if reached, err = m.PodReaches(netip.AddrPortFrom(WireServer, port)); err != nil {
				return GoalState{}, err
			}
		}
		if reached {
			return GoalState{slices.Clone(m.Extensions), slices.Clone(m.RunCommands)}, nil
		}
	}
	return GoalState{}, ErrNoAnswer
}

// PodReaches reports whether a TCP connection of a pod with a network of its own leaves the
// machine for a port of an address, as the machine's files have it that customData brings: on
// Linux the files for nft that the kubelet has loaded when it starts, on Windows the policies
// of the CNI configurations. Objects of the cluster, a NetworkPolicy for example, are not
// seen. The error says what of these files is not understood.
func (m Machine) PodReaches(to netip.AddrPort) (bool, error) {
	disk, err := readCustomData(m.Windows, m.CustomData)
	if err != nil {
		return false, err
	}
	if m.Windows {
		return disk.aclsLetThrough(to)
	}
	return disk.nftLetsThrough(to)
}
