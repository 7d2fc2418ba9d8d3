package arm

import "net/netip"

// maxRoutes is the limit of a route table (https://aka.ms/azurelimits).
const maxRoutes = 400

var routeReadOnly = []string{"id", "type", "etag", "properties.provisioningState", "properties.hasBgpOverride"}

func (r *request) putRouteTable(body Body) (*resource, error) {
	if err := r.placed(body); err != nil {
		return nil, err
	}
	defaultAt(body, "properties.disableBgpRoutePropagation", false)
	routes, listed := at(body, "properties.routes").([]any)
	if err := r.takeParts(body, "routes"); err != nil {
		return nil, err
	}
	removeAt(body, "properties.routes")
	table := r.putNetworking(body)
	if !listed {
		return table, nil
	}
	return table, r.putRoutes(routes)
}

// putRoutes reconciles the routes of the table with a list.
func (r *request) putRoutes(routes []any) error {
	listed := map[string]bool{}
	for _, route := range routes {
		listed[keyOf(partID(r.id.text, "routes", route.(Body)))] = true
	}
	// Remove old routes first: new ones can have their prefixes.
	for _, old := range r.state.below(r.id.text, kindRoute) {
		if !listed[keyOf(old.ID)] {
			r.state.remove(old.ID)
		}
	}
	for _, route := range routes {
		id, err := parseID(partID(r.id.text, "routes", route.(Body)))
		if err != nil {
			return err
		}
		one := *r
		one.id = id
		for _, path := range routeReadOnly {
			removeAt(route.(Body), path)
		}
		if _, err := one.putRoute(route.(Body)); err != nil {
			return err
		}
	}
	return nil
}

func (r *request) putRoute(body Body) (*resource, error) {
	delete(body, "name")
	if err := r.checkRoute(body); err != nil {
		return nil, err
	}
	others := 0
	for _, other := range r.state.below(r.id.parent, kindRoute) {
		if keyOf(other.ID) == r.id.key() {
			continue
		}
		others++
		if samePrefix(textAt(other.Body, "properties.addressPrefix"), textAt(body, "properties.addressPrefix")) {
			return nil, refused("RouteConflict", "",
				"Route: %s conflicts with Route: %s. Routes cannot have the same AddressPrefix.", nameOf(other.ID),
				r.id.name())
		}
	}
	if others >= maxRoutes {
		return nil, refused("RouteCountLimitReached", "", "Cannot create more than %d routes in route table %s.",
			maxRoutes, nameOf(r.id.parent))
	}
	setAt(body, "properties.provisioningState", "Succeeded")
	return r.state.put(r.id, body), nil
}

func (r *request) checkRoute(body Body) error {
	hop, next := textAt(body, "properties.nextHopType"), textAt(body, "properties.nextHopIpAddress")
	if hop == "" {
		return badFormat("Required property 'nextHopType' not found in JSON. Path 'properties'.")
	}
	text := textAt(body, "properties.addressPrefix")
	// A service tag is a prefix, too.
	if prefix, err := netip.ParsePrefix(text); err != nil && !isTag(text) {
		return badPrefix(text, r.id.text)
	} else if err == nil && prefix != prefix.Masked() {
		return refused("InvalidCIDRNotation", "",
			"The address prefix %s in resource %s has an invalid CIDR notation. For the given prefix length, the "+
				"address prefix should be %s.", text, r.id.text, prefix.Masked())
	}
	if hop != "VirtualAppliance" {
		if next != "" {
			return refused("NextHopIpAddressNotAllowed", "",
				"Route %s has the next hop type %s and must not have a next hop IP address.", r.id.name(), hop)
		}
		return nil
	}
	if _, err := netip.ParseAddr(next); err != nil {
		return refused("InvalidNextHopIpAddress", "",
			"Route %s has the next hop type VirtualAppliance and needs a next hop IP address. Value provided: '%s'.",
			r.id.name(), next)
	}
	return nil
}

func samePrefix(a, b string) bool {
	x, err := netip.ParsePrefix(a)
	y, err2 := netip.ParsePrefix(b)
	return err == nil && err2 == nil && x == y || keyOf(a) == keyOf(b)
}

func (r *request) removeRouteTable(found *resource) error {
	if len(r.state.users(found.ID)) > 0 {
		return refused("InUseRouteTableCannotBeDeleted", "", "Route table %s is in use and cannot be deleted.",
			nameOf(found.ID))
	}
	return nil
}

// viewRouteTable adds the routes, which have IDs of their own.
func viewRouteTable(s *state, table *resource, body Body) {
	viewEtag(s, table, body)
	routes := []any{}
	for _, route := range s.below(table.ID, kindRoute) {
		one := clone(route.Body)
		one["id"], one["name"], one["type"] = route.ID, nameOf(route.ID), route.Kind
		viewEtag(s, route, one)
		routes = append(routes, one)
	}
	setAt(body, "properties.routes", routes)
	s.showUsers(body, "properties.subnets", table.ID, kindSubnet)
}
