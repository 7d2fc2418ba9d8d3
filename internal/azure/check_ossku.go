package azure

import (
	"fmt"
	"slices"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/kubeversion"
	"github.com/mixedkube/mixedkube/internal/nearest"
)

func (c *check) osSKU(p pool) {
	sku, path, value := skuOf(p.Platform), p.at+"platform", p.Platform.String()
	if given := open(option(p.given.Options, "osSKU")); given != "" {
		path := p.givenAt + "options.osSKU"
		named, known := skuNamed(given)
		switch {
		case !known && !slices.Contains(linuxSKUs, given):
			c.unknownSKU(path, given)
		case !slices.Contains(topology.PoolPlatforms(), p.Platform):
			// Nobody knows what contradicts it.
		case known && named.platform == "" && p.Platform.IsWindows():
			// It takes the place of the platform's.
			c.refusedSKU(named, path, given, p)
			return
		case p.Platform.IsWindows() != known, known && named.platform != p.Platform:
			c.contradictingSKU(path, given, p)
		}
	}
	if sku.name == "" {
		return
	}
	if v, ok := kubeversion.Parse(p.KubernetesVersion); ok && !v.Within(sku.first, sku.last) {
		c.missingSKU(sku, path, value, v)
	} else {
		c.refusedSKU(sku, path, value, p)
	}
	if sku.fips && !p.FIPS {
		c.report("MK714", problem{
			path: p.at + "fips", value: false, detail: fmt.Sprintf("AKS makes %s nodes with FIPS only", sku.name), fix: "set it to true",
		})
	}
}

func (c *check) unknownSKU(path, given string) {
	var names []string
	for _, sku := range windowsSKUs {
		names = append(names, sku.name)
	}
	fix := "make sure that Azure has it"
	if near, ok := nearest.Of(given, append(names, linuxSKUs...)); ok {
		fix = fmt.Sprintf("did you mean %q?", near)
	}
	c.report("MK717", problem{path: path, value: given, detail: "an osSKU that this library does not know", fix: fix})
}

func (c *check) contradictingSKU(path, given string, p pool) {
	fix := "use a Linux distribution, or change the platform"
	if sku := skuOf(p.Platform); sku.name != "" {
		fix = "remove it, as the platform makes it " + sku.name + ", or change the platform"
	}
	c.report("MK716", problem{path: path, value: given, detail: fmt.Sprintf("the platform of the pool is %s", p.Platform), fix: fix})
}

func (c *check) refusedSKU(sku windowsSKU, path string, value any, p pool) {
	if sku.refused == "" {
		return
	}
	v, _ := kubeversion.Parse(p.KubernetesVersion)
	c.report("MK713", problem{
		path: path, value: value,
		detail: fmt.Sprintf("Azure refuses new %s pools since %s", sku.name, sku.refused),
		fix: fmt.Sprintf("use %s for a new pool; an existing one keeps working until its node images are removed on %s",
			join(usable(v), "or"), sku.removed),
	})
}

func (c *check) missingSKU(sku windowsSKU, path string, value any, v kubeversion.Version) {
	found := problem{path: path, value: value}
	instead := ""
	if others := usable(v); len(others) > 0 {
		instead = join(others, "or")
	}
	if v.Compare(sku.first) < 0 {
		found.detail = fmt.Sprintf("AKS has no %s nodes for Kubernetes %s, %s is the first with them", sku.name, v, sku.first)
		found.fix = fmt.Sprintf("use Kubernetes %s or newer", sku.first)
		if instead != "" {
			found.fix += ", or " + instead
		}
	} else {
		found.detail = fmt.Sprintf("AKS has no %s nodes for Kubernetes %s, %s is the last with them", sku.name, v, sku.last)
		found.fix = "use " + instead
	}
	c.report("MK712", found)
}

// usable are the platforms that a new pool can have; all of them where the version
// is not known.
func usable(v kubeversion.Version) []platform.Platform {
	var platforms []platform.Platform
	for _, sku := range windowsSKUs {
		if sku.refused == "" && (v == kubeversion.Version{} || v.Within(sku.first, sku.last)) {
			platforms = append(platforms, sku.platform)
		}
	}
	return platforms
}

// skuOf is empty for what is no Windows platform of a pool.
func skuOf(p platform.Platform) windowsSKU {
	sku, _ := skuNamed(OSSKU(p))
	return sku
}

func skuNamed(name string) (windowsSKU, bool) {
	i := slices.IndexFunc(windowsSKUs, func(s windowsSKU) bool { return s.name == name })
	if i < 0 {
		return windowsSKU{}, false
	}
	return windowsSKUs[i], true
}
