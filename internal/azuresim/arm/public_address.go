package arm

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

func (r *request) putAddress(body Body) (*resource, error) {
	if err := r.placed(body); err != nil {
		return nil, err
	}
	defaultAt(body, "sku.name", "Standard")
	defaultAt(body, "sku.tier", "Regional")
	defaultAt(body, "properties.publicIPAddressVersion", "IPv4")
	defaultAt(body, "properties.publicIPAllocationMethod", "Dynamic")
	defaultAt(body, "properties.idleTimeoutInMinutes", 4.0)
	defaultAt(body, "properties.ipTags", []any{})
	defaultAt(body, "properties.ddosSettings.protectionMode", "VirtualNetworkInherited")
	if err := r.checkAddressSKU(body); err != nil {
		return nil, err
	}
	if err := r.keepAddress(body); err != nil {
		return nil, err
	}
	if at(body, "properties.ipAddress") == nil {
		address, err := r.freePublicAddress()
		if err != nil {
			return nil, err
		}
		setAt(body, "properties.ipAddress", address)
	}
	return r.putNetworking(body), nil
}

// checkAddressSKU refuses SKUs that can no longer be created: Basic addresses were retired, and the limit of every
// subscription for them is 0.
func (r *request) checkAddressSKU(body Body) error {
	version, sku := textAt(body, "properties.publicIPAddressVersion"), textAt(body, "sku.name")
	switch {
	case sku == "Basic":
		return refused(version+"BasicSkuPublicIpCountLimitReached", "",
			"Cannot create more than 0 %s Basic SKU public IP addresses for this subscription in this region.", version)
	case textAt(body, "properties.publicIPAllocationMethod") != "Static":
		return refused("StandardAndStandardV2SkuPublicIPAddressesMustBeStatic", "",
			"%s sku publicIp %s must have AllocationMethod set to Static.", sku, r.id.text)
	}
	return nil
}

// keepAddress refuses the changes for which azurerm replaces an address. The message about zones was seen
// (https://github.com/Azure/azure-powershell/issues/13656).
func (r *request) keepAddress(body Body) error {
	old := r.state.get(r.id.text)
	if old == nil {
		return nil
	}
	for _, path := range []string{"properties.publicIPAddressVersion", "sku.tier"} {
		if !same(at(old.Body, path), at(body, path)) {
			return changed(path)
		}
	}
	was, is := textsAt(old.Body, "zones"), textsAt(body, "zones")
	slices.Sort(was)
	slices.Sort(is)
	if slices.Equal(was, is) {
		return nil
	}
	zones := func(list []string) string { return cmp.Or(strings.Join(list, ", "), "NoZone") }
	return refused("ResourceAvailabilityZonesCannotBeModified", "",
		"Resource %s has an existing availability zone constraint %s and the request has availability zone constraint "+
			"%s, which do not match. Zones cannot be added/updated/removed once the resource is created. The resource "+
			"cannot be updated from regional to zonal or vice-versa.", r.id.text, zones(was), zones(is))
}

// freePublicAddress returns an unused address of a range that is reserved for documentation.
func (r *request) freePublicAddress() (string, error) {
	taken := map[string]bool{}
	for _, other := range r.state.all(kindAddress) {
		taken[textAt(other.Body, "properties.ipAddress")] = keyOf(other.ID) != r.id.key()
	}
	const addresses = 254
	for i := range addresses {
		if address := fmt.Sprintf("203.0.113.%d", 1+(r.createdAs()+i)%addresses); !taken[address] {
			return address, nil
		}
	}
	return "", refused("PublicIPCountLimitReached", "",
		"Cannot create more than %d public IP addresses for this subscription in this region.", addresses)
}

// checkAddressUse checks that the public addresses in the references are not in use elsewhere.
func (r *request) checkAddressUse(refs []reference) error {
	here := map[string]string{}
	for _, ref := range refs {
		if ref.kind != kindAddress {
			continue
		}
		by := here[keyOf(ref.to)]
		for _, other := range r.state.users(ref.to) {
			if keyOf(other.by) != r.id.key() && keyOf(ownerOf(other.by)) != r.id.key() {
				by = other.by
			}
		}
		if by != "" {
			return refused("PublicIPAddressInUse", "",
				"Resource %s is referencing public IP address %s that is already allocated to resource %s.", ref.by,
				ref.to, by)
		}
		here[keyOf(ref.to)] = ref.by
	}
	return nil
}

func (r *request) removeAddress(found *resource) error {
	if users := r.state.users(found.ID); len(users) > 0 {
		return refused("PublicIPAddressCannotBeDeleted", "",
			"Public IP address %s can not be deleted since it is still allocated to resource %s. In order to delete "+
				"the public IP, disassociate/detach the Public IP address from the resource.  To learn how to do "+
				"this, see aka.ms/deletepublicip.", found.ID, users[0].by)
	}
	return nil
}

// viewAddress adds the user of the address.
func viewAddress(s *state, address *resource, body Body) {
	viewEtag(s, address, body)
	for _, user := range s.users(address.ID) {
		name := "ipConfiguration"
		if typeOf(user.by) == kindNatGateway {
			name = "natGateway"
		}
		setAt(body, "properties."+name, Body{"id": user.by})
	}
}

// skuOf returns the SKU of a public address.
func (r *request) skuOf(id string) string { return textAt(r.state.get(id).Body, "sku.name") }
