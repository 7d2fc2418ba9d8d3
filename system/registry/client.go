package registry

import (
	"cmp"
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/v1/remote"

	"github.com/mixedkube/mixedkube/core/images"
	"github.com/mixedkube/mixedkube/core/platform"
)

// These are the defaults of a [Client].
const (
	DefaultParallel = 8
	DefaultTimeout  = 30 * time.Second
)

// Client looks up images. The zero value has the defaults.
type Client struct {
	// Parallel is how many images are looked up at once. If it is 0, it is [DefaultParallel].
	Parallel int
	// Timeout is the timeout for one image. If it is 0, it is [DefaultTimeout]. The context of [Client.LookUp] limits
	// all of them together.
	Timeout time.Duration
	// Keychain has the credentials. If it is nil, they are those of docker login, or of podman login.
	Keychain authn.Keychain
	// Transport sends the requests. If it is nil, it is the one of go-containerregistry, which uses the proxy from the
	// environment. The number and size of answers are limited in any case.
	Transport http.RoundTripper
	// Known are images that have been looked up before. An image with a digest is not looked up again. An image whose
	// digest has not changed costs one request that Docker Hub does not count as a pull:
	// https://docs.docker.com/docker-hub/usage/pulls/.
	Known *images.Lock
}

// Result is the result for an image: facts or a failure.
type Result struct {
	// Reference is the image, as passed to [Client.LookUp].
	Reference string
	// Facts are nil if there is a failure.
	Facts *platform.Facts
	// Failure is nil if there are facts.
	Failure *Error
}

// LookUp looks up images, several at once, and returns the results in the order of the references. After each image it
// calls progress, if that is not nil; the calls do not overlap. When the context ends, the remaining images fail as
// timed out.
//
// If a registry limits the rate, or cannot be reached, LookUp sends it no requests about the remaining images: they
// fail for the same reason.
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
	// stopped are the registries that no longer get requests, each with the reason.
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
	// A program that stores credentials, and waits for its user, does not see the context.
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

// options returns the options of go-containerregistry.
func (c Client) options(limits *limited) []remote.Option {
	var keys authn.Keychain = authn.DefaultKeychain
	if c.Keychain != nil {
		keys = c.Keychain
	}
	return []remote.Option{
		remote.WithTransport(limits),
		remote.WithAuthFromKeychain(&keychain{Keychain: keys}),
		remote.WithUserAgent("mixedkube"),
		// A rate limit lasts for hours, so it is not retried.
		remote.WithRetryStatusCodes(http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout),
		remote.WithRetryBackoff(remote.Backoff{Duration: retryAfter, Factor: 1, Steps: 2}),
	}
}

const retryAfter = 300 * time.Millisecond

// keychain ignores credentials that cannot be read, as docker pull does: most images need none, and a registry that
// does need them refuses the request.
type keychain struct{ authn.Keychain }

func (k *keychain) Resolve(resource authn.Resource) (authn.Authenticator, error) {
	auth, err := k.Keychain.Resolve(resource)
	if err != nil {
		return authn.Anonymous, nil //nolint:nilerr // see above
	}
	return auth, nil
}
