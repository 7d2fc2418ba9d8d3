package topology_test

import (
	"fmt"
	"iter"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

func windowsReleases() []platform.Platform {
	return slices.DeleteFunc(topology.PoolPlatforms(), func(p platform.Platform) bool { return !p.IsWindows() })
}

// mixes returns all clusters with pools of some Windows releases, with each matching, complete and partial.
func mixes() iter.Seq2[string, topology.Topology] {
	return func(yield func(string, topology.Topology) bool) {
		for set := range 1 << len(windowsReleases()) {
			for _, matching := range append(platform.Matchings(), "") {
				for _, partial := range []bool{false, true} {
					t := topology.Topology{
						Matching: matching, Partial: partial,
						Pools: []topology.Pool{{Name: "sys", Platform: platform.Linux}},
					}
					for i, p := range windowsReleases() {
						if set>>i&1 == 1 {
							t.Pools = append(t.Pools, topology.Pool{Name: fmt.Sprint("w", i), Platform: p})
						}
					}
					if !yield(fmt.Sprintf("%v %q partial=%t", t.Platforms(), matching, partial), t) {
						return
					}
				}
			}
		}
	}
}

func runsOn(t topology.Topology, host, image platform.Platform) bool {
	of := platform.Image{OS: platform.WindowsOS, Release: image}
	return platform.CanRun(host, of, t.Matching) == platform.Yes
}

func selects(selection topology.Selection, pool topology.Pool) bool {
	labels := pool.NodeLabels()
	for key, value := range selection.Selector {
		if labels[key] != value {
			return false
		}
	}
	return len(selection.Builds) == 0 || slices.Contains(selection.Builds, labels[topology.LabelWindowsBuild])
}

// A pool outside of the list may run any release if the topology is partial.
func poolsOf(t topology.Topology) []topology.Pool {
	pools := slices.Clone(t.Pools)
	for _, p := range windowsReleases() {
		if t.Partial {
			pools = append(pools, topology.Pool{Name: "unlisted", Platform: p})
		}
	}
	return pools
}

func TestSelectionSelectsExactlyTheNodesThatRunTheImages(t *testing.T) {
	t.Parallel()
	for name, cluster := range mixes() {
		for _, image := range windowsReleases() {
			hosts := cluster.Hosts(image)
			selection := cluster.Select(hosts...)
			for _, pool := range poolsOf(cluster) {
				got, want := selects(selection, pool), runsOn(cluster, pool.Platform, image)
				if len(hosts) > 0 && got != want {
					t.Errorf("%s: images of %s: selects the pool of %s: %t, want %t", name, image, pool.Platform, got,
						want)
				}
				if want && !slices.Contains(hosts, pool.Platform) {
					t.Errorf("%s: images of %s: %s is not among the hosts %v", name, image, pool.Platform, hosts)
				}
			}
			if cluster.Matching != platform.Relaxed && len(hosts) > 0 {
				want := topology.Selection{Selector: topology.NodeSelector(image)}
				if diff := cmp.Diff(want, selection); diff != "" {
					t.Errorf("%s: images of %s: not the build (-want +got):\n%s", name, image, diff)
				}
			}
		}
	}
}

func TestSelectionIsTheLoosest(t *testing.T) {
	t.Parallel()
	const w19, w22, w25 = platform.WindowsServer2019, platform.WindowsServer2022, platform.WindowsServer2025
	windows := map[string]string{"kubernetes.io/os": "windows"}
	for name, tt := range map[string]struct {
		pools   []platform.Platform
		partial bool
		image   platform.Platform
		want    topology.Selection
	}{
		"all Windows pools":     {[]platform.Platform{w22, w25}, false, w22, topology.Selection{Selector: windows}},
		"the only Windows pool": {[]platform.Platform{w25}, false, w22, topology.Selection{Selector: windows}},
		"the newer of two": {
			[]platform.Platform{w22, w25}, false, w25, topology.Selection{Selector: topology.NodeSelector(w25)},
		},
		"the newer one only": {
			[]platform.Platform{w19, w25}, false, w22, topology.Selection{Selector: topology.NodeSelector(w25)},
		},
		"two of three": {
			[]platform.Platform{w19, w22, w25},
			false, w22,
			topology.Selection{Selector: windows, Builds: []string{"10.0.20348", "10.0.26100"}},
		},
		"an image before Server 2022": {
			[]platform.Platform{w19, w22, w25}, false, w19, topology.Selection{Selector: topology.NodeSelector(w19)},
		},
		"a partial list": {
			[]platform.Platform{w22},
			true, w22,
			topology.Selection{Selector: windows, Builds: []string{"10.0.20348", "10.0.26100"}},
		},
		"no pool": {[]platform.Platform{w19}, false, w22, topology.Selection{}},
		"Linux":   {[]platform.Platform{w22}, false, platform.Linux, topology.Selection{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cluster := topology.Topology{Matching: platform.Relaxed, Partial: tt.partial}
			for _, p := range append(tt.pools, platform.Linux) {
				cluster.Pools = append(cluster.Pools, topology.Pool{Platform: p})
			}
			if diff := cmp.Diff(tt.want, cluster.Select(cluster.Hosts(tt.image)...)); diff != "" {
				t.Errorf("Select() (-want +got):\n%s", diff)
			}
		})
	}
}

// A class selects by equality: it leads to nodes that run its pods, and with labels to all of these.
func TestClassSelector(t *testing.T) {
	t.Parallel()
	for name, cluster := range mixes() {
		for _, image := range windowsReleases() {
			for _, labels := range []string{"none", "right", "one lacks it", "too many"} {
				labeled := cluster
				labeled.Pools = slices.Clone(cluster.Pools)
				hosts := 0
				for i := range labeled.Pools {
					pool := &labeled.Pools[i]
					has := runsOn(cluster, pool.Platform, image)
					if has {
						hosts++
					}
					if labels == "right" && has || labels == "too many" ||
						labels == "one lacks it" && has && hosts > 1 {
						pool.Labels = map[string]string{"mixedkube.dev/runs-" + image.String(): "true"}
					}
				}
				selector := labeled.ClassSelector(image)
				selected := 0
				for _, pool := range labeled.Pools {
					if !selects(topology.Selection{Selector: selector}, pool) {
						continue
					}
					selected++
					if hosts > 0 && !runsOn(cluster, pool.Platform, image) {
						t.Errorf("%s, labels %s: the class of %s selects %s nodes: %v", name, labels, image,
							pool.Platform, selector)
					}
				}
				all := labels == "right" || hosts < 2 || hosts == len(cluster.Pools)-1 && !cluster.Partial
				if all && selected != hosts || hosts > 0 && selected == 0 {
					t.Errorf("%s, labels %s: the class of %s selects %d of %d pools: %v", name, labels, image, selected,
						hosts, selector)
				}
				if strict := cluster.Matching != platform.Relaxed; strict {
					if diff := cmp.Diff(topology.NodeSelector(image), selector); diff != "" {
						t.Errorf("%s: the class of %s (-want +got):\n%s", name, image, diff)
					}
				}
			}
		}
	}
}

// The pools of all hosts may have taints.
func TestClassTolerations(t *testing.T) {
	t.Parallel()
	taints := map[platform.Platform]string{
		platform.WindowsServer2019: "a=x:NoSchedule", platform.WindowsServer2022: "b=x:NoSchedule",
		platform.WindowsServer2025: "c=x:NoSchedule",
	}
	for name, cluster := range mixes() {
		for i := range cluster.Pools {
			if text := taints[cluster.Pools[i].Platform]; text != "" {
				taint, err := topology.ParseTaint(text)
				if err != nil {
					t.Fatal(err)
				}
				cluster.Pools[i].Taints = append(cluster.Pools[i].Taints, taint)
			}
		}
		for _, image := range windowsReleases() {
			got := cluster.WithDefaults().ClassTolerations(image)
			for _, pool := range cluster.Pools {
				if !pool.Platform.IsWindows() {
					continue
				}
				tolerated := slices.Contains(got, topology.Tolerate(pool.Taints[0]))
				if want := runsOn(cluster, pool.Platform, image); tolerated != want {
					t.Errorf("%s: the class of %s tolerates the taint of %s: %t, want %t", name, image, pool.Platform,
						tolerated, want)
				}
			}
			if len(got) != len(slices.Compact(slices.Clone(got))) {
				t.Errorf("%s: the class of %s has a toleration twice: %v", name, image, got)
			}
		}
	}
}
