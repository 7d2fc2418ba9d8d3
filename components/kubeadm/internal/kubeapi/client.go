package kubeapi

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const (
	// retryTimeout is how long a request is repeated while the server does not answer, or answers
	// that it is not ready: a load balancer sends requests to a machine that is starting or
	// restarting for some seconds.
	retryTimeout = 3 * time.Minute
	// requestTimeout is the timeout of one attempt.
	requestTimeout = 30 * time.Second

	firstPause, longestPause = 500 * time.Millisecond, 5 * time.Second

	// largestAnswer is more than the list of pods of the largest clusters needs.
	largestAnswer = 512 << 20
)

// Client sends requests to one API server, as one user. It is safe for concurrent use.
type Client struct {
	server                   *url.URL
	http                     *http.Client
	retryTimeout, firstPause time.Duration
}

// NewClient returns a client for the current context of a kubeconfig, whose user has a client
// certificate. It uses the proxy of HTTPS_PROXY and NO_PROXY.
func NewClient(kubeconfig string) (*Client, error) {
	server, config, err := parse(kubeconfig)
	if err != nil {
		return nil, err
	}
	return &Client{
		server: server, retryTimeout: retryTimeout, firstPause: firstPause,
		http: &http.Client{
			Timeout: requestTimeout,
			Transport: &http.Transport{
				Proxy: http.ProxyFromEnvironment, TLSClientConfig: config, ForceAttemptHTTP2: true,
				TLSHandshakeTimeout: requestTimeout / 2, IdleConnTimeout: time.Minute,
			},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}, nil
}

// Close closes idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Selector selects objects of a collection, as kubectl's --selector and --field-selector do. An
// empty selector selects all.
type Selector struct{ Labels, Fields string }

// Get reads an object.
func (c *Client) Get(ctx context.Context, o Object, into any) error {
	return c.do(ctx, request{verb: "get", method: http.MethodGet, object: o}, into)
}

// List reads the selected objects of a collection into a list of their kind.
func (c *Client) List(ctx context.Context, o Object, s Selector, into any) error {
	query := url.Values{}
	if s.Labels != "" {
		query.Set("labelSelector", s.Labels)
	}
	if s.Fields != "" {
		query.Set("fieldSelector", s.Fields)
	}
	return c.do(ctx, request{verb: "list", method: http.MethodGet, object: o, query: query}, into)
}

// Create creates an object. A repeated request may find that its first attempt has created it: see
// [IsAlreadyExists].
func (c *Client) Create(ctx context.Context, o Object, object any) error {
	return c.do(ctx, request{
		verb: "create", method: http.MethodPost, object: o, path: o.collection().path(), body: object,
	}, nil)
}

// Replace replaces the existing object, whatever its content is.
func (c *Client) Replace(ctx context.Context, o Object, object any) error {
	return c.do(ctx, request{verb: "replace", method: http.MethodPut, object: o, body: object}, nil)
}

// Patch applies a merge patch (RFC 7386).
func (c *Client) Patch(ctx context.Context, o Object, patch any) error {
	return c.do(ctx, request{
		verb: "patch", method: http.MethodPatch, object: o, body: patch,
		contentType: "application/merge-patch+json",
	}, nil)
}

// Delete deletes an object.
func (c *Client) Delete(ctx context.Context, o Object) error {
	return c.do(ctx, request{verb: "delete", method: http.MethodDelete, object: o}, nil)
}

// Evict evicts a pod if it still has this UID. The API server refuses while a PodDisruptionBudget
// does not allow it: see [IsTooManyRequests]
// (https://kubernetes.io/docs/concepts/scheduling-eviction/api-eviction/).
func (c *Client) Evict(ctx context.Context, pod metav1.ObjectMeta) error {
	eviction := policyv1.Eviction{
		TypeMeta:      metav1.TypeMeta{APIVersion: "policy/v1", Kind: "Eviction"},
		ObjectMeta:    metav1.ObjectMeta{Name: pod.Name, Namespace: pod.Namespace},
		DeleteOptions: &metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &pod.UID}},
	}
	return c.do(ctx, request{
		verb: "evict", method: http.MethodPost, body: eviction, waitsByItself: true,
		object: Object{
			API: "v1", Resource: "pods", Namespace: pod.Namespace, Name: pod.Name, Subresource: "eviction",
		},
	}, nil)
}

// request is a request that is repeated until it is answered.
type request struct {
	verb, method string
	object       Object
	// path defaults to the path of the object.
	path        string
	query       url.Values
	body        any
	contentType string
	// waitsByItself returns the answers 429 and 500 to the caller: for an eviction they mean that a
	// PodDisruptionBudget does not allow it, and that the pod has several budgets.
	waitsByItself bool
}

// do sends a request, and repeats it while that may help.
func (c *Client) do(ctx context.Context, r request, into any) error {
	var body []byte
	if r.body != nil {
		var err error
		if body, err = json.Marshal(r.body); err != nil {
			return fmt.Errorf("%s %s: the object cannot be written as JSON", r.verb, r.object)
		}
	}
	deadline := time.Now().Add(c.retryTimeout)
	for pause := c.firstPause; ; pause = min(2*pause, longestPause) {
		answer, err := c.once(ctx, r, body)
		if err == nil {
			if into == nil {
				return nil
			}
			if json.Unmarshal(answer, into) != nil {
				return fmt.Errorf("%s %s: the answer is not the JSON of a %T", r.verb, r.object, into)
			}
			return nil
		}
		if !r.mayHelp(err) || time.Now().Add(pause).After(deadline) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
	}
}

// once returns the answer to one attempt, or a [StatusError].
func (c *Client) once(ctx context.Context, r request, body []byte) ([]byte, error) {
	to := *c.server
	to.RawQuery = r.query.Encode()
	path := r.path
	if path == "" {
		path = r.object.path()
	}
	to = *to.JoinPath(path)
	in, err := http.NewRequestWithContext(ctx, r.method, to.String(), bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", r.verb, r.object, err)
	}
	in.Header.Set("Accept", "application/json")
	in.Header.Set("User-Agent", "mixedkube")
	if body != nil {
		in.Header.Set("Content-Type", "application/json")
	}
	if r.contentType != "" {
		in.Header.Set("Content-Type", r.contentType)
	}
	response, err := c.http.Do(in)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", r.verb, r.object, err)
	}
	defer response.Body.Close() //nolint:errcheck // it was read
	answer, err := io.ReadAll(io.LimitReader(response.Body, largestAnswer))
	if err != nil {
		return nil, fmt.Errorf("%s %s: the answer breaks off: %w", r.verb, r.object, err)
	}
	if response.StatusCode/100 != 2 {
		return nil, newStatusError(r.verb, r.object, response.StatusCode, answer)
	}
	return answer, nil
}

// mayHelp reports whether the same request may succeed a moment later.
func (r request) mayHelp(err error) bool {
	if status, ok := errors.AsType[*StatusError](err); ok {
		switch status.Code {
		case http.StatusTooManyRequests, http.StatusInternalServerError:
			return !r.waitsByItself
		case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
			return true
		default:
			return false
		}
	}
	// A TLS alert has no type of its own.
	if network, ok := errors.AsType[*net.OpError](err); ok && network.Op == "remote error" {
		return false
	}
	_, untrusted := errors.AsType[*tls.CertificateVerificationError](err)
	return !untrusted && !errors.Is(err, context.Canceled)
}
