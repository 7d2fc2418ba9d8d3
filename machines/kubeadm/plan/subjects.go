package plan

import (
	"time"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// What the rules look at, with the paths of the arguments.
type (
	clusterName string

	// pool is a pool of machines.
	pool struct {
		topology.Pool
		path *field.Path
	}
	// settings are options of the machines of a pool, or of the control plane. Options for a pool that does not exist
	// have only the image.
	settings struct {
		image    Image
		security Security
		patching Patching
		pool     topology.Pool
		kind     network.Kind
		path     *field.Path
	}
	// version is a version of Kubernetes on a day, which may be zero.
	version struct {
		text  string
		path  *field.Path
		today time.Time
	}
	// size is a size that may be one of Arm64.
	size struct {
		name string
		path *field.Path
	}
	// clientSources are addresses and ranges of clients.
	clientSources struct {
		texts []string
		path  *field.Path
	}
	// server are the options of the API servers.
	server struct {
		bootstrap.APIServerOptions
		path *field.Path
	}
	// reach is a cluster that is asked who can connect to it.
	reach struct{ Defaulted }
	// username is the name of an administrator, "" for the default one.
	username struct {
		name string
		path *field.Path
	}
)

var (
	names    = &engine.Scope[clusterName]{Name: "the name of a cluster"}
	clusters = &engine.Scope[Defaulted]{Name: "clusters on virtual machines"}
	// networks belong to clusters, and to pools that join one.
	networks   = &engine.Scope[network.Defaulted]{Name: "the network of a cluster"}
	pools      = &engine.Scope[pool]{Name: "pools of virtual machines"}
	allOptions = &engine.Scope[settings]{Name: "options of virtual machines"}
	versions   = &engine.Scope[version]{Name: "versions of Kubernetes"}
	sizes      = &engine.Scope[size]{Name: "sizes of virtual machines for Linux"}
	clients    = &engine.Scope[clientSources]{Name: "sources of packets"}
	servers    = &engine.Scope[server]{Name: "options of the API server"}
	joinings   = &engine.Scope[DefaultedJoining]{Name: "pools that join a cluster"}
	allKeys    = &engine.Scope[Keys]{Name: "keys of a cluster"}
	retained   = &engine.Scope[retainedKeys]{Name: "keys of a cluster, and those of its state"}
	missing    = &engine.Scope[missingSteps]{Name: "the replacement of keys"}
	reachable  = &engine.Scope[reach]{Name: "who can connect to the API server"}
	usernames  = &engine.Scope[username]{Name: "names of administrators"}
	linux      = &engine.Scope[LinuxAdmin]{Name: "the administrator of Linux machines"}
	windows    = &engine.Scope[WindowsAdmin]{Name: "the administrator of Windows machines"}
)

// controlPlaneSettings returns the options of the control plane.
func (c Defaulted) controlPlaneSettings() settings {
	return settings{
		image: c.ControlPlane.Image, security: c.ControlPlane.Security, pool: c.controlPlanePool(),
		kind: c.Network.Kind, path: field.NewPath("controlPlane"),
	}
}

// settingsOf returns the options of the pool with a name.
func (c Defaulted) settingsOf(name string) settings {
	o, at := c.PoolOptions[name], field.NewPath("poolOptions").Key(name)
	p, exists := c.pool(name)
	if !exists {
		return settings{image: o.Image, path: at}
	}
	return settings{o.Image, o.Security, o.Patching, p, c.Network.Kind, at}
}
