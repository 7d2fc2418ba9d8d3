package podnetwork

import (
	"testing"

	"github.com/Microsoft/hcsshim/hcn"
)

// hcsshimTypes returns the types of the settings of a policy, by its type.
func hcsshimTypes(*testing.T) map[string]func() any {
	return map[string]func() any{
		"ACL":         func() any { return &hcn.AclPolicySetting{} },
		"OutBoundNAT": func() any { return &hcn.OutboundNatPolicySetting{} },
		"SDNRoute":    func() any { return &hcn.SDNRoutePolicySetting{} },
	}
}
