package images

import (
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// baseTagRules are about tags that Microsoft's base images do not have.
var baseTagRules = []engine.Rule{baseImageWithoutTag, fullImageOfNewRelease}

// withoutLatest are the base images that have had no tag latest since 2019-04-16. The source does not name the image
// windows, so it is only a warning there.
var withoutLatest = map[string]rule.Severity{
	"windows/server": rule.Error, "windows/servercore": rule.Error, "windows/nanoserver": rule.Error,
	"windows": rule.Warning,
}

var baseImageWithoutTag = engine.Rule{
	Rule: rule.Rule{
		ID: "MK225", Severity: rule.Error, Title: "a base image of Windows without a tag", Page: rulepages.Images,
		Reason: "Microsoft has published no tag latest for its base images since 2019-04-16, because an image runs " +
			"on nodes of its release only: the pull fails (not found). Without a tag and a digest, the kubelet pulls " +
			"latest.",
		Source: "https://learn.microsoft.com/virtualization/windowscontainers/deploy-containers/" +
			"version-compatibility#choose-which-container-os-version-to-use",
	},
	Checks: []engine.Check{engine.On(otherThanLinux, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		for i := range p.Containers {
			name := p.ImageName(i)
			if name.Tag != "latest" || p.Target.Images[i].Facts != nil {
				continue
			}
			severity, base := withoutLatest[name.Microsoft]
			// With this policy, an image that somebody has loaded on the node is used.
			policy := p.Containers[i].Spec["imagePullPolicy"]
			if text, _ := tree.Text(policy); !base || text == "Never" || tree.IsUnknown(policy) {
				continue
			}
			untagged := problem(p, i, "has no tag latest, which is the default: the pull fails")
			untagged.Severity, untagged.Fix = severity, "write the tag of the nodes' release, such as ltsc2022"
			if release, known := p.Target.Release(); known && release.Release != "" {
				untagged.Fix = subject.ImageFix(shown(p, i), release.Release)
			}
			found = append(found, untagged)
		}
		return found
	})},
}

var fullImageOfNewRelease = engine.Rule{
	Rule: rule.Rule{
		ID: "MK226", Severity: rule.Error, Title: "the Windows image for Windows Server 2022 or 2025",
		Page: rulepages.Images,
		Reason: "Microsoft publishes mcr.microsoft.com/windows for Windows Server 2019 and older. For Windows Server " +
			"2022 and 2025 the image with the full API is mcr.microsoft.com/windows/server: the pull of this one " +
			"fails.",
		Source: "https://github.com/microsoft/Windows-Containers/issues/150; " +
			"https://learn.microsoft.com/virtualization/windowscontainers/manage-containers/container-base-images" +
			"#windows-vs-windows-server",
	},
	Checks: []engine.Check{engine.On(otherThanLinux, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		for i, image := range p.Target.Images {
			name := p.ImageName(i)
			if name.Microsoft != "windows" || name.Tag == "" || image.Facts != nil ||
				image.Release != platform.WindowsServer2022 && image.Release != platform.WindowsServer2025 {
				continue
			}
			full := problem(p, i, "does not exist: there is no such image for "+subject.ProductName(image.Release))
			full.Fix = "use mcr.microsoft.com/windows/server"
			if tag, published := platform.PublishedTag("mcr.microsoft.com/windows/server:"+name.Tag,
				image.Release); published {
				full.Fix += ":" + tag
			}
			found = append(found, full)
		}
		return found
	})},
}
