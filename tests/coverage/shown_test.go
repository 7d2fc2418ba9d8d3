package coverage

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// shown has the test of package internal/azuresim/arm that shows what a function or table of the simulated Azure does,
// for each one that a row names.
var shown = map[string]string{
	"addNetworkLabels":       "TestNodesHaveTheLabelsAndTaintsOfAKS",
	"addSizeLabels":          "TestLabelsOfNodes",
	"addSpot":                "TestSpotPoolsRetainLabelsAndTaintsOfAzure",
	"allocationPath":         "TestASubnetOfPodsHasOneMode",
	"changedPool":            "TestImmutablePropertiesOfPools",
	"checkCount":             "TestPropertiesOfPools",
	"checkFree":              "TestAClusterTakesOneOperationAtATime",
	"checkIsolated":          "TestMistakesAreRefusedAndThePlanFindsThem",
	"checkFrontendAddresses": "TestLoadBalancersThatAzureRefuses",
	"checkIdentity":          "TestIdentitiesOfClusters",
	"checkLabelNamespace":    "TestMistakesAreRefusedAndThePlanFindsThem",
	"checkLabels":            "TestPropertiesOfPools",
	"checkMode":              "TestPropertiesOfPools",
	"checkNetworkProfile":    "TestMistakesAreRefusedAndThePlanFindsThem",
	"checkNewCluster":        "TestMistakesAreRefusedAndThePlanFindsThem",
	"checkNodeSubnet":        "TestMistakesAreRefusedAndThePlanFindsThem",
	"checkOutboundGateway":   "TestRequirementsOfOutboundTypes",
	"checkOutboundRoute":     "TestRequirementsOfOutboundTypes",
	"checkResize":            "TestResizeOfPools",
	"checkSize":              "TestMistakesAreRefusedAndThePlanFindsThem",
	"checkSkew":              "TestPoolsAreUpgradedAfterTheCluster",
	"checkSpot":              "TestASecondPoolOfANewClusterCanBeSpot",
	"checkTaints":            "TestPropertiesOfPools",
	"checkUpgradeSettings":   "TestPropertiesOfPools",
	"defaultMaxPods":         "TestMaxPodsByNetwork",
	"defaultOSSKU":           "TestPoolsHaveAzuresDefaults",
	"defaultVersion":         "TestDefaultsOfNewClusters",
	"effectiveOSSKU":         "TestNodeImages",
	"fillAddress":            "TestAClusterHasAzuresDefaults",
	"fillCluster":            "TestDefaultsOfNewClusters",
	"fillDisk":               "TestTheDiskOfAPool",
	"fillNetwork":            "TestNetworkDefaultsOfAClusterWithoutAProfile",
	"fillPool":               "TestPoolsHaveAzuresDefaults",
	"fillRanges":             "TestAClusterHasAzuresDefaults",
	"firstLTSPatch":          "TestLongTermSupportMaySkipVersions",
	"firstOIDC":              "TestDefaultsOfNewClusters",
	"fixedOf":                "TestImmutablePropertiesOfClusters",
	"follow":                 "TestAPoolOf2022CannotFollowTo137",
	"groupLabel":             "TestTheLabelOfTheNodeResourceGroup",
	"immutableCluster":       "TestImmutablePropertiesOfClusters",
	"immutablePool":          "TestImmutablePropertiesOfPools",
	"isReserved":             "TestNetworkInterfacesThatAzureRefuses",
	"keepPool":               "TestMutablePropertiesOfPools",
	"links":                  "TestATableOrAGatewayInUseStays",
	"needsOtherSystemPool":   "TestTheLastPoolsStay",
	"newValues":              "TestBodiesAreStrict",
	"nodeImage":              "TestNodeImages",
	"nodeLabels":             "TestLabelsOfNodes",
	"putCluster":             "TestResultsOfGetCanBePut",
	"putNatGateway":          "TestAGatewayOfStandardV2",
	"resolve":                "TestPatchReleases",
	"spellBackendPoolType":   "TestAKSNormalizesTheSpelling",
	"storePool":              "TestOmittedPropertiesOfPoolsAreRetained",
	"throttled":              "TestFaultsBeforeTheChange",
	"upgradeCluster":         "TestClustersAreUpgradedOneVersionAtATime",
	"versionOfPool":          "TestVersionsOfPoolsThroughTheCluster",
}

// Each function of the simulated Azure that a row names is shown by a test of it, and each rule by a test or an example
// of the module that has it.
func TestFatesAreShownByTests(t *testing.T) {
	t.Parallel()
	tests := declaredIn(t, root+"/internal/azuresim/arm", regexp.MustCompile(`(?m)^func (Test\w+)\(`))
	rules := declaredIn(t, root, regexp.MustCompile(`(MK[0-9]{3})`))
	facts := usedFacts(t)
	named := map[string]bool{}
	for _, s := range sources(t) {
		for _, r := range s.Rows {
			at := s.file + "#" + r.ID
			for place := range strings.FieldsSeq(r.Sim) {
				_, name, _ := strings.Cut(place, ":")
				named[name] = true
				if test := shown[name]; !tests[test] {
					t.Errorf("%s: no test shows %s: %q is not a test of the simulated Azure", at, place, test)
				}
			}
			for id := range strings.FieldsSeq(r.Rule) {
				if !rules[id] {
					t.Errorf("%s: no test and no example has %s", at, id)
				}
			}
			for name := range strings.FieldsSeq(r.Fact) {
				if name = name[strings.LastIndex(name, ".")+1:]; !facts[name] {
					t.Errorf("%s: no code reads %s", at, name)
				}
			}
		}
	}
	for name := range shown {
		if !named[name] {
			t.Errorf("shown has %s, which no row names", name)
		}
	}
}

// declaredIn returns what an expression matches in the tests below a directory, and in the names and texts of their
// data and examples. The tests of this module are not among them: they name all rules.
func declaredIn(t *testing.T, dir string, expression *regexp.Regexp) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	for path, text := range files(t, dir) {
		data := strings.Contains(path, "/testdata/") || strings.Contains(path, "/examples/")
		if !data && !strings.HasSuffix(path, "_test.go") {
			continue
		}
		for _, match := range expression.FindAllStringSubmatch(path+"\n"+text, -1) {
			found[match[1]] = true
		}
	}
	return found
}

// usedFacts returns the words that code has twice or more, so the facts that it declares and reads. The table of their
// lives, which has all names, does not count.
func usedFacts(t *testing.T) map[string]bool {
	t.Helper()
	word := regexp.MustCompile(`\w+`)
	seen, used := map[string]bool{}, map[string]bool{}
	for path, text := range files(t, root) {
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "/lives/") {
			continue
		}
		for line := range strings.SplitSeq(text, "\n") {
			code, _, _ := strings.Cut(line, "//")
			for _, name := range word.FindAllString(code, -1) {
				used[name] = seen[name]
				seen[name] = true
			}
		}
	}
	return used
}

// files returns the texts of the files below a directory, except those of this module and of the documentation.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !entry.IsDir():
			text, err := os.ReadFile(path)
			texts[filepath.ToSlash(path)] = string(text)
			return err
		case path == filepath.Join(root, "tests"), path == filepath.Join(root, "docs"), path != dir &&
			entry.Name()[0] == '.':
			return fs.SkipDir
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}
