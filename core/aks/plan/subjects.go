package plan

import (
	"slices"
	"time"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// cluster is what rules need to know about a cluster with its pools, or about a pool without its cluster.
type cluster struct {
	today   time.Time
	network Network
	options map[string]any
	// tags belong to the pools that have none of their own.
	tags  map[string]any
	pools []pool
	// mayExist is MayExist of [Cluster].
	mayExist bool
	// ofOthers means that the cluster is in Azure, and that the program does not manage it.
	ofOthers bool
	// keeps means that the fields which are not set in pools with retained names are looked up later.
	keeps bool
}

// pool is a pool with the paths of its arguments. Both paths end in a period, or are empty.
type pool struct {
	topology.Pool
	at        string
	options   PoolOptions
	optionsAt string
	of        *cluster
}

// hasEntraID reports whether the API server accepts tokens of Microsoft Entra ID, or may do so.
func (c *cluster) hasEntraID() bool { return c.mayExist || option(c.options, "aadProfile") != nil }

// declared returns the pools of the program with their options.
func (c *cluster) declared() ([]topology.Pool, map[string]PoolOptions) {
	var pools []topology.Pool
	options := map[string]PoolOptions{}
	for _, p := range c.pools {
		pools = append(pools, p.Pool)
		options[p.Name] = p.options
	}
	return pools, options
}

// windowsPool returns the path of the first Windows pool, or false if there is none.
func (c *cluster) windowsPool() (string, bool) {
	i := slices.IndexFunc(c.pools, func(p pool) bool { return p.Platform.IsWindows() })
	if i < 0 {
		return "", false
	}
	return c.pools[i].at[:len(c.pools[i].at)-1], true
}

// tag returns a tag of the pool and its path. A tag of the cluster has no path, except for the first pool that gets it
// and that counts: one finding is enough.
func (p pool) tag(key string, counts func(pool) bool) (path string, v any) {
	if own := option(p.options.Options, "tags"); own != nil {
		return p.optionsAt + "options.tags." + key, tree.Map(own)[key]
	}
	first := slices.IndexFunc(p.of.pools, func(other pool) bool {
		return option(other.options.Options, "tags") == nil && counts(other)
	})
	if first < 0 || p.of.pools[first].at != p.at {
		return "", nil
	}
	return "tags." + key, p.of.tags[key]
}

// The subjects of rules. Subjects with the same fields have different types if they are checked at different times.
type (
	clusterName string
	// program is a cluster that a program describes.
	program struct {
		Cluster
		of *cluster
	}
	// creation is a cluster that does not exist yet.
	creation struct {
		Cluster
		of *cluster
	}
	// network are the values of the network of a cluster, subnets those that are not known of a cluster in Azure, and
	// withWindows the options that Windows pools do not work with.
	network     struct{ *cluster }
	subnets     struct{ *cluster }
	withWindows struct{ *cluster }
	// sized is a pool whose size is known, or will not be known.
	sized struct{ pool }
	// adminPassword is the password of the administrator, as in [WindowsAdmin].
	adminPassword    struct{ text any }
	authorizedRanges []string
	// signIn is how the provider signs in to a cluster.
	signIn struct {
		Login
		server APIServer
		of     *cluster
	}
	// existingSignIn is a login to a cluster that another program created.
	existingSignIn struct{ signIn }
	// named is an argument that names another resource, with its value.
	named struct {
		Reference
		path  string
		value any
	}
	// existing is a cluster in Azure, with the pools of the program.
	existing struct {
		InAzure
		of *cluster
	}
	// unknownPool are the properties of a pool in Azure whose platform is not known.
	unknownPool struct {
		at         string
		properties map[string]any
	}
	// retained is a pool that may keep the name of an existing pool in Azure.
	retained struct {
		pool
		inAzure InAzure
		// inline means that the cluster has the pool inline. A command upgrades it after all other changes.
		inline bool
		// place is where commands find the cluster, and cli means that the program runs them.
		place Place
		cli   bool
		// owner is the value of [OwnerTag] of the pools of the program.
		owner string
	}
	// taken is a cluster in Azure that a program takes over.
	taken struct {
		program
		first   FirstPool
		inAzure InAzure
	}
	// joining is a pool of a program that joins a cluster in Azure.
	joining struct {
		Pool
		inAzure InAzure
		owner   string
		others  []string
	}
	// desired is a cluster that a program describes and that exists, with what Pulumi cannot change in it.
	desired struct {
		Cluster
		first   FirstPool
		inAzure InAzure
		at      Place
	}
	// changedPassword is a password that is not the one that the cluster was created with.
	changedPassword struct {
		admin WindowsAdmin
		at    Place
	}
	// moved is a version that an auto-upgrade channel has changed in Azure.
	moved struct{ path, configured, have, channel string }
	// reach is a cluster that was looked up, and that is asked who can connect to it.
	reach struct {
		Cluster
		inAzure InAzure
	}
)

// What the rules look at.
var (
	names      = &engine.Scope[clusterName]{Name: "names of AKS clusters"}
	nodeGroups = &engine.Scope[NodeGroup]{Name: "node resource groups of AKS clusters"}
	programs   = &engine.Scope[program]{Name: "AKS clusters"}
	creations  = &engine.Scope[creation]{Name: "AKS clusters that do not exist yet"}
	networks   = &engine.Scope[network]{Name: "networks of AKS clusters"}
	allSubnets = &engine.Scope[subnets]{Name: "subnets of AKS clusters"}
	clusters   = &engine.Scope[withWindows]{
		Name: "AKS clusters with Windows pools",
		Has:  func(c withWindows) bool { _, has := c.windowsPool(); return has },
	}
	pools        = &engine.Scope[pool]{Name: "pools of AKS"}
	windowsPools = &engine.Scope[pool]{
		Name: "Windows pools of AKS", Has: func(p pool) bool { return p.Platform.IsWindows() },
	}
	systemPools = &engine.Scope[pool]{Name: "system pools of AKS", Has: pool.isSystem}
	skus        = &engine.Scope[sku]{Name: "pools of AKS"}
	sizes       = &engine.Scope[sized]{Name: "sizes of pools of AKS"}
	admins      = &engine.Scope[WindowsAdmin]{Name: "the administrator of Windows nodes"}
	passwords   = &engine.Scope[adminPassword]{Name: "the password of the administrator of Windows nodes"}
	ranges      = &engine.Scope[authorizedRanges]{Name: "authorized IP ranges"}
	logins      = &engine.Scope[signIn]{Name: "logins of the provider"}
	otherLogins = &engine.Scope[existingSignIn]{Name: "logins to existing clusters"}
	references  = &engine.Scope[named]{Name: "IDs of resources in Azure"}
	existings   = &engine.Scope[existing]{Name: "clusters in Azure"}
	unknowns    = &engine.Scope[unknownPool]{Name: "pools in Azure"}
	allRetained = &engine.Scope[retained]{Name: "pools that keep their names in Azure"}
	takeovers   = &engine.Scope[taken]{Name: "clusters in Azure that a program takes over"}
	joinings    = &engine.Scope[joining]{Name: "pools that join a cluster in Azure"}
	allDesired  = &engine.Scope[desired]{Name: "clusters in Azure"}
	changed     = &engine.Scope[changedPassword]{Name: "the password of the administrator of Windows nodes"}
	movements   = &engine.Scope[moved]{Name: "versions of Kubernetes in Azure"}
	reachable   = &engine.Scope[reach]{Name: "who can connect to the API server"}
)
