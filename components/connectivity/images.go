package connectivity

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/hostprocess"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
	"github.com/mixedkube/mixedkube/internal/core/facts"
)

// DefaultLinuxImage is Kubernetes' own copy of BusyBox, which is server and client
// (https://github.com/kubernetes/kubernetes/tree/master/test/images/busybox).
const DefaultLinuxImage = facts.BusyBoxImage

// serverCore is Windows with PowerShell. There is one for each release. Images that are based on it start sooner than
// others, because many nodes already have it on their disks
// (https://learn.microsoft.com/virtualization/windowscontainers/manage-containers/container-base-images).
const serverCore = "mcr.microsoft.com/windows/servercore"

// Images replace the default images, for mirrors. An empty field has its default.
type Images struct {
	// Linux is the image of servers and checks on Linux. The default is [DefaultLinuxImage]. It needs BusyBox' sh, awk,
	// cut, date, httpd, mktemp, nslookup, sed, sleep, timeout, tr and wget.
	Linux string `pulumi:"linux,optional"`

	// Windows are the images of servers and checks on Windows platforms. The default is
	// mcr.microsoft.com/windows/servercore of the same release, for example with the tag ltsc2022. An image needs
	// Windows PowerShell 5.1, with the module DnsClient, and a user who may listen on port 80.
	Windows map[platform.Platform]string `pulumi:"windows,optional"`

	// HostProcess is the image of checks from Windows nodes, which use only its manifest. The default is
	// [hostprocess.DefaultImage].
	HostProcess string `pulumi:"hostProcess,optional"`
}

func (i Images) check(t topology.Defaulted, path *field.Path) field.ErrorList {
	errs := append(
		refusal.Image(i.Linux, path.Child("linux")),
		refusal.Image(i.HostProcess, path.Child("hostProcess"))...,
	)
	for _, p := range slices.Sorted(maps.Keys(i.Windows)) {
		path := path.Child("windows").Key(p.String())
		if !p.IsWindows() || !slices.Contains(t.Platforms(), p) {
			errs = append(errs, field.Invalid(path, p.String(), fmt.Sprintf(
				"no Windows pool of the topology runs it: its platforms are %s", platform.Join(t.Platforms()),
			)))
			continue
		}
		errs = append(errs, refusal.Image(i.Windows[p], path)...)
	}
	return errs
}

// of returns the image for a container on a platform.
func (i Images) of(p platform.Platform) string {
	release, ok := p.Release()
	if !ok {
		return cmp.Or(i.Linux, DefaultLinuxImage)
	}
	return cmp.Or(i.Windows[p], serverCore+":"+release.Tags[0])
}

// onNode returns the image for a container that is a process of its node.
func (i Images) onNode(p platform.Platform) string {
	if p.IsWindows() {
		return cmp.Or(i.HostProcess, hostprocess.DefaultImage)
	}
	return i.of(p)
}
