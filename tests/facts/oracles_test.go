package facts

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/containerservice/armcontainerservice/v8"

	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"
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
	{"use-cvm.md", confidential},
	{"defaults of upgrade-os-version.md", defaults},
	{"supported-kubernetes-versions.md", calendar},
	{"quotes of pages", quotes},
	{"published tags", tags},
	{"other tools", immutable},
	{"the SDK's enumeration", enumeration},
	{"the SDK's properties", properties},
	{"the names of SKUs", names},
	{"the SDK's comments", comments},
	{"the SDK's administrators", administrators},
}

// recorded are the tables that were read.
var recorded = map[string][][]string{}

// rows reads a recorded table without its comment.
func rows(t *testing.T, name string) [][]string {
	t.Helper()
	if all := recorded[name]; all != nil {
		return all
	}
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
	recorded[name] = all
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
	t.Helper()
	for _, row := range rows(t, "skus") {
		sku, _ := facts.SKUNamed(row[0])
		differ(&found, row[0], []string{sku.Name, text(sku.First), text(sku.Last)}, row)
	}
	return found
}

func retirements(t *testing.T) (found []string) {
	t.Helper()
	for _, row := range rows(t, "retirements") {
		sku, chosen := facts.SKUNamed(row[0])
		ends, removed := sku.Retires+sku.Refused, sku.Removed
		i := slices.IndexFunc(facts.SKUReleases, func(r facts.SKURelease) bool { return r.Release == row[0] })
		if !chosen && i >= 0 {
			ends, removed = facts.SKUReleases[i].Ends, facts.SKUReleases[i].Ends
		}
		differ(&found, row[0], []string{row[0], ends, removed}, row)
	}
	return found
}

func fips(t *testing.T) (found []string) {
	t.Helper()
	for _, row := range rows(t, "fips") {
		sku, _ := facts.SKUNamed(row[0])
		kinds := map[string]facts.FIPS{"none": facts.NoFIPS, "optional": facts.FIPSOptional, "only": facts.FIPSOnly}
		differ(&found, row[0], sku.FIPS, kinds[row[1]])
	}
	return found
}

func confidential(t *testing.T) (found []string) {
	t.Helper()
	for _, row := range rows(t, "confidential") {
		sku, _ := facts.SKUNamed(row[0])
		differ(&found, row[0], sku.NoConfidential, row[1] == "Not supported")
	}
	return found
}

func defaults(t *testing.T) (found []string) {
	t.Helper()
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
	t.Helper()
	calendar := rows(t, "calendar")
	differ(&found, "the number of versions", len(facts.AKSReleases), len(calendar))
	for i, row := range calendar {
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

// tags finds the tags of pages in the facts, and the successors of retired images on pages.
func tags(t *testing.T) (found []string) {
	t.Helper()
	published, onPages := map[string]bool{}, map[string]bool{}
	for _, p := range facts.PublishedTags {
		for _, repository := range p.Repositories {
			for _, begin := range p.Begin {
				for _, platform := range p.Platforms {
					release := strings.Replace(platform, "windows-", "ltsc", 1)
					if release == "ltsc2019" && strings.Contains(repository+begin, "nanoserver") {
						release = "1809"
					}
					published[repository+":"+begin+release] = true
				}
			}
		}
	}
	for _, row := range rows(t, "tags") {
		for tag := range strings.FieldsSeq(row[1]) {
			image := row[0] + ":" + tag
			onPages["mcr.microsoft.com/"+image] = true
			// mixedkube moves no tags of WCF to another release.
			if !published[image] && row[0] != "dotnet/framework/wcf" {
				found = append(found, image+" is missing")
			}
		}
	}
	for _, successor := range facts.RetiredImages {
		if !onPages[successor] {
			found = append(found, successor+" is on no page")
		}
	}
	return found
}

// immutable finds the properties that other tools do not change in place.
func immutable(t *testing.T) (found []string) {
	t.Helper()
	for _, row := range rows(t, "immutable") {
		for property := range strings.FieldsSeq(row[1]) {
			change := facts.AKSPoolChangeOf(property)
			differ(&found, property, []facts.Effect{change.Linux, change.Windows},
				[]facts.Effect{facts.NewPool, facts.NewPool})
		}
	}
	return found
}

// enumeration compares the names of the osSKUs with the SDK. The SDK's API version is older than the last of them.
func enumeration(*testing.T) (found []string) {
	newer := []string{
		"Windows2025", "WindowsAnnual", "Ubuntu2404", "AzureLinuxOSGuard", "AzureContainerLinux", "Flatcar", "Mariner",
	}
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

// endingValues are the values of the properties whose options end, if that is not true.
var endingValues = map[string][]string{
	"networkProfile.networkPolicy": texts(armcontainerservice.PossibleNetworkPolicyValues()),
	"type":                         texts(armcontainerservice.PossibleAgentPoolTypeValues()),
}

func texts[T ~string](values []T) (all []string) {
	for _, v := range values {
		all = append(all, string(v))
	}
	return all
}

// properties finds the options that end in the SDK, those of clusters, pools and tags, and their values; and the
// properties of pools that change.
func properties(*testing.T) (found []string) {
	for _, change := range facts.AKSPoolChanges {
		pools := reflect.TypeFor[armcontainerservice.ManagedClusterAgentPoolProfileProperties]()
		if problem := missing(pools, change.Property); problem != "" {
			found = append(found, problem)
		}
	}
	for _, option := range facts.AKSOptionEnds {
		problem := ""
		for _, at := range []reflect.Type{
			reflect.TypeFor[armcontainerservice.ManagedClusterAgentPoolProfileProperties](),
			reflect.TypeFor[armcontainerservice.ManagedClusterProperties](),
		} {
			if problem = missing(at, option.Path); problem == "" {
				break
			}
		}
		if problem != "" {
			found = append(found, problem)
		}
		if option.Value != "" && !slices.Contains(endingValues[option.Path], option.Value) {
			found = append(found, option.Path+" has no value "+option.Value)
		}
	}
	return found
}

// missing returns which property of a path a type does not have. The element of a map has any name.
func missing(at reflect.Type, path string) string {
	for name := range strings.SplitSeq(path, ".") {
		if at.Kind() == reflect.Map {
			break
		}
		field, ok := at.FieldByNameFunc(func(field string) bool { return strings.EqualFold(field, name) })
		if !ok {
			return fmt.Sprintf("%s has no %s", at, name)
		}
		if at = field.Type; at.Kind() == reflect.Pointer {
			at = at.Elem()
		}
	}
	return ""
}

// names compares Windows SKUs with the year in their names, and successors with the names. Windows has no platform for
// the annual channel.
func names(*testing.T) (found []string) {
	for _, sku := range facts.SKUs {
		year, isWindows := strings.CutPrefix(sku.Name, "Windows")
		platform := ""
		if isWindows && year != "Annual" {
			platform = "windows-" + year
		}
		differ(&found, sku.Name, []any{sku.Windows, sku.Platform}, []any{isWindows, platform})
		if _, ok := facts.SKUNamed(sku.Successor); !ok && sku.Successor != "" {
			found = append(found, sku.Successor+" is missing")
		}
	}
	return found
}
