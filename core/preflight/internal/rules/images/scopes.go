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
		Within: subject.WindowsPods, Name: "images of Windows pods, without a topology and a release",
		Has: func(p *subject.Pods) bool {
			_, targeted := p.Target.Release()
			return !targeted && p.Cluster.Nodes == nil && p.ReleaseMatters() == platform.Yes
		},
	}

	// lockedImages have registries that are known to say what one of them is for.
	lockedImages = &engine.Scope[*subject.Pods]{
		Name: "images of pods that are in the lock file",
		Has: func(p *subject.Pods) bool {
			return slices.ContainsFunc(p.Target.Images, func(image platform.Image) bool { return image.Facts != nil })
		},
	}
	lockedLinuxImages = &engine.Scope[*subject.Pods]{
		Within: lockedImages, Name: "images of Linux pods that are in the lock file", Has: subject.LinuxPods.Has,
	}
	lockedWindowsImages = &engine.Scope[*subject.Pods]{
		Within: lockedImages, Name: "images of Windows pods that are in the lock file", Has: subject.WindowsPods.Has,
	}
	// lockedLandingImages belong to pods that select nodes which can exist.
	lockedLandingImages = &engine.Scope[*subject.Pods]{
		Within: lockedImages, Name: "images that are in the lock file, of pods on the pools of a topology",
		Has: subject.Landing.Has,
	}
)
