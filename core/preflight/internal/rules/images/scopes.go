package images

import (
	"slices"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
)

var (
	wrongImages = &engine.Scope[*subject.Pods]{
		Name: "images that do not run where their pods are for, or not together",
		Has:  func(p *subject.Pods) bool { return len(p.WrongImages()) > 0 },
	}
	hostProcessBaseImages = &engine.Scope[*subject.Pods]{
		Name: "base images of host-process containers",
		Has: func(p *subject.Pods) bool {
			return slices.ContainsFunc(p.Target.Images, func(image platform.Image) bool { return image.HostProcess })
		},
	}

	otherThanLinux = &engine.Scope[*subject.Pods]{
		Name: "images of pods that are not for Linux",
		Has:  func(p *subject.Pods) bool { return p.OS() != platform.LinuxOS },
	}
	without2019 = &engine.Scope[*subject.Pods]{
		Name: "images of pods, without a topology, on Kubernetes 1.36 or later",
		Has:  func(p *subject.Pods) bool { return !p.Cluster.Lists2019() },
	}
	windowsOnAnyNode = &engine.Scope[*subject.Pods]{
		Name: "images of Windows pods, without a topology and a release",
		Has: func(p *subject.Pods) bool {
			if p.Cluster.Nodes != nil || p.OS() != platform.WindowsOS || p.ReleaseMatters() != platform.Yes {
				return false
			}
			_, targeted := p.Target.Release()
			return !targeted
		},
	}

	lockedLinuxImages = &engine.Scope[*subject.Pods]{
		Name: "images of Linux pods that are in the lock file",
		Has:  func(p *subject.Pods) bool { return p.OS() == platform.LinuxOS && locked(p) },
	}
	lockedWindowsImages = &engine.Scope[*subject.Pods]{
		Name: "images of Windows pods that are in the lock file",
		Has:  func(p *subject.Pods) bool { return p.OS() == platform.WindowsOS && locked(p) },
	}
	// lockedLandingImages belong to pods that select nodes which can exist.
	lockedLandingImages = &engine.Scope[*subject.Pods]{
		Name: "images that are in the lock file, of pods on the pools of a topology",
		Has:  func(p *subject.Pods) bool { return locked(p) && subject.Landing.Has(p) },
	}
)

// locked reports whether the registry of one of the images is known to say what it is for.
func locked(p *subject.Pods) bool {
	return slices.ContainsFunc(p.Target.Images, func(image platform.Image) bool { return image.Facts != nil })
}
