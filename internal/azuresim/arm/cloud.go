package arm

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/mixedkube/mixedkube/components/topology"
)

// Cloud is a simulated Azure with one subscription. Several processes may use one
// folder at a time: each request is alone.
type Cloud struct {
	dir     string
	options Options
	// turn keeps goroutines apart, and the lock on the folder processes.
	turn chan struct{}
}

// Options are what a cloud needs from the world around it.
type Options struct {
	// Nodes makes the nodes those of the pools, all of them, of all clusters: called
	// in each request that changes pools, before it ends. nil makes none.
	Nodes func(context.Context, []Pool) error
	// Kubeconfig is what every cluster answers for its credentials.
	Kubeconfig func() ([]byte, error)
	// Reservation is how long the network interfaces of a machine whose creation failed
	// are kept for it: no other machine can have them, and they cannot be deleted. Azure
	// keeps them 180 seconds. 0 keeps none.
	Reservation time.Duration
	// Join makes a machine a node, within the request that makes it run kubeadm. It may
	// be called again for a machine that it has joined: the process may have ended
	// before the request. nil lets every machine join, and makes nothing.
	Join func(context.Context, Join) error
	// Gone hears of the nodes with these names that their machines are gone, and is called
	// again if it fails. nil hears of none.
	Gone func(ctx context.Context, nodeNames []string) error
	// Operation is how long an operation on a cluster or one of its pools takes. Other
	// changes of that cluster are refused meanwhile. 0 is no time at all.
	Operation time.Duration
	// Features are those that the subscription has registered for. Only
	// [FeatureEncryptionAtHost] matters.
	Features []string
}

// Pool is a pool whose nodes there are.
type Pool struct {
	// Cluster is the ID of the cluster.
	Cluster string
	// Pool describes the nodes as they register: with the labels and taints that
	// AKS gives them. Its name is that in Azure.
	Pool topology.Pool
}

// Body is a resource as the REST API has it: name, location, tags, properties and so
// on, decoded from JSON.
type Body = map[string]any

// Error is Azure's answer to a request that it refuses, or to the question how an
// operation went that failed.
type Error struct {
	// Status is the HTTP status. That of an operation that failed is 200, see
	// [Error.Began].
	Status int
	// Code, Message and Target are those of Azure's error body.
	Code, Message, Target string
	// RetryAfter is the header of this name; 0 if there is none.
	RetryAfter time.Duration
}

// Error is as azure-native prints it.
func (e *Error) Error() string { return e.Code + ": " + e.Message }

// Open is the cloud whose state is in a folder, which is made if it is not there.
func Open(dir string, o Options) (*Cloud, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	c := &Cloud{dir: dir, options: o, turn: make(chan struct{}, 1)}
	// A state that cannot be read is better known now.
	return c, locked(dir, func() error {
		_, err := readState(c.stateFile())
		return err
	})
}

// Put creates or updates the resource of an ID, and returns it as it is then.
func (c *Cloud) Put(ctx context.Context, id string, body Body) (Body, error) {
	var answer Body
	err := c.change(ctx, http.MethodPut, id, func(r *request) error {
		if err := r.checkAround(); err != nil {
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
	return answer, nil
}

// Get returns a resource.
func (c *Cloud) Get(ctx context.Context, id string) (Body, error) {
	var answer Body
	err := c.read(ctx, http.MethodGet, id, func(r *request) error {
		found, err := r.find()
		if err == nil {
			answer = r.view(found)
		}
		return err
	})
	return answer, err
}

// Delete removes a resource and what is below it. One that is not there is no error.
func (c *Cloud) Delete(ctx context.Context, id string) error {
	return c.change(ctx, http.MethodDelete, id, func(r *request) error {
		found := r.state.get(id)
		if found == nil {
			return nil
		}
		if mayGo := rulesOf(r.id.kind).remove; mayGo != nil {
			if err := mayGo(r, found); err != nil {
				return err
			}
		}
		r.changesPools = r.changesPools || len(r.state.below(id, kindPool)) > 0
		r.removeMachines(id)
		r.state.remove(id)
		return nil
	})
}

// Post does an action of a resource, listClusterUserCredential for example.
func (c *Cloud) Post(ctx context.Context, id, action string, _ Body) (Body, error) {
	var answer Body
	err := c.read(ctx, http.MethodPost, id, func(r *request) error {
		found, err := r.find()
		if err == nil {
			answer, err = r.credentials(found, action)
		}
		return err
	})
	return answer, err
}

// Pools are the pools of all clusters, as their nodes register.
func (c *Cloud) Pools(ctx context.Context) ([]Pool, error) {
	var pools []Pool
	err := c.look(ctx, func(s *state) error {
		pools = nodePools(s)
		return nil
	})
	return pools, err
}

// look reads the state, as no request does that faults befall.
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

// lock waits for the turn of a request.
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
