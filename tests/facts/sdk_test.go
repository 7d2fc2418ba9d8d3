package facts

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/core/facts"
)

// ofSDK are fields of the SDK whose comments have the range of a fact.
var ofSDK = map[string]string{
	"ManagedClusterAgentPoolProfile.Count":                      "AKSNodes",
	"ManagedClusterLoadBalancerProfile.AllocatedOutboundPorts":  "AKSOutboundPorts",
	"ManagedClusterLoadBalancerProfile.IdleTimeoutInMinutes":    "AKSOutboundIdle",
	"ManagedClusterLoadBalancerProfileManagedOutboundIPs.Count": "AKSOutboundIPs",
	"ManagedClusterManagedOutboundIPProfile.Count":              "AKSNATIPs",
	"ManagedClusterNATGatewayProfile.IdleTimeoutInMinutes":      "AKSOutboundIdle",
}

var rangeOf = regexp.MustCompile(`in\s+the\s+range\s+of\s+\d+\s+to\s+\d+`)

func comments(t *testing.T) (found []string) {
	t.Helper()
	written := sdkComments(t)
	for _, field := range slices.Sorted(maps.Keys(ofSDK)) {
		r := values[ofSDK[field]].(*facts.Range)
		differ(&found, ofSDK[field]+" of "+field, fmt.Sprintf("in the range of %d to %d", r.Min, r.Max),
			strings.Join(strings.Fields(rangeOf.FindString(written[field])), " "))
	}
	return found
}

// ofAdministrators are facts about the administrator of a Windows machine, the field of the SDK whose comment has them,
// and what is around the values.
var ofAdministrators = []struct {
	fact, field string
	pattern     *regexp.Regexp
}{
	{"vm.refusedUsernames", "AdminUsername", disallowed},
	{"vm.refusedPasswords", "AdminPassword", disallowed},
	{"vm.MaxUsername", "AdminUsername", regexp.MustCompile(`Max-length: (\d+)`)},
	{"vm.MaxPassword", "AdminPassword", regexp.MustCompile(`Max-length: (\d+)`)},
	{"vm.minPassword", "AdminPassword", regexp.MustCompile(`Minimum-length: (\d+)`)},
	{"vm.MinKinds", "AdminPassword", regexp.MustCompile(`(\d) out of 4 conditions`)},
}

// disallowed matches each quoted value, but not the period at the end of names.
var disallowed = regexp.MustCompile(`"([^".\s]+)"`)

func administrators(t *testing.T) (found []string) {
	t.Helper()
	written := sdkComments(t)
	for _, o := range ofAdministrators {
		got, want := at(t, o.fact, ""), []string{}
		for _, match := range o.pattern.FindAllStringSubmatch(written["ManagedClusterWindowsProfile."+o.field], -1) {
			want = append(want, match[1])
		}
		slices.Sort(got)
		slices.Sort(want)
		differ(&found, o.fact, got, want)
	}
	return found
}

// ofComments are the comments that sdkComments has read.
var ofComments = map[string]string{}

// sdkComments returns the comments of fields of the SDK.
func sdkComments(t *testing.T) map[string]string {
	t.Helper()
	if len(ofComments) > 0 {
		return ofComments
	}
	const module = "github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/containerservice/armcontainerservice/v8"
	dir, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "models.go"), nil,
		parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		fields, ok := spec.Type.(*ast.StructType)
		if !ok {
			return true
		}
		for _, field := range fields.Fields.List {
			for _, name := range field.Names {
				ofComments[spec.Name.Name+"."+name.Name] = field.Doc.Text()
			}
		}
		return true
	})
	return ofComments
}
