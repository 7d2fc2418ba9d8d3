package bootstrap

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// endpointAddress returns the address of the endpoint, the zero one if its host is a name.
func (c Defaulted) endpointAddress() netip.Addr {
	host, _, _ := strings.Cut(c.Endpoint, ":")
	address, err := netip.ParseAddr(host)
	if err != nil {
		return netip.Addr{}
	}
	return address
}

// checkLocalEndpoint finds out why nodes cannot answer the endpoint's address themselves.
func (c Defaulted) checkLocalEndpoint(path *field.Path) field.ErrorList {
	if !c.LocalEndpoint || !network.IsEndpoint(c.Endpoint) {
		return nil // or it is reported already
	}
	at := path.Child("endpoint")
	address := c.endpointAddress()
	if !address.IsGlobalUnicast() {
		return field.ErrorList{field.Invalid(path.Child("localEndpoint"), true, fmt.Sprintf(
			"the host of %s %q is not the IPv4 address of a load balancer: use that, or leave this out", at,
			c.Endpoint))}
	}
	var errs field.ErrorList
	if i := slices.IndexFunc(c.Nodes, func(n Node) bool { return n.Address == address }); i >= 0 {
		errs = append(errs, field.Invalid(at, c.Endpoint, fmt.Sprintf(
			"is the address of %s: with localEndpoint, use the address of a load balancer",
			path.Child("nodes").Index(i))))
	}
	if port := strconv.Itoa(apiServerPort); !strings.HasSuffix(c.Endpoint, ":"+port) {
		errs = append(errs, field.Invalid(at, c.Endpoint,
			"with localEndpoint, use the port on which the API server of each node listens, "+port))
	}
	return errs
}
