package arm

import (
	"errors"
	"fmt"
	"net/netip"

	"github.com/mixedkube/mixedkube/internal/azuresim/machine"
)

// connect returns the reason why a machine does not reach what it needs to run kubeadm: the internet for its downloads,
// and an API server at the endpoint. Names are not resolved. Options.Join checks endpoints outside of this cloud.
func (s *state) connect(nic *resource, m machine.Machine, b machine.Bootstrap) error {
	if nic == nil {
		return fmt.Errorf("the network interface of %s no longer exists", m.ComputerName)
	}
	if _, err := s.outbound(nic); err != nil {
		return fmt.Errorf("%s cannot download anything: %w", m.ComputerName, err)
	}
	endpoint, err := netip.ParseAddrPort(b.Endpoint)
	if err != nil || b.Init {
		return nil //nolint:nilerr // Options.Join checks a name
	}
	nics, err := s.flow(packet{nic: nic, from: m.Address, to: endpoint, protocol: "Tcp"})
	if err != nil {
		return fmt.Errorf("%s does not reach the API server: %w", m.ComputerName, err)
	}
	return s.answers(nics, endpoint)
}

// answers returns an error if there is no API server behind any of the network interfaces that packets to an endpoint
// arrive at. Without network interfaces the endpoint is outside of this cloud, and there is no error.
func (s *state) answers(nics []*resource, endpoint netip.AddrPort) error {
	if len(nics) == 0 {
		return nil
	}
	for _, nic := range nics {
		if vm := s.machineUsing(nic.ID); vm != nil && vm.isControlPlane() {
			return nil
		}
	}
	return errors.New("no API server answers at " + endpoint.String() + ": connection refused")
}
