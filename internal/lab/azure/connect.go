package azure

import (
	"errors"
	"fmt"
	"net/netip"

	"github.com/mixedkube/mixedkube/internal/lab/machine"
)

// connect says why a machine does not reach what it needs to run kubeadm: the internet
// for its downloads, and an API server at the endpoint. Names are not resolved, and what
// is elsewhere is left to whoever lets the machine join.
func (r *request) connect(m machine.Machine, b machine.Bootstrap) error {
	nic, err := r.state.sender(m.Address)
	if err != nil {
		return err
	}
	if nic == nil {
		return fmt.Errorf("the network interface of %s has no address", m.ComputerName)
	}
	if _, err := r.state.outbound(nic); err != nil {
		return fmt.Errorf("%s cannot download anything: %w", m.ComputerName, err)
	}
	endpoint, err := netip.ParseAddrPort(b.Endpoint)
	if err != nil || b.Init {
		return nil
	}
	nics, err := r.state.flow(packet{nic: nic, from: m.Address, to: endpoint, protocol: "Tcp"})
	if err != nil {
		return fmt.Errorf("%s does not reach the API server: %w", m.ComputerName, err)
	}
	return r.state.answers(nics, endpoint)
}

// answers says why there is no API server behind any of the network interfaces that
// packets to an endpoint arrive at. None of them means that it is elsewhere.
func (s *state) answers(nics []*resource, endpoint netip.AddrPort) error {
	if len(nics) == 0 {
		return nil
	}
	for _, nic := range nics {
		vm := s.machineUsing(nic.ID)
		if vm != nil && vm.Joined != nil && vm.Joined.Bootstrap != nil && vm.Joined.Bootstrap.ControlPlane {
			return nil
		}
	}
	return errors.New("no API server answers at " + endpoint.String() + ": connection refused")
}
