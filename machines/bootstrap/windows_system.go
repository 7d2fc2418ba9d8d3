package bootstrap

import (
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// windowsBuild is the oldest build of a release on which the network works, with the
// update that has it. Revision 0 is any.
type windowsBuild struct {
	Build    int    `json:"build"`
	Revision int    `json:"revision"`
	Update   string `json:"update"`
}

// overlayBuilds are the builds that bring overlay networks to releases whose first builds have
// none: https://support.microsoft.com/help/4489899 for 2019, and for 2025 SIG Windows in
// https://github.com/rancher/rancher/issues/50915, where the update of October 2025,
// https://support.microsoft.com/help/5066835, brings them.
var overlayBuilds = map[platform.Platform]windowsBuild{
	platform.WindowsServer2019: {17763, 379, "KB4489899"},
	platform.WindowsServer2025: {26100, 6899, "KB5066835"},
}

// leastBuild is about the overlays of Windows' own host networking service: Antrea's is
// Open vSwitch's.
func leastBuild(p platform.Platform, kind network.Kind) windowsBuild {
	if kind == network.FlannelVXLAN || kind == network.CalicoVXLAN {
		return overlayBuilds[p]
	}
	return windowsBuild{}
}

// unscanned returns the programs whose files Defender does not scan: SIG Windows excludes
// these in its images, and tests with them
// (https://github.com/kubernetes-sigs/image-builder/blob/main/images/capi/packer/goss/goss-command.yaml).
func unscanned() []string {
	return []string{backslashes(containerdDir + "/containerd.exe"), backslashes(containerdDir + "/ctr.exe")}
}
