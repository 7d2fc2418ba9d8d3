package plan_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
)

type movedCheck struct {
	name            string
	channel, option string
	cluster, pool   string
	// inAzure are the versions of the cluster and of the Windows pool.
	inAzure, poolInAzure string
	want, wantPool       string
	messages             []string
}

// in returns the arguments of Moved.
func (m movedCheck) in() (written topology.Topology, c plan.Cluster, a plan.InAzure) {
	a = clusterInAzure(func(c obj) {
		c["currentKubernetesVersion"] = m.inAzure
		c["autoUpgradeProfile"] = obj{"upgradeChannel": m.channel}
	}, windowsInAzure(func(p obj) { p["currentOrchestratorVersion"] = m.poolInAzure }))
	c = keeping(func(c *plan.Cluster) {
		c.Topology.KubernetesVersion = m.cluster
		c.Topology.Pools[1].KubernetesVersion = m.pool
		c.Topology.Pools = append(c.Topology.Pools, topology.Pool{Name: "new", Platform: platform.Linux})
		if m.option != "" {
			c.Options = obj{"autoUpgradeProfile": obj{"upgradeChannel": m.option}}
		}
		written = c.Topology.Topology
	})
	return written, c, a
}

func (m movedCheck) found() []preflight.Finding {
	_, findings := plan.Moved(m.in())
	return findings
}

var movedChecks = []movedCheck{
	{name: "no channel", channel: "none", cluster: "1.35", inAzure: "1.36.2", poolInAzure: "1.36.2", want: "1.35"},
	{
		name: "a channel of node images", channel: "node-image", cluster: "1.35", inAzure: "1.36.2",
		poolInAzure: "1.35.1", want: "1.35",
	},
	{
		name: "a minor version", channel: "stable", cluster: "1.35", inAzure: "1.36.2", poolInAzure: "1.36.2",
		want: "1.36", wantPool: "1.36", messages: []string{"info: kubernetesVersion (MK778)"},
	},
	{
		name: "the pool is older than the cluster", channel: "rapid", cluster: "1.35", inAzure: "1.36.2",
		poolInAzure: "1.35.4", want: "1.36", wantPool: "1.35", messages: []string{"info: kubernetesVersion (MK778)"},
	},
	{
		name: "a patch release of a version that leaves it to Azure", channel: "patch", cluster: "1.35",
		inAzure: "1.35.9", poolInAzure: "1.35.9", want: "1.35", wantPool: "1.35",
	},
	{
		name: "a patch release", channel: "patch", cluster: "1.35.2", pool: "1.34.1", inAzure: "1.35.10",
		poolInAzure: "1.34.3", want: "1.35.10", wantPool: "1.34.3",
		messages: []string{"info: kubernetesVersion (MK778)", "info: pools[1].kubernetesVersion (MK778)"},
	},
	{
		name: "the program raises it", channel: "stable", cluster: "1.37", inAzure: "1.36.2", poolInAzure: "1.36.2",
		want: "1.37", wantPool: "1.37",
	},
	{
		name: "the program switches the channel off", channel: "stable", option: "none", cluster: "1.35",
		inAzure: "1.36.2", poolInAzure: "1.36.2", want: "1.35",
	},
	{
		name: "the program switches it on", option: "stable", cluster: "1.35", inAzure: "1.36.2", poolInAzure: "1.36.2",
		want: "1.36", wantPool: "1.36", messages: []string{"info: kubernetesVersion (MK778)"},
	},
}

// Moved keeps newer versions in Azure only if an auto-upgrade channel moves versions.
func TestVersionsThatAChannelMoves(t *testing.T) {
	t.Parallel()
	for _, tt := range movedChecks {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			written, c, a := tt.in()
			got, findings := plan.Moved(written, c, a)
			if got.KubernetesVersion != tt.want || got.Pools[1].KubernetesVersion != tt.wantPool {
				t.Errorf("the cluster has %q and the pool %q, want %q and %q", got.KubernetesVersion,
					got.Pools[1].KubernetesVersion, tt.want, tt.wantPool)
			}
			if v := got.Pools[2].KubernetesVersion; v != "" {
				t.Errorf("a pool that does not exist has the version %q", v)
			}
			if written.Pools[1].KubernetesVersion != tt.pool {
				t.Error("Moved has changed the pool of the program")
			}
			wantFindings(t, findings, tt.messages...)
		})
	}
}

type movedPoolCheck struct {
	channel, configured, want string
	messages                  []string
}

func (m movedPoolCheck) moved() (topology.Pool, []preflight.Finding) {
	a := clusterInAzure(in("autoUpgradeProfile", obj{"upgradeChannel": m.channel}), windowsInAzure(nil))
	return a.MovedPool(topology.Pool{Name: "web", KubernetesVersion: m.configured},
		plan.PoolOptions{NameInAzure: "win"})
}

func (m movedPoolCheck) found() []preflight.Finding {
	_, findings := m.moved()
	return findings
}

// A pool of an unmanaged cluster gets a version only if the program sets one.
var movedPoolChecks = []movedPoolCheck{
	{"stable", "", "", nil},
	{"stable", "1.34", "1.35", []string{"info: pool.kubernetesVersion (MK778)"}},
	{"stable", "1.36", "1.36", nil},
	{"none", "1.34", "1.34", nil},
}

func TestTheVersionOfAPoolThatAChannelMoves(t *testing.T) {
	t.Parallel()
	for _, tt := range movedPoolChecks {
		p, findings := tt.moved()
		if p.KubernetesVersion != tt.want {
			t.Errorf("version %q with the channel %s is %q, want %q", tt.configured, tt.channel, p.KubernetesVersion,
				tt.want)
		}
		wantFindings(t, findings, tt.messages...)
	}
}
