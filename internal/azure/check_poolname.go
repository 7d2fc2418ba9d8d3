package azure

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/mixedkube/mixedkube/internal/nearest"
)

var poolNameFormat = regexp.MustCompile(`^[a-z][a-z0-9]*$`)

func (c *check) poolName(p pool) {
	// What is no DNS label is refused for any cluster.
	if len(validation.IsDNS1123Label(p.Name)) > 0 {
		return
	}
	path := p.at + "name"
	if !poolNameFormat.MatchString(p.Name) {
		c.report("MK701", problem{
			path: path, value: p.Name, detail: "a pool's name has lower-case letters and digits only, and begins with a letter",
			fix: "write for example " + plain(p),
		})
	}
	longest, whose := maxLinuxName, "a pool's name"
	if p.Platform.IsWindows() {
		longest, whose = maxWindowsName, "the name of a Windows pool"
	}
	switch length := len(p.Name); {
	case length > longest:
		c.report("MK702", problem{
			path: path, value: p.Name, detail: fmt.Sprintf("%d characters, and %s has at most %d", length, whose, longest),
			fix: fmt.Sprintf("use at most %d, which leaves room for a suffix", longest-1),
		})
	case length == longest:
		c.report("MK703", problem{
			path: path, value: p.Name,
			detail: fmt.Sprintf("%d characters leave no room for a suffix, so that a change of its size or platform cannot make a new pool beside the old one", length),
			fix:    fmt.Sprintf("use at most %d characters", longest-1),
		})
	}
}

// plain is the name with what it may have only, and room for a suffix.
func plain(p pool) string {
	name := strings.TrimLeft(strings.ReplaceAll(p.Name, "-", ""), "0123456789")
	longest := maxLinuxName
	if p.Platform.IsWindows() {
		longest = maxWindowsName
	}
	if name == "" {
		name = "pool"
	}
	return name[:min(len(name), longest-1)]
}

// poolNames looks for options of pools that there are not.
func (c *check) poolNames(names []string) {
	var pools []string
	for _, p := range c.pools {
		if p.Name != "" {
			pools = append(pools, p.Name)
		}
	}
	for _, name := range names {
		found := problem{path: "poolOptions[" + name + "]", value: name, detail: "no pool has this name", fix: "name one of pools"}
		if near, ok := nearest.Of(name, pools); ok {
			found.fix = fmt.Sprintf("did you mean %q?", near)
		} else if len(pools) > 0 {
			found.fix = "the pools are " + join(pools, "and")
		}
		if !slices.Contains(pools, name) {
			c.report("MK773", found)
		}
	}
}

// namesInAzure looks for pools whose names meet once each has its suffix.
func (c *check) namesInAzure() {
	first := map[string]pool{}
	for _, p := range c.pools {
		name := PoolName(p.Pool)
		// Topology speaks of pools that have the same name before that.
		if other, ok := first[name]; ok && other.Name != p.Name {
			c.report("MK708", problem{
				path: p.at + "name", value: p.Name,
				detail: "its name in Azure is " + quote(name) + ", as that of " + quote(other.Name) + ": names have suffixes there",
				fix:    "use another name",
			})
		} else if !ok {
			first[name] = p
		}
	}
}
