package registry

import (
	"cmp"
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/v1/remote"

	"github.com/mixedkube/mixedkube/components/images"
	"github.com/mixedkube/mixedkube/components/platform"
)

// The defaults of a [Client].
const (
	DefaultParallel = 8
	DefaultTimeout  = 30 * time.Second
)

// Client looks images up. The zero value has the defaults.
type Client struct {
	// Parallel is how many images are looked up at once; [DefaultParallel] if it is 0.
	Parallel int
	// Timeout is how long one image may take; [DefaultTimeout] if it is 0. The context of
	// [Client.LookUp] limits all of them together.
	Timeout time.Duration
	// Keychain has the credentials; those of docker login, or of podman login, if it is nil.
	Keychain authn.Keychain
	// Transport sends the requests; the one of go-containerregistry if it is nil, which uses the
	// proxy that the environment names. What is sent is limited in any case.
	Transport http.RoundTripper
	// Known are images that have been looked up before. One of a digest is not looked up again, and
	// one whose digest is still the same costs a request that Docker Hub does not count as a pull:
	// https://docs.docker.com/docker-hub/usage/pulls/.
	Known *images.Lock
}

// Result is what became of an image: facts or a failure.
type Result struct {
	// Reference is the image, as it was given.
	Reference string
	// Facts are nil if there is a failure.
	Facts *platform.Facts
	// Failure is nil if there are facts.
	Failure *Error
}

// LookUp looks images up, several at once, and returns the results in the order of the references.
// After each image it calls progress, if that is not nil; the calls do not overlap. When the
// context ends, the images that are left fail as timed out.
//
// A registry that limits the rate, or that cannot be reached, is not asked about the images that
// are left: they fail for the same reason.
func (c Client) LookUp(ctx context.Context, references []string, progress func(Result)) []Result {
	r := &run{client: c, stopped: map[string]*Error{}}
	results := make([]Result, len(references))
	places := make(chan int)
	var workers sync.WaitGroup
	var reporting sync.Mutex
	for range min(len(references), max(1, cmp.Or(c.Parallel, DefaultParallel))) {
		workers.Go(func() {
			for i := range places {
				results[i] = r.lookUp(ctx, references[i])
				if progress != nil {
					reporting.Lock()
					progress(results[i])
					reporting.Unlock()
				}
			}
		})
	}
	for i := range references {
		places <- i
	}
	close(places)
	workers.Wait()
	return results
}

// run is one call of LookUp.
type run struct {
	client Client

	mu sync.Mutex
	// stopped are the registries that are not asked any more, and why.
	stopped map[string]*Error
}

func (r *run) lookUp(ctx context.Context, reference string) Result {
	result := Result{Reference: reference}
	parsed, err := parse(reference)
	if err != nil {
		result.Failure = err
		return result
	}
	host := parsed.Context().RegistryStr()
	if stopped := r.stoppedBy(host); stopped != nil {
		result.Failure = newFailure(reference, stopped.Kind, stopped.Reason, stopped.Fix)
		return result
	}
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(r.client.Timeout, DefaultTimeout))
	defer cancel()
	answer := make(chan Result, 1)
	// A program that keeps credentials, and waits for its user, does not see the context.
	go func() {
		facts, err := r.client.newLookup(ctx, parsed).facts(r.client.Known.Facts(reference))
		if err != nil {
			answer <- Result{Reference: reference, Failure: classify(ctx, parsed, reference, err)}
			return
		}
		answer <- Result{Reference: reference, Facts: facts}
	}()
	select {
	case result = <-answer:
	case <-ctx.Done():
		result.Failure = classify(ctx, parsed, reference, ctx.Err())
	}
	r.stop(host, result.Failure)
	return result
}

func (r *run) stoppedBy(host string) *Error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stopped[host]
}

func (r *run) stop(host string, failure *Error) {
	if failure == nil || failure.Kind != RateLimited && failure.Kind != Offline {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stopped[host] = failure
}

// options are those of go-containerregistry.
func (c Client) options(limits *limited) []remote.Option {
	var keys authn.Keychain = authn.DefaultKeychain
	if c.Keychain != nil {
		keys = c.Keychain
	}
	return []remote.Option{
		remote.WithTransport(limits),
		remote.WithAuthFromKeychain(&keychain{Keychain: keys}),
		remote.WithUserAgent("mixedkube"),
		// A rate limit is not waited for: it is one of hours.
		remote.WithRetryStatusCodes(http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout),
		remote.WithRetryBackoff(remote.Backoff{Duration: retryAfter, Factor: 1, Steps: 2}),
	}
}

const retryAfter = 300 * time.Millisecond

// keychain does without credentials that cannot be read, as docker pull does: most images need
// none, and a registry that does refuses.
type keychain struct{ authn.Keychain }

func (k *keychain) Resolve(resource authn.Resource) (authn.Authenticator, error) {
	auth, err := k.Keychain.Resolve(resource)
	if err != nil {
		return authn.Anonymous, nil //nolint:nilerr // see above
	}
	return auth, nil
}
