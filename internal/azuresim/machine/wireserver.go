package machine

import (
	"errors"
	"net/netip"
	"slices"
)

// WireServer is the address at which the host of each virtual machine answers the agent on it
// (https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16).
var WireServer = netip.MustParseAddr("168.63.129.16")

// wireServerPorts are the port of the goal state, and the port of the agent's own service with the settings of
// extensions.
var wireServerPorts = []uint16{80, 32526}

// GoalState is the data that the WireServer returns for a machine.
type GoalState struct {
	// Extensions have their protected settings. In Azure these are encrypted for a certificate, and the WireServer
	// wraps its key for any other certificate that the client sends: a client that gets an answer can read them.
	// customData is not in it.
	Extensions []Extension
	// RunCommands have their protected parameters: to the WireServer they are settings of an extension,
	// Microsoft.CPlat.Core.RunCommandHandlerLinux.
	RunCommands []RunCommand
}

// Pod is a pod on a machine, and any program that runs in it.
type Pod struct {
	// HostNetwork is true if the pod uses the machine's network. A host-process container on Windows has no other.
	HostNetwork bool
}

// ErrNoAnswer is returned if no packet of a pod reaches the WireServer.
var ErrNoAnswer = errors.New("no answer from 168.63.129.16: the machine drops the packets of the pod")

// Ask returns the WireServer's answer to a pod. The WireServer identifies its client by the source address, and packets
// of pods leave the machine with the machine's address. So it answers if a packet reaches it. The error is
// [ErrNoAnswer], or the error of [Machine.PodReaches].
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

// PodReaches reports whether a TCP connection of a pod with its own network leaves the machine for an address and port.
// It reads the machine's files from customData: on Linux the nft files that are loaded before the kubelet starts, on
// Windows the policies of the CNI configurations. Objects of the cluster, a NetworkPolicy for example, are not
// considered. The error names the part of these files that is not understood.
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
