package facts

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/containerservice/armcontainerservice/v8"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"
	"github.com/mixedkube/mixedkube/internal/core/facts/noderoom"
)

// oracle returns the differences between tables and one source.
type oracle struct {
	name        string
	differences func(t *testing.T) []string
}

var oracles = []oracle{
	{"upgrade-os-version.md", versionsOfSKUs},
	{"retirement notes", retirements},
	{"enable-fips-nodes.md", fips},
	{"defaults of upgrade-os-version.md", defaults},
	{"supported-kubernetes-versions.md", calendar},
	{"AKS' release notes", patches},
	{"concepts-network-cni-overview.md", reserved},
	{"node-resource-reservations.md", reservations},
	{"numbers on pages", limits},
	{"lifecycle pages", lifecycle},
	{"the SDK's enumeration", enumeration},
	{"the SDK's comments", comments},
}

// rows reads a recorded table without its comment.
func rows(t *testing.T, name string) [][]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".tsv"))
	if err != nil {
		t.Fatal(err)
	}
	var all [][]string
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "#") {
			all = append(all, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
		}
	}
	if len(all) == 0 {
		t.Fatalf("%s has no rows", name)
	}
	return all
}

func differ(found *[]string, of string, got, want any) {
	if fmt.Sprint(got) != fmt.Sprint(want) {
		*found = append(*found, fmt.Sprintf("%s is %v, want %v", of, got, want))
	}
}

// text returns a version as pages write it.
func text(v kubeversion.Version) string {
	if v == (kubeversion.Version{}) {
		return "-"
	}
	return v.String()
}

func versionsOfSKUs(t *testing.T) (found []string) {
	for _, row := range rows(t, "skus") {
		sku, _ := facts.SKUNamed(row[0])
		differ(&found, row[0], []string{sku.Name, text(sku.First), text(sku.Last)}, row)
	}
	return found
}

func retirements(t *testing.T) (found []string) {
	for _, row := range rows(t, "retirements") {
		sku, chosen := facts.SKUNamed(row[0])
		ends, removed := sku.Retires+sku.Refused, sku.Removed
		if i := slices.IndexFunc(facts.SKUReleases, func(r facts.SKURelease) bool { return r.Release == row[0] }); !chosen {
			ends, removed = facts.SKUReleases[i].Ends, facts.SKUReleases[i].Ends
		}
		differ(&found, row[0], []string{row[0], ends, removed}, row)
	}
	return found
}

func fips(t *testing.T) (found []string) {
	for _, row := range rows(t, "fips") {
		sku, _ := facts.SKUNamed(row[0])
		want := map[string]facts.FIPS{"none": facts.NoFIPS, "optional": facts.FIPSOptional, "only": facts.FIPSOnly}[row[1]]
		differ(&found, row[0], sku.FIPS, want)
	}
	return found
}

func defaults(t *testing.T) (found []string) {
	var all []string
	for _, r := range facts.SKUReleases {
		all = append(all, strings.Join([]string{r.SKU, strconv.FormatBool(r.FIPS), r.Since.String(), r.Release}, " "))
	}
	for _, row := range rows(t, "defaults") {
		if line := strings.Join(row, " "); !slices.Contains(all, line) {
			found = append(found, line+" is missing")
		}
	}
	return found
}

// lastDay returns the last day that "Mar 2026" or "Nov 1, 2025" means.
func lastDay(t *testing.T, text string) string {
	t.Helper()
	if day, err := time.Parse("Jan 2, 2006", text); err == nil {
		return day.Format(time.DateOnly)
	}
	month, err := time.Parse("Jan 2006", text)
	if err != nil {
		t.Fatal(err)
	}
	return month.AddDate(0, 1, -1).Format(time.DateOnly)
}

func calendar(t *testing.T) (found []string) {
	recorded := rows(t, "calendar")
	differ(&found, "the number of versions", len(facts.AKSReleases), len(recorded))
	for i, row := range recorded {
		if i == len(facts.AKSReleases) {
			break
		}
		r := facts.AKSReleases[i]
		starts, err := time.Parse("Jan 2006", row[1])
		if err != nil {
			t.Fatal(err)
		}
		differ(&found, row[0], []string{r.Version.String(), r.Starts, r.Ends, r.LTSEnds},
			[]string{row[0], starts.Format(time.DateOnly), lastDay(t, row[2]), lastDay(t, row[3])})
	}
	return found
}

func patches(t *testing.T) (found []string) {
	for _, row := range rows(t, "patches") {
		minor, patch, _ := strings.Cut(row[0][len("1."):], ".")
		number, _ := strconv.Atoi(minor)
		differ(&found, row[0], facts.AKSPatches[kubeversion.Version{Major: 1, Minor: number}], patch)
	}
	return found
}

