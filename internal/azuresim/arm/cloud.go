package arm

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/system/clock"
)

// Cloud is a simulated Azure with one subscription. Several processes may use one directory at a time: requests exclude
// each other.
type Cloud struct {
	dir     string
	options Options
	// turn excludes goroutines of this process, and the lock on the directory excludes other processes.
	turn chan struct{}
}

// Options connect a cloud with the cluster that simulates Azure's, and set its delays and features.
type Options struct {
	// Nodes reconciles the nodes of all clusters with the pools. It is called in each request that changes pools,
	// before the request ends. With nil there are no nodes.
	Nodes func(context.Context, []Pool) error
	// Roll replaces and removes nodes of one pool as AKS does, until they match the pool: one after the other, and only
	// when their pods have left, with a [*DrainError] if they do not. It runs without the lock of the state, and again
	// if its process has ended before. With nil all nodes change at once, in Nodes.
	Roll func(context.Context, Pool) error
	// Worker runs [Cloud.RunSteps] in another process, which continues if this one ends. With nil it runs in this one.
	Worker func(ctx context.Context, steps int) error
	// Minute is how long a minute of Azure takes in drain timeouts and soak durations.
	Minute time.Duration
	// Kubeconfig returns the credentials that every cluster answers with.
	Kubeconfig func() ([]byte, error)
	// Reservation is how long the network interfaces of a machine whose creation failed are reserved for it: no other
	// machine can use them, and they cannot be deleted. In Azure it is 180 seconds. 0 reserves none.
	Reservation time.Duration
	// Join makes a machine a node, within the request that makes it run kubeadm. It may be called again for a machine
	// that has joined already, because the process may have ended before the request. With nil every machine joins, and
	// there are no nodes.
	Join func(context.Context, Join) error
	// NodesDeleted is called with the names of nodes whose machines were deleted, and again if it fails. nil ignores
	// them.
	NodesDeleted func(ctx context.Context, nodeNames []string) error
	// Operation is how long an operation on a cluster or one of its pools takes. Other changes of that cluster are
	// refused meanwhile. The default is 0.
	Operation time.Duration
	// Features are the features that the subscription has registered for, in addition to those that requests register.
	// Only [FeatureEncryptionAtHost] and [FeatureResize] matter.
	Features []string
	// WindowsUpgrade gives the subscription the preview that makes pools of Windows Server 2022 to pools of 2025. Azure
	// has not published the name of its feature.
	WindowsUpgrade bool
	// Today returns the day that ends of support are compared with. With nil it is [clock.Today].
	Today func() time.Time
}

// Pool is a pool that has nodes.
type Pool struct {
	// Cluster is the ID of the cluster.
	Cluster string
	// Pool describes the nodes as they register: with the labels and taints that AKS adds. Its name is the name of the
	// pool in Azure.
	Pool topology.Pool
	// Machine differs if nodes need to be replaced, and Upgrade is how.
	Machine string
	Upgrade Upgrade
	// Stopped is true if the machines are stopped, and Deleting if the pool is about to be deleted: all nodes leave.
	Stopped, Deleting bool
	// Rolling is true while [Options.Roll] runs for the pool: nothing else changes its nodes.
	Rolling bool
	// IgnoreBudgets deletes pods instead of evicting them.
	IgnoreBudgets bool
	// Minute is [Options.Minute].
	Minute time.Duration
}

// Body is a resource in the form of the REST API: name, location, tags, properties and so on, decoded from JSON.
type Body = map[string]any

// Error is Azure's answer to a request that it refuses, or the result of an operation that failed.
type Error struct {
	// Status is the HTTP status. It is 200 for an operation that failed, see [Error.Began].
	Status int
	// Code, Message and Target are the fields of Azure's error body.
	Code, Message, Target string
	// RetryAfter is the value of the header Retry-After, 0 if there is none.
	RetryAfter time.Duration
}

// Error returns the text that azure-native prints.
func (e *Error) Error() string { return e.Code + ": " + e.Message }

// Open opens the cloud whose state is in a directory. It creates the directory if it does not exist.
func Open(dir string, o Options) (*Cloud, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	c := &Cloud{dir: dir, options: o, turn: make(chan struct{}, 1)}
	// Fail now if the state cannot be read.
	return c, locked(dir, func() error {
		_, err := readState(c.stateFile())
		return err
	})
}

