package arm

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/testkit/casetest"
)

// resourceMistake is a request that is refused for a resource of a network or for a machine.
type resourceMistake struct {
	// Before are resources that exist, and Put is the resource of the request: each is one of validResources, with
	// changes.
	Before []map[string]Body
	Put    map[string]Body
	// Values replace the "…" of the answer.
	Values []any
}

// validResources are the IDs and the bodies of resources that Azure accepts.
var validResources = map[string]func() (id string, body Body){
	"ip":       func() (string, Body) { return addressID, addressBody() },
	"ip2":      func() (string, Body) { return addressID + "2", addressBody() },
	"nat":      func() (string, Body) { return natID, natBody(addressID) },
	"nic":      func() (string, Body) { return nicID, nicBody(nil) },
	"other":    func() (string, Body) { return inNetworkProvider + "virtualNetworks/other", otherNetworkBody() },
	"balancer": func() (string, Body) { return balancerID, balancerBody(nil) },
	"twins": func() (string, Body) {
		return balancerID, balancerBody(map[string]any{
			"loadBalancingRules": []any{balancing("api", nil), balancing("two", nil)},
		})
	},
	"public": func() (string, Body) { return balancerID, publicBody(nil) },
	"outbound": func() (string, Body) {
		return balancerID, publicBody(map[string]any{
			"loadBalancingRules": []any{balancing("api", map[string]any{"disableOutboundSnat": true})},
			"outboundRules": []any{Body{"name": "out", "properties": Body{
				"protocol": "All", "backendAddressPool": ref(poolID), "frontendIPConfigurations": refs(frontID),
			}}},
		})
	},
	"linux":   func() (string, Body) { return vmID, linuxMachine(nil) },
	"windows": func() (string, Body) { return vmID, windowsMachine(nil) },
}

func otherNetworkBody() Body {
	return located(Body{
		"addressSpace": Body{"addressPrefixes": []any{"10.2.0.0/16"}},
		"subnets":      []any{Body{"name": "s", "properties": Body{"addressPrefix": "10.2.0.0/24"}}},
	})
}

// changedResource returns the ID and the body of one of validResources with changes.
func changedResource(t *testing.T, changes map[string]Body) (id string, body Body) {
	t.Helper()
	for kind, change := range changes {
		valid := validResources[kind]
		if valid == nil || len(changes) != 1 {
			t.Fatalf("not one of validResources: %v", changes)
		}
		id, body = valid()
		for path, value := range change {
			editAt(body, path, value)
		}
	}
	return id, body
}

var ofPart = regexp.MustCompile(`^(\w+)\[(\d+)\](?:\.(.+))?$`)

// editAt sets or removes the value at a path below the properties of a body, such as zone, below the properties of a
// part in a list, such as probes[0].port, or in the body itself, such as /sku.
func editAt(body Body, path string, value any) {
	if top, ok := strings.CutPrefix(path, "/"); ok {
		apply(body, map[string]any{top: value})
		return
	}
	properties := body["properties"].(Body)
	of := ofPart.FindStringSubmatch(path)
	if of == nil {
		apply(properties, map[string]any{path: value})
		return
	}
	index, _ := strconv.Atoi(of[2])
	list := properties[of[1]].([]any)
	switch {
	case of[3] != "":
		apply(list[index].(Body)["properties"].(Body), map[string]any{of[3]: value})
	case index < len(list):
		list[index] = value
	default:
		properties[of[1]] = append(list, value)
	}
}

// wantMistakes sends the requests of the files in testdata/DIR to clouds of their own. Each file has the lists of
// requests by their answers.
func wantMistakes(t *testing.T, dir string, in func(t *testing.T) *Cloud, pairs ...string) {
	t.Helper()
	pairs = slices.Concat(pairs, []string{
		"$subnet", subnetID, "$networks", strings.TrimSuffix(inNetworkProvider, "/"), "$network", networkID,
		"$nic", nicID, "$nat", natID, "$ip", addressID, "$pool", poolID, "$front", frontID, "$probe", probeID,
		"$lb", balancerID, "$vms", computeID + "virtualMachines", "$vm", vmID, "$group", groupID,
	})
	for answer, mistakes := range casetest.Cases[[]resourceMistake](t, "testdata/"+dir, pairs...) {
		_, answer, _ = strings.Cut(answer, ": ")
		for i, m := range mistakes {
			t.Run(fmt.Sprint(answer, i), func(t *testing.T) {
				t.Parallel()
				r := refusal{in: in, want: filledAnswer(t, answer, m.Values)}
				for _, resource := range m.Before {
					id, body := changedResource(t, resource)
					r.before = append(r.before, id, body)
				}
				r.id, r.body = changedResource(t, m.Put)
				r.check(t)
			})
		}
	}
}

var answerFormat = regexp.MustCompile(`(?s)^(?:(\d+) )?(\w+)(?:\(([^)]*)\))?: (.*)$`)

// filledAnswer returns the answer of a text, "CODE: MESSAGE", "CODE(TARGET): MESSAGE" or "STATUS CODE: MESSAGE". The
// values replace each "…" of the target and of the message, each time from the first value on.
func filledAnswer(t *testing.T, text string, values []any) *Error {
	t.Helper()
	parts := answerFormat.FindStringSubmatch(text)
	if parts == nil {
		t.Fatalf("not an answer: %q", text)
	}
	answer := bad400(parts[2], filled(parts[3], values), filled(parts[4], values))
	if parts[1] != "" {
		answer.Status, _ = strconv.Atoi(parts[1])
	}
	return answer
}

func filled(text string, values []any) string {
	for _, value := range values {
		shown := fmt.Sprint(value)
		if number, ok := value.(float64); ok {
			shown = strconv.FormatFloat(number, 'f', -1, 64)
		}
		text = strings.Replace(text, "…", shown, 1)
	}
	return text
}