func reserved(t *testing.T) (found []string) {
	var want, got []string
	for _, row := range rows(t, "reserved") {
		want = append(want, row[0])
	}
	for _, r := range facts.AKSReserved {
		got = append(got, r.String())
	}
	slices.Sort(want)
	slices.Sort(got)
	differ(&found, "AKSReserved", got, want)
	return found
}

func reservations(t *testing.T) (found []string) {
	for _, row := range rows(t, "reservations") {
		nominal := corev1.ResourceList{
			corev1.ResourceCPU: resource.MustParse(row[0]), corev1.ResourceMemory: resource.MustParse("16Gi"),
		}
		cpu := noderoom.AKS(nominal, false, "1.36", 30)[corev1.ResourceCPU]
		differ(&found, row[0]+" CPUs", cpu.MilliValue(), row[1])
	}
	return found
}

// ranges are the numbers that pages and the SDK have.
func ranges() map[string]*facts.Range {
	return map[string]*facts.Range{
		"AKSMaxPods": &facts.AKSMaxPods, "AKSNodeSoak": &facts.AKSNodeSoak, "AKSDrainTimeout": &facts.AKSDrainTimeout,
		"AKSPoolName": &facts.AKSPoolName, "AKSWindowsPoolName": &facts.AKSWindowsPoolName,
		"AKSAuthorizedRanges": &facts.AKSAuthorizedRanges, "AKSAuthorizedRangesInVNet": &facts.AKSAuthorizedRangesInVNet,
		"AKSProxyCertificates": &facts.AKSProxyCertificates, "AKSNodes": &facts.AKSNodes,
		"AKSOutboundPorts": &facts.AKSOutboundPorts, "AKSOutboundIPs": &facts.AKSOutboundIPs,
		"AKSNATIPs": &facts.AKSNATIPs, "AKSOutboundIdle": &facts.AKSOutboundIdle,
	}
}

func limits(t *testing.T) (found []string) {
	for _, row := range rows(t, "limits") {
		r := ranges()[row[0]]
		if r == nil {
			t.Fatalf("%s is not in ranges", row[0])
		}
		differ(&found, row[0], []int{r.Min, r.Max}, row[1:3])
	}
	return found
}

func lifecycle(t *testing.T) (found []string) {
	for _, row := range rows(t, "lifecycle") {
		s := facts.WindowsSupport[row[0]]
		differ(&found, row[0], []string{s.Mainstream, s.Extended}, row[1:])
	}
	return found
}

// enumeration compares the names of the osSKUs with the SDK. The SDK's API version is older than the last of them.
func enumeration(t *testing.T) (found []string) {
	newer := []string{"Windows2025", "WindowsAnnual", "Ubuntu2404", "AzureLinuxOSGuard", "AzureContainerLinux", "Flatcar", "Mariner"}
	want := newer
	for _, sku := range armcontainerservice.PossibleOSSKUValues() {
		want = append(want, string(sku))
	}
	var got []string
	for _, sku := range facts.SKUs {
		got = append(got, sku.Name)
	}
	slices.Sort(want)
	slices.Sort(got)
	differ(&found, "the names of SKUs", got, slices.Compact(want))
	return found
}

// ofSDK are fields of the SDK whose comments have the range of a fact.
var ofSDK = map[string]string{
	"ManagedClusterAgentPoolProfile.Count":                      "AKSNodes",
	"ManagedClusterLoadBalancerProfile.AllocatedOutboundPorts":  "AKSOutboundPorts",
	"ManagedClusterLoadBalancerProfile.IdleTimeoutInMinutes":    "AKSOutboundIdle",
	"ManagedClusterLoadBalancerProfileManagedOutboundIPs.Count": "AKSOutboundIPs",
	"ManagedClusterManagedOutboundIPProfile.Count":              "AKSNATIPs",
	"ManagedClusterNATGatewayProfile.IdleTimeoutInMinutes":      "AKSOutboundIdle",
}

var rangeOf = regexp.MustCompile(`in\s+the\s+range\s+of\s+(\d+)\s+to\s+(\d+)`)

func comments(t *testing.T) (found []string) {
	written := sdkRanges(t)
	for _, field := range slices.Sorted(maps.Keys(ofSDK)) {
		r := ranges()[ofSDK[field]]
		differ(&found, ofSDK[field]+" of "+field, []int{r.Min, r.Max}, written[field])
	}
	return found
}

// sdkRanges returns the ranges in the comments of fields of the SDK.
func sdkRanges(t *testing.T) map[string][]int {
	t.Helper()
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
	all := map[string][]int{}
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
			if match := rangeOf.FindStringSubmatch(field.Doc.Text()); match != nil && len(field.Names) == 1 {
				from, _ := strconv.Atoi(match[1])
				to, _ := strconv.Atoi(match[2])
				all[spec.Name.Name+"."+field.Names[0].Name] = []int{from, to}
			}
		}
		return true
	})
	return all
}
