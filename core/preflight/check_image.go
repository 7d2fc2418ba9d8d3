package preflight

import (
	"slices"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// images checks what the pods are for: that all claims agree, and that the images fit.
func (c *check) images(p *judged) {
	contradicted := c.contradictions(p)
	c.hostProcessOnLinux(p)
	c.references(p)
	c.baseImages(p)
	c.outdatedImages(p)
	c.programs(p)
	c.imageUsers(p)
	c.pullTime(p)
	c.onSelectedArchitecture(p)
	// If claims contradict each other, it is unknown what an image must fit.
	if contradicted {
		return
	}
	if os := p.target.OS(); os == "" || p.target.Claims[0].Source == pods.ByImages {
		c.imagesOfOneOS(p)
	} else {
		c.imagesOfOS(p, os)
	}
	c.releases(p)
}

var (
	placesOfDifferentOS = rule.Rule{
		ID: "MK207", Severity: rule.Error, Title: "claims for different operating systems",
		Reason: "A node that the selector, affinity or RuntimeClass selects then refuses the pod, with the reason " +
			"PodOSNotSupported, or no such node exists.",
		Source: "pkg/kubelet/lifecycle/predicate.go of Kubernetes 1.36.3, rejectPodAdmissionBasedOnOSField",
	}
	placesOfDifferentReleases = rule.Rule{
		ID: "MK208", Severity: rule.Error, Title: "claims for different Windows releases",
		Reason: "No node has two builds, and the API server refuses a pod whose node selector conflicts with its " +
			"RuntimeClass. A RuntimeClass that is named like a platform of the topology, or like the platform in the " +
			"options, counts as the one that components/runtimeclass creates.",
		Source: "plugin/pkg/admission/runtimeclass/admission.go of Kubernetes 1.36.3, setScheduling",
	}
)

// contradictions reports the claims that differ from the strongest one.
func (c *check) contradictions(p *judged) bool {
	wrong := p.target.Contradictions()
	for _, claim := range wrong {
		c.contradiction(p, claim)
	}
	return len(wrong) > 0
}

func (c *check) contradiction(p *judged, wrong pods.Claim) {
	strongest := p.target.Claims[0]
	if wrong.OS != strongest.OS {
		c.report(placesOfDifferentOS, rule.Problem{
			Path: wrong.Path(p.Pods), Value: wrong.Value(p.Pods),
			Detail: "says " + describe(wrong.OS) + ", but " + strongest.Text(p.Pods) + " says " +
				describe(strongest.OS), Fix: agree(strongest),
		})
		return
	}
	release, _ := p.target.Release()
	c.report(placesOfDifferentReleases, rule.Problem{
		Path: wrong.Path(p.Pods), Value: wrong.Value(p.Pods),
		Detail: "is " + productName(wrong.Release) + ", but " + release.Text(p.Pods) + " is " +
			productName(release.Release), Fix: agree(release),
	})
}

// agree returns how to fix a contradiction of a claim.
func agree(with pods.Claim) string {
	if with.Source == pods.ByCaller {
		return "remove it, or change the platform"
	}
	return "make them agree, or remove one"
}

var hostProcessOnLinux = rule.Rule{
	ID: "MK209", Severity: rule.Warning, Title: "host process in Linux pods",
	Reason: "The kubelet on Linux ignores the option: the containers run as ordinary ones.",
	Source: "https://kubernetes.io/docs/tasks/configure-pod-container/create-hostprocess-pod/",
}

// hostProcessOnLinux leaves pods with os.name linux to the API server.
func (c *check) hostProcessOnLinux(p *judged) {
	if p.target.OS() != platform.LinuxOS || p.target.Declared == platform.LinuxOS || !p.HostProcess() {
		return
	}
	linux := p.target.Claims[0]
	c.report(hostProcessOnLinux, rule.Problem{
		Path: pods.Claim{Source: pods.ByHostProcess}.Path(p.Pods), Value: true,
		Detail: "has no effect on Linux, and " + linux.Text(p.Pods) + " makes these Linux pods",
		Fix:    "remove it, or run the pods on Windows nodes",
	})
}

var imageOfAnotherOS = rule.Rule{
	ID: "MK202", Severity: rule.Error, Title: "an image of the other operating system",
	Reason: "Linux images do not run on Windows nodes, nor Windows images on Linux nodes. If a word of the tag is " +
		"the only evidence for what the image is for, this is a warning: Windows images are also published with the " +
		"tags of their Linux originals, such as 1.14-alpine.",
	Source: versionCompatibility,
}

// imagesOfOS compares the images with the operating system that the pods are for.
func (c *check) imagesOfOS(p *judged, os platform.OS) {
	for i, image := range p.target.Images {
		if image.OS == os || image.OS == "" && (image.Facts == nil || len(image.Facts.For(os)) > 0) {
			continue
		}
		fix := "use " + imageOf(os)
		if release, ok := p.target.Release(); ok {
			fix += " for " + release.Release.String()
		}
		if image.ByTag {
			fix += ", unless this is one"
		}
		c.report(imageOfAnotherOS, rule.Problem{
			Path: p.In(&p.Containers[i], "image"), Value: p.Containers[i].Spec["image"],
			Detail: "is " + known(image) + ", but " + p.target.Claims[0].Text(p.Pods) + " makes these " + describe(os) +
				" pods", Fix: fix,
		})
	}
}

var imagesOfDifferentNodes = rule.Rule{
	ID: "MK203", Severity: rule.Error, Title: "images that cannot run on the same node",
	Reason: "All containers of a pod run on the same node. A node has one operating system, and a Windows node one " +
		"release.",
	Source: versionCompatibility,
}

// imagesOfOneOS compares the images with each other, if nothing else states what the pods are for.
func (c *check) imagesOfOneOS(p *judged) {
	first := -1
	for i, image := range p.target.Images {
		switch {
		case image.OS == "":
		case first < 0:
			first = i
		case image.OS != p.target.Images[first].OS:
			c.report(imagesOfDifferentNodes, rule.Problem{
				Path: p.In(&p.Containers[i], "image"), Value: p.Containers[i].Spec["image"],
				Detail: "is " + known(image) + ", but " + p.In(&p.Containers[first], "image") + " is " +
					known(p.target.Images[first]) + ", and all containers of a pod run on one node",
				Fix: "use images for one operating system",
			})
		}
	}
}

var (
	imageOfAnotherRelease = rule.Rule{
		ID: "MK201", Severity: rule.Error, Title: "an image of another Windows release",
		Reason: "Windows containers share the kernel of their host, so the release of the image must be the host's. " +
			"If it is not, the image is not even pulled: containerd reports no match for platform in manifest. " +
			"Host-process containers and Hyper-V isolation are exceptions. A RuntimeClass that is named like a " +
			"platform of the topology, or like the platform in the options, counts as the one that " +
			"components/runtimeclass creates. If the cluster has a different RuntimeClass with this name, ignore " +
			"the rule.",
		Source: versionCompatibility,
	}
	imageOfOlderRelease = rule.Rule{
		ID: "MK210", Severity: rule.Warning, Title: "an image of an older Windows release, which only some nodes run",
		Reason: "Kubernetes requires the release of the host. Windows itself lets a Windows Server 2025 host run the " +
			"images of Windows Server 2022, and only some nodes allow it. If a topology or a platform is set, this " +
			"is an error, or not reported if `matching: relaxed` of the topology or of the options states that the " +
			"nodes allow it.",
		Source: versionCompatibility + "; " +
			"https://learn.microsoft.com/virtualization/windowscontainers/deploy-containers/version-compatibility",
	}
)

// releases compares the Windows releases of the images with the release of the pods, or with each other.
func (c *check) releases(p *judged) {
	if p.releaseMatters() != platform.Yes {
		return
	}
	target, known := p.target.Release()
	if !known {
		c.releasesOfOneHost(p)
		return
	}
	for i, image := range p.target.Images {
		if !image.TellsRelease() || platform.CanRun(target.Release, image, c.matching(target.Release)) != platform.No {
			continue
		}
		ctr := &p.Containers[i]
		ref, _ := ctr.Spec["image"].(string) // a secret one is not shown
		found := rule.Problem{
			Path: p.In(ctr, "image"), Value: ctr.Spec["image"],
			Detail: needs(image) + ", but the " + p.KindName() + " targets " + target.Release.String(),
			Fix:    imageFix(ref, target.Release),
		}
		broken := imageOfAnotherRelease
		if !c.knowsNodes() && platform.CanRun(target.Release, image, platform.Relaxed) != platform.No {
			broken, found.Detail = imageOfOlderRelease,
				isFor(image)+", and the "+p.KindName()+" targets "+target.Release.String()+
					", which does not run it everywhere"
		}
		c.report(broken, found)
	}
}

func (c *check) releasesOfOneHost(p *judged) {
	first := -1
	for i, image := range p.target.Images {
		switch {
		case !image.TellsRelease(),
			first >= 0 && image.Release != "" && image.Release == p.target.Images[first].Release:
		case first < 0:
			first = i
		case !c.oneHostRuns(p.target.Images[:i+1], c.matching):
			found := rule.Problem{
				Path: p.In(&p.Containers[i], "image"), Value: p.Containers[i].Spec["image"],
				Detail: "is an image for " + releasesOf(image) + ", but " + p.In(&p.Containers[first], "image") +
					" is one for " + releasesOf(p.target.Images[first]) +
					", and all containers of a pod run on one node",
				Fix: "use images for one Windows release",
			}
			broken := imagesOfDifferentNodes
			if relaxed := func(platform.Platform) platform.Matching { return platform.Relaxed }; !c.knowsNodes() &&
				c.oneHostRuns(p.target.Images[:i+1], relaxed) {
				broken, found.Detail = imageOfOlderRelease,
					found.Detail+", which only some nodes of the newer release allow"
			}
			c.report(broken, found)
			return
		}
	}
}

// knowsNodes reports whether the caller passed the nodes, and so how closely images must match them.
func (c *check) knowsNodes() bool { return c.context.Nodes != nil || c.options.Platform.IsWindows() }

// oneHostRuns reports whether there is a release of Windows whose nodes run all images with a known release.
func (c *check) oneHostRuns(images []platform.Image, matching func(platform.Platform) platform.Matching) bool {
	return slices.ContainsFunc(platform.Windows(), func(host platform.Platform) bool {
		return !slices.ContainsFunc(images, func(image platform.Image) bool {
			return platform.CanRun(host, image, matching(host)) == platform.No
		})
	})
}

// matching returns how closely images must match a host. Version 23H2 has no images of its own: it is designed to run
// the images of Windows Server 2022.
func (c *check) matching(host platform.Platform) platform.Matching {
	if host == platform.WindowsServer23H2 {
		return platform.Relaxed
	}
	return c.options.matching()
}

var hostProcessBaseImageMisused = rule.Rule{
	ID: "MK204", Severity: rule.Error, Title: "the base image of host-process containers in other containers",
	Reason: "The image contains no Windows files: only host-process containers, which use those of the host, can " +
		"start from it.",
	Source: "https://github.com/microsoft/windows-host-process-containers-base-image",
}

// baseImages reports the base image of host-process containers in other pods.
func (c *check) baseImages(p *judged) {
	for i, image := range p.target.Images {
		if !image.HostProcess || p.target.OS() == platform.LinuxOS || p.HostProcess() || p.HostProcessUnknown() {
			continue
		}
		c.report(hostProcessBaseImageMisused, rule.Problem{
			Path: p.In(&p.Containers[i], "image"), Value: p.Containers[i].Spec["image"],
			Detail: "is for host-process containers only",
			Fix:    "set windowsOptions.hostProcess and hostNetwork to true, or use another base image",
		})
	}
}

var (
	windows2019Outdated = rule.Rule{
		ID: "MK211", Severity: rule.Info, Title: "Windows Server 2019 on Kubernetes 1.36", Since: "1.36",
		Reason: "Kubernetes 1.36 lists Windows Server 2022 and 2025 for nodes, and no longer 2019, whose images do " +
			"not run on the newer releases. Nodes with Windows Server 2019 still join and their pods still start: " +
			"plan to replace them. The rule checks images and RuntimeClasses if the version is known and no topology " +
			"is set: a topology lists such nodes explicitly.",
		Source: versionCompatibility,
	}
	imageOfRetiredRelease = rule.Rule{
		ID: "MK223", Severity: rule.Warning, Title: "an image of a Windows release that no supported node has",
		Reason: "Windows containers share the kernel of their host, and the supported Kubernetes versions do not " +
			"list these releases for nodes: Windows Server 2016 and the releases of the semi-annual channel, 1709 to " +
			"20H2. The rule applies if there is no topology and no claim states the release of the nodes; otherwise " +
			"MK305 and MK201 apply. Host-process containers run on any release.",
		Source: versionCompatibility,
	}
	imageNoLongerPublished = rule.Rule{
		ID: "MK212", Severity: rule.Warning, Title: "an image that is no longer published for Windows",
		Reason: "Microsoft moved its images from Docker Hub to its own registry, mcr.microsoft.com, and some Docker " +
			"official images dropped their Windows variants. The old images cannot be pulled, or are years old.",
		Source: "https://learn.microsoft.com/virtualization/windowscontainers/manage-containers/container-base-images" +
			"; " +
			"https://github.com/redis/docker-library-redis/pull/99",
	}
)

// outdatedImages reports images that are no longer supported on any node.
func (c *check) outdatedImages(p *judged) {
	for i, image := range p.target.Images {
		ctr := &p.Containers[i]
		ref, _ := tree.Text(ctr.Spec["image"])
		shown, _ := ctr.Spec["image"].(string) // a secret one is not shown
		if successor, retired := platform.Retired(ref); retired && p.target.OS() != platform.LinuxOS {
			fix := "run it on Linux nodes, or build an image on mcr.microsoft.com/windows/nanoserver"
			if successor != "" {
				fix = "use " + successor + " or the tag of another release"
			}
			c.report(imageNoLongerPublished,
				rule.Problem{
					Path: p.In(ctr, "image"), Value: ctr.Spec["image"],
					Detail: "is no longer published for Windows", Fix: fix,
				})
		} else if image.Release == platform.WindowsServer2019 && c.namesNo2019() && !p.HostProcess() {
			c.report(windows2019Outdated, rule.Problem{
				Path: p.In(ctr, "image"), Value: ctr.Spec["image"],
				Detail: "is for Windows Server 2019, which Kubernetes 1.36 no longer names for nodes",
				Fix:    imageFix(shown, platform.WindowsServer2022),
			})
		} else if c.onNoNode(p, image) {
			c.report(imageOfRetiredRelease, rule.Problem{
				Path: p.In(ctr, "image"), Value: ctr.Spec["image"],
				Detail: "is for " + productName(image.Release) +
					", which Kubernetes no longer supports as a node",
				Fix: imageFix(shown, platform.WindowsServer2022),
			})
		}
	}
}

// onNoNode reports whether the image of Windows pods has a release that no supported node has. If the release of the
// nodes is known, other rules report it.
func (c *check) onNoNode(p *judged, image platform.Image) bool {
	_, targeted := p.target.Release()
	return c.context.Nodes == nil && !targeted && p.target.OS() == platform.WindowsOS && image.Release != "" &&
		!image.HostProcess && p.releaseMatters() == platform.Yes &&
		!slices.Contains(topology.PoolPlatforms(), image.Release)
}

// namesNo2019 reports whether the version of Kubernetes is known to no longer list Windows Server 2019. If the nodes
// are known, they decide.
func (c *check) namesNo2019() bool { return c.context.Nodes == nil && c.minor >= 36 }

// imageFix returns which image to use instead of another for a release: its tag if Microsoft publishes one. 23H2 uses
// the images of 2022.
func imageFix(ref string, release platform.Platform) string {
	if release == platform.WindowsServer23H2 {
		release = platform.WindowsServer2022
	}
	if tag, ok := platform.PublishedTag(ref, release); ok {
		return "use the tag " + tag
	}
	return "use an image for " + productName(release)
}

// productName returns Microsoft's name of a release.
func productName(p platform.Platform) string {
	release, _ := p.Release()
	return release.Name
}

// describe returns the display name of an operating system.
func describe(os platform.OS) string {
	if os == platform.WindowsOS {
		return "Windows"
	}
	return "Linux"
}

func imageOf(os platform.OS) string { return "a " + describe(os) + " image" }

// known describes what an image is for, and whether a word of its tag is the only evidence.
func known(image platform.Image) string {
	switch {
	case image.ByTag:
		return imageOf(image.OS) + " by its tag alone"
	case image.OS == "": // for another system
		return "an image for " + image.Facts.String()
	case image.Facts != nil:
		return imageOf(image.OS) + " (" + image.Facts.String() + ")"
	default:
		return imageOf(image.OS)
	}
}

// needs describes which nodes an image with a known release needs.
func needs(image platform.Image) string {
	if image.Facts != nil {
		return "has " + image.Facts.String()
	}
	return "needs a " + productName(image.Release) + " node"
}

func isFor(image platform.Image) string {
	if image.Facts != nil {
		return "has " + image.Facts.String()
	}
	return "is for " + productName(image.Release)
}

func releasesOf(image platform.Image) string {
	if image.Release == "" {
		return image.Facts.String()
	}
	return image.Release.String()
}
