package bootstrap

import (
	"fmt"
	"net/netip"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// checkBlockedEgress finds a destination that is the API server's, whose Service has the
// endpoint's address; what else is wrong with it the network says.
func (c Defaulted) checkBlockedEgress(path *field.Path) field.ErrorList {
	endpoint, err := netip.ParseAddrPort(c.Endpoint)
	if err != nil {
		return nil // a name, or reported already
	}
	var errs field.ErrorList
	for i, d := range c.Network.BlockedEgress {
		if d.Reaches(endpoint) {
			errs = append(errs, field.Invalid(path.Index(i).Child("cidr"), d.CIDR.String(), fmt.Sprintf(
				"has the endpoint %s, where pods reach the API server: use a range without it, or other ports",
				c.Endpoint)))
		}
	}
	return errs
}
