package network

import (
	"net/netip"
	"strconv"
)

// aclSettings are the settings of an HNS policy of the type ACL
// (https://github.com/microsoft/hcsshim, hcn: AclPolicySetting).
type aclSettings struct {
	// Protocols is a number, empty for all.
	Protocols       string `json:",omitempty"`
	Action          string
	Direction       string
	RemoteAddresses string `json:",omitempty"`
	RemotePorts     string `json:",omitempty"`
	// RuleType defines who applies a rule: "Switch" is the virtual switch.
	RuleType string `json:",omitempty"`
	Priority uint16
}

const (
	aclTCP = "6"
	// aclBlock is before aclAllow. The numbers are those of AKS
	// (https://github.com/Azure/AgentBaker, staging/cse/windows/azurecnifunc.ps1).
	aclBlock uint16 = 200
	aclAllow uint16 = 65500
)

// windowsACLs keep pods of a Windows node from BlockedEgress. An endpoint with ACLs lets
// through only packets that one of them allows, so the last two allow everything else, both
// ways. There is a rule for each port, as in AKS.
func (n Defaulted) windowsACLs() []policy {
	if len(n.BlockedEgress) == 0 || n.WithoutWindowsACLs {
		return nil
	}
	var policies []policy
	for _, d := range n.BlockedEgress {
		if len(d.TCPPorts) == 0 {
			policies = append(policies, block(d.CIDR, "", ""))
		}
		for _, port := range d.TCPPorts {
			policies = append(policies, block(d.CIDR, aclTCP, strconv.Itoa(port)))
		}
	}
	for _, direction := range []string{"In", "Out"} {
		policies = append(policies, acl(aclSettings{Action: "Allow", Direction: direction, Priority: aclAllow}))
	}
	return policies
}

func block(to netip.Prefix, protocols, port string) policy {
	return acl(aclSettings{
		Protocols: protocols, Action: "Block", Direction: "Out",
		RemoteAddresses: to.String(), RemotePorts: port, RuleType: "Switch", Priority: aclBlock,
	})
}

func acl(s aclSettings) policy { return policy{"EndpointPolicy", policyValue{"ACL", s}} }
