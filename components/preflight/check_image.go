package preflight

import (
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// images checks what the pods are for: that all places say the same, and that the
// images fit.
func (c *check) images(p *pods) {
	contradiction, contradicted := p.target.contradicts()
	if contradicted {
		c.contradiction(p, contradiction)
	}
	c.hostProcessOnLinux(p)
	c.baseImages(p)
	c.outdatedImages(p)
	c.shells(p)
	// What an image has to fit is not known where the rest is not of one mind.
	if contradicted {
		return
	}
	if os := p.target.os(); os == "" || p.target.claims[0].source == byImages {
		c.imagesOfOneOS(p)
	} else {
		c.imagesOfOS(p, os)
	}
	c.releases(p)
}

func (c *check) contradiction(p *pods, wrong claim) {
	strongest := p.target.claims[0]
	if wrong.os != strongest.os {
		c.report("MK207", problem{
			path: wrong.path(p), value: wrong.value(p),
			detail: "says " + describe(wrong.os) + ", but " + strongest.says(p) + " says " + describe(strongest.os), fix: "make them agree, or remove one",
		})
		return
	}
	release, _ := p.target.release()
	c.report("MK208", problem{
		path: wrong.path(p), value: wrong.value(p),
		detail: "is " + productName(wrong.release) + ", but " + release.says(p) + " is " + productName(release.release), fix: "make them agree, or remove one",
	})
}

// value is what is written at the claim's path.
func (c claim) value(p *pods) any {
	switch c.source {
	case byOSName:
		return tree.Map(p.spec["os"])["name"]
	case bySelector:
		return tree.Map(p.spec["nodeSelector"])[c.label]
	case byClass:
		return p.spec["runtimeClassName"]
	case byCaller, byAffinity, byHostProcess, byImages:
	}
	return nil
}

// hostProcessOnLinux leaves what os.name linux makes of it to the API server.
func (c *check) hostProcessOnLinux(p *pods) {
	if p.target.os() != platform.LinuxOS || p.target.declared == platform.LinuxOS || !p.hostProcess() {
		return
	}
	linux := p.target.claims[0]
	c.report("MK209", problem{
		path: claim{source: byHostProcess}.path(p), value: true,
		detail: "has no effect on Linux, and " + linux.says(p) + " makes these Linux pods", fix: "remove it, or lead the pods to Windows nodes",
	})
}

// imagesOfOS compares the images with the operating system that the pods are for.
func (c *check) imagesOfOS(p *pods, os platform.OS) {
	for i, image := range p.target.images {
		if image.OS == "" || image.OS == os {
			continue
		}
		fix := "use " + imageOf(os)
		if release, ok := p.target.release(); ok {
			fix += " for " + release.release.String()
		}
		if image.ByTag {
			fix += ", unless this is one"
		}
		c.report("MK202", problem{
			path: p.in(&p.containers[i], "image"), value: p.containers[i].spec["image"],
			detail: "is " + known(image) + ", but " + p.target.claims[0].says(p) + " makes these " + describe(os) + " pods", fix: fix,
		})
	}
}

// imagesOfOneOS compares the images with each other, where nothing else says what
// the pods are for.
func (c *check) imagesOfOneOS(p *pods) {
	first := -1
	for i, image := range p.target.images {
		switch {
		case image.OS == "":
		case first < 0:
			first = i
		case image.OS != p.target.images[first].OS:
			c.report("MK203", problem{
				path: p.in(&p.containers[i], "image"), value: p.containers[i].spec["image"],
				detail: "is " + known(image) + ", but " + p.in(&p.containers[first], "image") + " is " + known(p.target.images[first]) + ", and all containers of a pod run on one node",
				fix:    "use images for one operating system",
			})
		}
	}
}

// releases compares the Windows releases of the images with that of the pods, or
// with each other.
func (c *check) releases(p *pods) {
	if p.releaseMatters() != platform.Yes {
		return
	}
	target, known := p.target.release()
	if !known {
		c.releasesOfOneHost(p)
		return
	}
	for i, image := range p.target.images {
		if image.Release == "" || platform.CanRun(target.release, image, c.matching(target.release)) != platform.No {
			continue
		}
		ctr := &p.containers[i]
		ref, _ := ctr.spec["image"].(string) // a secret one is not shown
		found := problem{
			path: p.in(ctr, "image"), value: ctr.spec["image"],
			detail: "needs a " + productName(image.Release) + " node, but the " + strings.ToLower(p.kind) + " targets " + target.release.String(),
			fix:    imageFix(ref, target.release),
		}
		id := "MK201"
		if !c.knowsNodes() && platform.CanRun(target.release, image, platform.Relaxed) != platform.No {
			id, found.detail = "MK210", "is for "+productName(image.Release)+", and the "+strings.ToLower(p.kind)+" targets "+target.release.String()+", which does not run it everywhere"
		}
		c.report(id, found)
	}
}

func (c *check) releasesOfOneHost(p *pods) {
	first := -1
	for i, image := range p.target.images {
		switch {
		case image.Release == "" || first >= 0 && image.Release == p.target.images[first].Release:
		case first < 0:
			first = i
		case !c.oneHostRuns(p.target.images[:i+1], c.matching):
			found := problem{
				path: p.in(&p.containers[i], "image"), value: p.containers[i].spec["image"],
				detail: "is an image for " + image.Release.String() + ", but " + p.in(&p.containers[first], "image") + " is one for " +
					p.target.images[first].Release.String() + ", and all containers of a pod run on one node",
				fix: "use images for one Windows release",
			}
			id := "MK203"
			if relaxed := func(platform.Platform) platform.Matching { return platform.Relaxed }; !c.knowsNodes() && c.oneHostRuns(p.target.images[:i+1], relaxed) {
				id, found.detail = "MK210", found.detail+", which only some nodes of the newer release allow"
			}
			c.report(id, found)
			return
		}
	}
}

// knowsNodes says whether the caller told what nodes there are, and so how well
// images must match them.
func (c *check) knowsNodes() bool { return c.nodes != nil || c.options.Platform.IsWindows() }

// oneHostRuns says whether there is a release of Windows whose nodes run all of
// the images, as far as they are known.
func (c *check) oneHostRuns(images []platform.Image, matching func(platform.Platform) platform.Matching) bool {
	return slices.ContainsFunc(platform.Windows(), func(host platform.Platform) bool {
		return !slices.ContainsFunc(images, func(image platform.Image) bool {
			return platform.CanRun(host, image, matching(host)) == platform.No
		})
	})
}

// matching is how well images must match a host. Version 23H2 has no images of
// its own: it is made to run those of Windows Server 2022.
func (c *check) matching(host platform.Platform) platform.Matching {
	if host == platform.WindowsServer23H2 {
		return platform.Relaxed
	}
	return c.options.Matching
}

// releaseMatters is [Checker.ReleaseMatters].
func (p *pods) releaseMatters() platform.Answer {
	if p.hostProcess() {
		return platform.No
	}
	if p.hostProcessUnknown() {
		return platform.Unknown
	}
	if p.target.class != nil {
		if p.target.class.handler == handlerProcess {
			return platform.Yes
		}
		return platform.Unknown
	}
	if name, known := tree.Text(p.spec["runtimeClassName"]); !isSet(p.spec, "runtimeClassName") || known && (name == "" || p.target.byName) {
		return platform.Yes
	}
	return platform.Unknown
}

// baseImages finds the base image of host-process containers in other pods.
func (c *check) baseImages(p *pods) {
	for i, image := range p.target.images {
		if !image.HostProcess || p.target.os() == platform.LinuxOS || p.hostProcess() || p.hostProcessUnknown() {
			continue
		}
		c.report("MK204", problem{
			path: p.in(&p.containers[i], "image"), value: p.containers[i].spec["image"],
			detail: "is for host-process containers only", fix: "set windowsOptions.hostProcess and hostNetwork to true, or use another base image",
		})
	}
}

// outdatedImages finds images whose time is over, whatever they are started on.
func (c *check) outdatedImages(p *pods) {
	for i, image := range p.target.images {
		ctr := &p.containers[i]
		ref, _ := tree.Text(ctr.spec["image"])
		shown, _ := ctr.spec["image"].(string) // a secret one is not shown
		if successor, retired := platform.Retired(ref); retired && p.target.os() != platform.LinuxOS {
			fix := "run it on Linux nodes, or build an image on mcr.microsoft.com/windows/nanoserver"
			if successor != "" {
				fix = "use " + successor + " or the tag of another release"
			}
			c.report("MK212", problem{path: p.in(ctr, "image"), value: ctr.spec["image"], detail: "is not published for Windows any more", fix: fix})
		} else if image.Release == platform.WindowsServer2019 && c.namesNo2019() && !p.hostProcess() {
			c.report("MK211", problem{
				path: p.in(ctr, "image"), value: ctr.spec["image"], detail: "is for Windows Server 2019, which Kubernetes 1.36 no longer names for nodes",
				fix: imageFix(shown, platform.WindowsServer2022),
			})
		}
	}
}

// namesNo2019 says whether the version of Kubernetes is known to be one that no longer names
// Windows Server 2019. Who has such nodes in the topology knows.
func (c *check) namesNo2019() bool { return c.nodes == nil && c.minor >= 36 }

// imageFix says which image to use instead of another for a release: by its tag where
// Microsoft publishes it. 23H2 is used with the images of 2022.
func imageFix(ref string, release platform.Platform) string {
	if release == platform.WindowsServer23H2 {
		release = platform.WindowsServer2022
	}
	if tag, ok := platform.PublishedTag(ref, release); ok {
		return "use the tag " + tag
	}
	return "use an image for " + productName(release)
}

// productName is Microsoft's name of a release.
func productName(p platform.Platform) string {
	release, _ := p.Release()
	return release.Name
}

// describe is an operating system as people write it.
func describe(os platform.OS) string {
	if os == platform.WindowsOS {
		return "Windows"
	}
	return "Linux"
}

func imageOf(os platform.OS) string { return "a " + describe(os) + " image" }

// known is what an image is, and whether only a word of its tag says so.
func known(image platform.Image) string {
	if image.ByTag {
		return imageOf(image.OS) + " by its tag alone"
	}
	return imageOf(image.OS)
}
