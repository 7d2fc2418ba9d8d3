package arm

import (
	"net/netip"
	"slices"
	"strings"
)

// holder is a part with a private address in a subnet: an IP configuration of a network interface, or a frontend of an
// internal load balancer.
type holder struct {
	id      string
	owner   *resource
	part    Body
	subnet  string
	address netip.Addr
}

// holderLists are the lists of the parts that can have private addresses.
var holderLists = map[string]string{kindNIC: "ipConfigurations", kindLoadBalancer: "frontendIPConfigurations"}

// holders returns all parts with private addresses.
func (s *state) holders() []holder {
	var all []holder
	for _, owner := range s.all(kindNIC, kindLoadBalancer) {
		all = append(all, holdersOf(owner)...)
	}
	return all
}

func holdersOf(owner *resource) []holder {
	var all []holder
	list := holderLists[owner.Kind]
	for _, part := range parts(owner.Body, list) {
		address, err := netip.ParseAddr(textAt(part, "properties.privateIPAddress"))
		if subnet := textAt(part, "properties.subnet.id"); err == nil && subnet != "" {
			all = append(all, holder{partID(owner.ID, list, part), owner, part, subnet, address})
		}
	}
	return all
}

// networkOf returns the ID of the virtual network of a subnet, the same in all spellings.
func networkOf(subnet string) string { return keyOf(ownerOf(subnet)) }

// giveAddresses assigns a private address to each part of a list that is in a subnet. Dynamic ones come last: they get
// the remaining addresses.
func (r *request) giveAddresses(body Body, list string) error {
	taken := map[netip.Addr]string{}
	var dynamic []Body
	for _, part := range parts(body, list) {
		subnet := textAt(part, "properties.subnet.id")
		if subnet == "" {
			continue
		}
		r.takenIn(subnet, taken)
		defaultAt(part, "properties.privateIPAllocationMethod", "Dynamic")
		had := r.hadAddress(list, part)
		if textAt(part, "properties.privateIPAllocationMethod") == "Dynamic" {
			removeAt(part, "properties.privateIPAddress")
		}
		if had != "" {
			defaultAt(part, "properties.privateIPAddress", had)
		}
		if at(part, "properties.privateIPAddress") == nil &&
			textAt(part, "properties.privateIPAllocationMethod") == "Dynamic" {
			dynamic = append(dynamic, part)
			continue
		}
		if err := r.claimAddress(partID(r.id.text, list, part), part, taken); err != nil {
			return err
		}
	}
	for _, part := range dynamic {
		if err := r.freeAddress(partID(r.id.text, list, part), part, taken); err != nil {
			return err
		}
	}
	return nil
}

// takenIn adds the addresses that other resources have in the network of a subnet.
func (r *request) takenIn(subnet string, taken map[netip.Addr]string) {
	for _, h := range r.state.holders() {
		if networkOf(h.subnet) == networkOf(subnet) && keyOf(h.owner.ID) != r.id.key() {
			taken[h.address] = h.id
		}
	}
}

// hadAddress returns the address that the part already has in the same subnet. The part keeps it.
func (r *request) hadAddress(list string, part Body) string {
	old := r.state.get(r.id.text)
	if old == nil {
		return ""
	}
	for _, before := range parts(old.Body, list) {
		if strings.EqualFold(textAt(before, "name"), textAt(part, "name")) &&
			keyOf(textAt(before, "properties.subnet.id")) == keyOf(textAt(part, "properties.subnet.id")) {
			return textAt(before, "properties.privateIPAddress")
		}
	}
	return ""
}

// claimAddress reserves the address that a part specifies.
func (r *request) claimAddress(id string, part Body, taken map[netip.Addr]string) error {
	text := textAt(part, "properties.privateIPAddress")
	address, err := netip.ParseAddr(text)
	if err != nil {
		return refused("InvalidIPAddress", "", "The private IP address '%s' of %s is invalid.", text, id)
	}
	prefixes := prefixesOf(r.state.get(textAt(part, "properties.subnet.id")))
	inside := slices.IndexFunc(prefixes, func(p netip.Prefix) bool { return p.Contains(address) })
	if inside < 0 {
		return refused("PrivateIPAddressNotInSubnet", "",
			"Private static IP address %s does not belong to the range of subnet prefix %s.", address,
			prefixesText(prefixes))
	}
	if isReserved(prefixes[inside], address) {
		return refused("PrivateIPAddressInReservedRange", "",
			"Private static IP address %s falls within reserved IP range of subnet prefix %s.", address,
			prefixes[inside])
	}
	if by := taken[address]; by != "" {
		return refused("PrivateIPAddressIsAllocated", "",
			"IP configuration %s is using the private IP address %s which is already allocated to resource %s.", id,
			address, by)
	}
	taken[address] = id
	return nil
}

// freeAddress assigns the lowest unused address to a part.
func (r *request) freeAddress(id string, part Body, taken map[netip.Addr]string) error {
	subnet := r.state.get(textAt(part, "properties.subnet.id"))
	wantsV6 := textAt(part, "properties.privateIPAddressVersion") == "IPv6"
	for _, prefix := range prefixesOf(subnet) {
		if prefix.Addr().Is6() != wantsV6 {
			continue
		}
		for address := prefix.Addr(); prefix.Contains(address); address = address.Next() {
			if taken[address] == "" && !isReserved(prefix, address) {
				taken[address] = id
				setAt(part, "properties.privateIPAddress", address.String())
				return nil
			}
		}
	}
	return refused("SubnetIsFull", "",
		"Subnet %s with address prefix %s does not have enough capacity for 1 IP addresses.", nameOf(subnet.ID),
		prefixesText(prefixesOf(subnet)))
}

// prefixesOf returns the ranges of a subnet.
func prefixesOf(subnet *resource) []netip.Prefix {
	texts := textsAt(subnet.Body, "properties.addressPrefixes")
	if one := textAt(subnet.Body, "properties.addressPrefix"); one != "" && !slices.Contains(texts, one) {
		texts = append(texts, one)
	}
	return parsePrefixes(texts)
}

func parsePrefixes(texts []string) []netip.Prefix {
	var prefixes []netip.Prefix
	for _, text := range texts {
		if prefix, err := netip.ParsePrefix(text); err == nil {
			prefixes = append(prefixes, prefix.Masked())
		}
	}
	return prefixes
}

func prefixesText(prefixes []netip.Prefix) string {
	texts := make([]string, len(prefixes))
	for i, prefix := range prefixes {
		texts[i] = prefix.String()
	}
	return strings.Join(texts, ",")
}

// isReserved reports whether Azure reserves an address of a subnet: it reserves the first four and the last.
func isReserved(prefix netip.Prefix, address netip.Addr) bool {
	first := prefix.Addr()
	for range 4 {
		if address == first {
			return true
		}
		first = first.Next()
	}
	return !prefix.Contains(address.Next())
}