// today returns the day that ends of support are compared with.
func (c *Cloud) today() time.Time {
	if c.options.Today != nil {
		return c.options.Today()
	}
	return clock.Today()
}

// Put creates or updates the resource with an ID, and returns the result. The ID may have parameters as in a URL, such
// as "?api-version=2026-01-02-preview".
func (c *Cloud) Put(ctx context.Context, id string, body Body) (Body, error) {
	var answer Body
	var sentBy *request
	err := c.change(ctx, http.MethodPut, id, func(r *request) error {
		sentBy = r
		if err := r.checkGroupAndParent(); err != nil {
			return err
		}
		sent, err := r.checked(body)
		if err != nil {
			return err
		}
		stored, err := rulesOf(r.id.kind).put(r, sent)
		if err != nil {
			return err
		}
		answer = r.view(stored)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if sentBy.steps != 0 {
		return answer, c.look(ctx, func(s *state) error {
			sentBy.state = s
			if stored := s.get(sentBy.id.text); stored != nil {
				answer = sentBy.view(stored)
			}
			return nil
		})
	}
	return answer, nil
}

// Get returns a resource.
func (c *Cloud) Get(ctx context.Context, id string) (Body, error) {
	var answer Body
	err := c.read(ctx, http.MethodGet, id, func(r *request) (err error) {
		if r.id.kind == kindFeature {
			answer, err = r.feature()
			return err
		}
		found, err := r.find()
		if err == nil {
			answer = r.view(found)
		}
		return err
	})
	return answer, err
}

// Delete removes a resource and everything below it. It succeeds if the resource does not exist, unless it is a group.
func (c *Cloud) Delete(ctx context.Context, id string) error {
	return c.change(ctx, http.MethodDelete, id, func(r *request) error {
		id := r.id.text
		found := r.state.get(id)
		switch {
		case found == nil && r.id.kind == kindGroup:
			return noGroup(r.id.name())
		case found == nil:
			return nil
		}
		if mayGo := rulesOf(r.id.kind).remove; mayGo != nil {
			if err := mayGo(r, found); err != nil {
				return err
			}
		}
		if r.deletesPool() {
			found.properties()["provisioningState"] = "Deleting"
			r.rolled = []string{found.ID}
			return nil
		}
		r.changesPools = r.changesPools || len(r.state.below(id, kindPool)) > 0
		r.removeMachines(id)
		r.state.remove(id)
		return nil
	})
}

// Post runs an action of a resource, listClusterUserCredential for example.
func (c *Cloud) Post(ctx context.Context, id, action string, _ Body) (Body, error) {
	var answer Body
	err := c.read(ctx, http.MethodPost, id, func(r *request) (err error) {
		if r.id.kind == kindFeature && action == "register" {
			answer, err = r.register()
			return err
		}
		found, err := r.find()
		if err == nil {
			answer, err = r.credentials(found, action)
		}
		return err
	})
	return answer, err
}

// Pools returns the pools of all clusters, as their nodes register.
func (c *Cloud) Pools(ctx context.Context) ([]Pool, error) {
	var pools []Pool
	err := c.look(ctx, func(s *state) error {
		pools = nodePools(s)
		return nil
	})
	return pools, err
}

// look reads the state. It is not a request, so that no faults apply.
func (c *Cloud) look(ctx context.Context, do func(*state) error) error {
	unlock, err := c.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	s, err := readState(c.stateFile())
	if err != nil {
		return err
	}
	return do(s)
}

// lock waits until no other request runs.
func (c *Cloud) lock(ctx context.Context) (unlock func(), err error) {
	select {
	case c.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	lock := flock.New(lockFile(c.dir))
	if _, err := lock.TryLockContext(ctx, 2*time.Millisecond); err != nil {
		<-c.turn
		return nil, err
	}
	return func() {
		_ = lock.Close()
		<-c.turn
	}, nil
}

func (c *Cloud) stateFile() string { return filepath.Join(c.dir, "state.json") }

// stepsFile is locked by the process that runs the steps of an operation on a cluster.
func (c *Cloud) stepsFile(cluster string) string {
	return filepath.Join(c.dir, "steps-"+uuidOf(cluster))
}
