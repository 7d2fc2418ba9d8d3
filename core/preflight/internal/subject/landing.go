package subject

import (
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/placement"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// WithoutPool is a platform that pods select and no pool has.
type WithoutPool struct {
	LabelValue
	Detail string
}

// PlatformsWithoutPool returns the platforms that no pool of the topology has, if the program states the platform of
// the pods and they follow it. A DaemonSet that selects such nodes fails without an error otherwise.
func (p *Pods) PlatformsWithoutPool() []WithoutPool { return p.without.get(p.readWithoutPool) }

func (p *Pods) readWithoutPool() []WithoutPool {
	if !p.Stated || p.Cluster.Nodes == nil {
		return nil
	}
	var found []WithoutPool
	add := func(detail, path string, value any) {
		if detail != "" {
			found = append(found, WithoutPool{LabelValue{path, value}, detail})
		}
	}
	for _, claim := range p.Target.Claims {
		if claim.Release == "" || claim.Source != pods.BySelector && claim.Source != pods.ByClass {
			continue
		}
		detail := p.Cluster.Topology.Lacks(claim.Release)
		if claim.Source == pods.ByClass && p.Target.ByName {
			detail = p.Cluster.Topology.LacksHosts(claim.Release)
		}
		add(detail, claim.Path(p.Pods), claim.Value(p.Pods))
		break
	}
	for i, term := range p.RequiredTerms() {
		for j, v := range tree.List(tree.Map(term)["matchExpressions"]) {
			expression := tree.Map(v)
			if label, _ := tree.Text(expression["key"]); label != topology.LabelWindowsBuild {
				continue
			}
			values := tree.List(expression["values"])
			for k, lacks := range p.Cluster.lacksBuilds(values) {
				add(lacks, p.AffinityPath(i, "matchExpressions", j, "values", k), values[k])
			}
		}
	}
	return found
}

// lacksBuilds describes for each Windows build that no pool has it, "" if one has it. With relaxed matching, pods name
// all builds that run their images: one of them is enough.
func (c *Cluster) lacksBuilds(values []any) []string {
	lacks := make([]string, len(values))
	for i, value := range values {
		text, _ := tree.Text(value)
		release, ok := pods.ExactBuild(text)
		if !ok {
			continue
		}
		lacks[i] = c.Topology.Lacks(release)
		if lacks[i] == "" && c.Matching == platform.Relaxed {
			return nil
		}
	}
	return lacks
}

// Landed are the pools where pods land.
type Landed struct {
	// Linux and Windows are the pools where the scheduler places the pods. Pending are the Linux pools for which a
	// DaemonSet's pods stay pending.
	Linux, Windows, Pending []string
	// Possible means that they may run on some pool, Open that they may be scheduled on some pool, and Reachable that
	// they get to a pool with their operating system.
	Possible, Open, Reachable bool
}

// Landed returns where the pods can land in the topology, which must have pools.
func (p *Pods) Landed() Landed { return p.landed.get(p.readLanded) }

func (p *Pods) readLanded() Landed {
	var l Landed
	os := p.OS()
	answer, _ := p.Placement()
	for i := range answer.Verdicts {
		v := &answer.Verdicts[i]
		poolOS := v.Pool.Platform.OS()
		l.Possible = l.Possible || v.Answer() != platform.No
		l.Open = l.Open || v.Schedules != platform.No
		l.Reachable = l.Reachable || v.Schedules != platform.No && (os == "" || poolOS == os)
		switch {
		case v.Schedules == platform.Yes && poolOS == platform.LinuxOS:
			l.Linux = append(l.Linux, v.Pool.Name)
		case v.Schedules == platform.Yes && poolOS == platform.WindowsOS:
			l.Windows = append(l.Windows, v.Pool.Name)
		case v.PendingPods && poolOS == platform.LinuxOS:
			l.Pending = append(l.Pending, v.Pool.Name)
		}
	}
	return l
}

// LandsOn returns the names of the pools where pods certainly land and for which takes returns true.
func (p *Pods) LandsOn(takes func(v *placement.Verdict) bool) []string {
	answer, _ := p.Placement()
	var names []string
	for i := range answer.Verdicts {
		if v := &answer.Verdicts[i]; v.Schedules == platform.Yes && takes(v) {
			names = append(names, v.Pool.Name)
		}
	}
	return names
}

// placeable reports whether it makes sense to ask where the pods land: what they are for is not contradictory, and they
// select no label that no node has.
func (p *Pods) placeable() bool {
	systems, architectures := p.UnmatchedLabels()
	return len(systems) == 0 && len(architectures) == 0 && len(p.Contradictions()) == 0
}

// lands reports whether rules can ask where the pods land in the topology.
func (p *Pods) lands() bool {
	return p.Cluster.Nodes != nil && p.placeable() && len(p.PlatformsWithoutPool()) == 0
}

// WrongHost is an image that does not run on Windows pools where the pods land.
type WrongHost struct {
	// Container is the index of the container.
	Container int
	// Hosts are the platforms of the pools, and Pools their names.
	Hosts []platform.Platform
	Pools []string
}

// WrongHosts returns the images that do not run on a Windows pool where the pods land. Images that do not fit the
// release of the pods are not among them, but among [Pods.WrongImages].
func (p *Pods) WrongHosts() []WrongHost { return p.wrongHosts.get(p.compareHosts) }

func (p *Pods) compareHosts() []WrongHost {
	if p.OS() == platform.LinuxOS || p.ReleaseMatters() != platform.Yes {
		return nil
	}
	var found []WrongHost
	target, targeted := p.Target.Release()
	for i, image := range p.Target.Images {
		if image.OS != platform.WindowsOS && !image.TellsRelease() || targeted &&
			platform.CanRun(target.Release, image, p.Cluster.MatchingOf(target.Release)) == platform.No {
			continue
		}
		var hosts []platform.Platform
		names := p.LandsOn(func(v *placement.Verdict) bool {
			if !p.Cluster.Refuses(v.Pool.Platform, image) {
				return false
			}
			hosts = append(hosts, v.Pool.Platform)
			return true
		})
		if len(names) > 0 {
			found = append(found, WrongHost{i, hosts, names})
		}
	}
	return found
}
