package machine

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/netip"
	"slices"
	"strings"
)

const cniDir = "C:/etc/cni/net.d/"

// acl is an HNS policy of the type ACL (hcn.AclPolicySetting of https://github.com/microsoft/hcsshim). RuleType names
// the component that applies it, and does not change its meaning.
type acl struct {
	Protocols, Action, Direction, LocalAddresses, RemoteAddresses, LocalPorts, RemotePorts, RuleType string
	Priority                                                                                         uint16
}

// aclsLetThrough applies the policies of each CNI configuration. If no policy matches, the packet passes if there is no
// policy at all, and is dropped otherwise.
func (f files) aclsLetThrough(to netip.AddrPort) (bool, error) {
	for _, path := range slices.Sorted(maps.Keys(f)) {
		if !strings.HasPrefix(path, cniDir) {
			continue
		}
		var config any
		if err := json.Unmarshal([]byte(f[path].content), &config); err != nil {
			return false, fmt.Errorf("%s is not JSON", path)
		}
		acls, err := aclsIn(config)
		if err == nil && len(acls) > 0 {
			var action string
			if action, err = decision(acls, to); err == nil && action != "Allow" {
				return false, nil
			}
		}
		if err != nil {
			return false, fmt.Errorf("%s: %w", path, err)
		}
	}
	return true, nil
}

// aclsIn finds the policies anywhere in a configuration.
func aclsIn(value any) ([]acl, error) {
	var acls []acl
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			more, err := aclsIn(element)
			if err != nil {
				return nil, err
			}
			acls = append(acls, more...)
		}
	case map[string]any:
		if value["Type"] == "ACL" {
			a, err := aclOf(value["Settings"])
			return []acl{a}, err
		}
		return aclsIn(slices.Collect(maps.Values(value))) // the order is irrelevant: the priorities decide
	}
	return acls, nil
}

func aclOf(settings any) (acl, error) {
	text, err := json.Marshal(settings)
	if err != nil {
		return acl{}, err
	}
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.DisallowUnknownFields()
	var a acl
	if err := decoder.Decode(&a); err != nil {
		return acl{}, fmt.Errorf("the policy %s is not understood: %w", text, err)
	}
	return a, nil
}

// decision returns the action of the matching policy with the smallest priority number.
func decision(acls []acl, to netip.AddrPort) (string, error) {
	action, first := "", math.MaxInt
	for _, a := range acls {
		isFor, err := a.isFor(to)
		if err != nil {
			return "", err
		}
		if isFor && int(a.Priority) < first {
			action, first = a.Action, int(a.Priority)
		}
	}
	return action, nil
}

// isFor reports whether a policy matches a TCP connection of a pod.
func (a acl) isFor(to netip.AddrPort) (bool, error) {
	if a.Direction != "Out" || a.Protocols != "" && a.Protocols != "6" {
		return false, nil
	}
	if a.LocalAddresses+a.LocalPorts != "" {
		return false, fmt.Errorf("a policy for %q, %q of a pod is not understood", a.LocalAddresses, a.LocalPorts)
	}
	if a.RemotePorts != "" && !hasPort(a.RemotePorts, to.Port()) {
		return false, nil
	}
	if a.RemoteAddresses == "" {
		return true, nil
	}
	for text := range strings.SplitSeq(a.RemoteAddresses, ",") {
		destination, err := prefixOf(text)
		if err != nil {
			return false, fmt.Errorf("the policy for %q is not understood: %w", a.RemoteAddresses, err)
		}
		if destination.Contains(to.Addr()) {
			return true, nil
		}
	}
	return false, nil
}
