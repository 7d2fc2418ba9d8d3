package facts

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/core/facts/lives"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

func TestFactsAgreeWithTheirOracles(t *testing.T) {
	for _, o := range oracles {
		for _, difference := range o.differences(t) {
			t.Errorf("%s: %s", o.name, difference)
		}
	}
}

// withoutOracle are facts and parts of facts that no oracle has, and why.
var withoutOracle = []struct {
	path   *regexp.Regexp
	reason string
}{
	{
		regexp.MustCompile(`^((HostProcess|BusyBox|FlannelPlugin)Image|FlannelPlugin|UbuntuOffer|GMSAWebhookChart.*)$`),
		"the project that publishes it is the only statement that was found",
	},
	{
		regexp.MustCompile(`^AKSPoolChanges\[\d+\]\.(Linux|Windows)$`),
		"neither tool has it, or both replace a pool that AKS changes; the simulated Azure has a list of its own: " +
			"its TestImmutablePropertiesMatchTheComponent compares them",
	},
	{regexp.MustCompile(`^AKSPoolChanges\[\d+\]\.Source$`), "an address"},
	{regexp.MustCompile(`^AKSPreviewChanges`), "only a generated page uses it"},
	{
		regexp.MustCompile(`^(Containerd|Runc|CNIPlugins)Linux$|^KubernetesOf.*\.Kube(let|adm|ctl)$`),
		"a hash: the file beside the program is the only statement, and machines refuse another program",
	},
	{
		regexp.MustCompile(`^PublishedTags\[(0\]\.Platforms\[0|1\]\.Platforms\[2|2\]\.Platforms\[1)\]$`),
		"no copy of a page has the tag: Microsoft's registry lists the tags of base images, and was not read",
	},
	{
		regexp.MustCompile(`^PublishedTags\[(6\]|7\]\.Platforms\[2\]$)`),
		"the README of 2026-07-14 no longer lists it, and the registry, which also lists what has no support, was " +
			"not read",
	},
	{regexp.MustCompile(`^PauseImages\[2\]\.Tag$`), "kubeadm of versions that are older than those in the tests"},
	{
		regexp.MustCompile(`^vm\.trustedLaunch$`),
		"the page names families: TestWhichSizesHaveTrustedLaunch of package vm has sizes of them",
	},
	{regexp.MustCompile(`^azuretypes\.types$`), "core/aks/plan and the simulated Azure have lists of their own"},
	{regexp.MustCompile(`^AKS(Oldest|Newest)$`), "versions that the rules were compared with: a choice of mixedkube"},
	{regexp.MustCompile(`^AKSPatches\[1\.37\]$`), "no release notes about a patch release of 1.37 were read"},
	{regexp.MustCompile(`^AKSOptionEnds\[\d\]\.Instead$`), "advice of mixedkube"},
	{regexp.MustCompile(`^AKS\w+\.Min$`), "pages say only the most: the least follows from what the number counts"},
	{
		regexp.MustCompile(`^SKUs\[(0|3|9|10|12|13)\]\.FIPS$`),
		"the page about FIPS names neither the SKUs that AKS refuses nor further images of Azure Linux",
	},
	{
		regexp.MustCompile(`^SKUReleases\[[367]\]\.`),
		"the page about FIPS names versions of Azure Linux and Ubuntu, and not those of Kubernetes",
	},
}

// A wrong value of each part of each fact is noticed by an oracle that does not use the fact, or a reason is given. The
// file noticed.txt has the oracles that notice them.
func TestWrongValuesAreNoticed(t *testing.T) {
	used := make([]bool, len(withoutOracle))
	excused := func(path string) bool {
		for i, without := range withoutOracle {
			if without.path.MatchString(path) {
				used[i] = true
				return true
			}
		}
		return false
	}
	var lines []string
	for _, life := range lives.All() {
		for _, name := range life.Names {
			if values[name] == nil {
				if !excused(name) {
					t.Errorf("%s has no oracle: quote a page in quotes.tsv, or give a reason in withoutOracle", name)
				}
				continue
			}
			parts, noticed := leaves(name), 0
			by := map[string]bool{}
			for _, part := range parts {
				restore := part.put(part.wrong())
				isNoticed := false
				for _, o := range oracles {
					if len(o.differences(t)) > 0 {
						by[o.name], isNoticed = true, true
					}
				}
				restore()
				switch {
				case isNoticed:
					noticed++
				case !excused(part.path):
					t.Errorf("%s: no oracle notices %v instead of %s", part.path, part.wrong(), part.text())
				}
			}
			line := fmt.Sprintf("%s: %d of %d by %s", name, noticed, len(parts), strings.Join(named(by), ", "))
			lines = append(lines, line)
		}
	}
	for i, without := range withoutOracle {
		if !used[i] {
			t.Errorf("nothing needs the reason %q: remove %s", without.reason, without.path)
		}
	}
	slices.Sort(lines)
	golden.Equal(t, "testdata/noticed.txt", strings.Join(lines, "\n")+"\n")
	TestFactsAgreeWithTheirOracles(t)
}

// released is the day of a release in an answer of the proxy of Go modules.
var released = regexp.MustCompile(`"Time": "(\d{4}-\d{2}-\d{2})`)

func TestNoFactWasSeenBeforeItsRelease(t *testing.T) {
	seen := map[string]string{}
	for _, life := range lives.All() {
		for _, name := range life.Names {
			seen[name] = life.Seen
		}
	}
	answers := 0
	for _, row := range rows(t, "quotes") {
		match := released.FindStringSubmatch(row[2])
		if match == nil {
			continue
		}
		answers++
		for path := range strings.FieldsSeq(row[0]) {
			if name := factOf(path); seen[name] < match[1] {
				t.Errorf("%s was seen on %s, before its release on %s", name, seen[name], match[1])
			}
		}
	}
	if answers == 0 {
		t.Error("quotes.tsv has no answer with a day")
	}
}

// named returns the names of oracles in their order.
func named(by map[string]bool) (names []string) {
	for _, o := range oracles {
		if by[o.name] {
			names = append(names, o.name)
		}
	}
	return names
}
