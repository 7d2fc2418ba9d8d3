package armclient

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
)

// Cloud answers requests: [arm.Cloud] outside of tests.
type Cloud interface {
	Put(ctx context.Context, id string, body arm.Body) (arm.Body, error)
	Get(ctx context.Context, id string) (arm.Body, error)
	Delete(ctx context.Context, id string) error
	Post(ctx context.Context, id, action string, body arm.Body) (arm.Body, error)
}

// Client sends requests to a cloud, and repeats them as Azure's clients do.
type Client struct {
	cloud Cloud
	delay time.Duration
}

// New returns a client of a cloud. delay is the time before the first retry.
func New(cloud Cloud, delay time.Duration) *Client { return &Client{cloud, delay} }

// Put creates or updates the resource with an ID.
func (c *Client) Put(ctx context.Context, id string, body arm.Body) (arm.Body, error) {
	return retry(ctx, c.delay, func() (arm.Body, error) { return c.cloud.Put(ctx, id, body) })
}

// Get returns a resource.
func (c *Client) Get(ctx context.Context, id string) (arm.Body, error) {
	return retry(ctx, c.delay, func() (arm.Body, error) { return c.cloud.Get(ctx, id) })
}

// Delete removes a resource.
func (c *Client) Delete(ctx context.Context, id string) error {
	_, err := retry(ctx, c.delay, func() (arm.Body, error) { return nil, c.cloud.Delete(ctx, id) })
	return err
}

// Post runs an action of a resource.
func (c *Client) Post(ctx context.Context, id, action string, body arm.Body) (arm.Body, error) {
	return retry(ctx, c.delay, func() (arm.Body, error) { return c.cloud.Post(ctx, id, action, body) })
}

// attempts is azcore's default: one, and three retries.
const attempts = 4

func retry(ctx context.Context, delay time.Duration, ask func() (arm.Body, error)) (arm.Body, error) {
	for attempt := 1; ; attempt++ {
		answer, err := ask()
		if err == nil || attempt == attempts || !passes(err) {
			return answer, err
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("%w; the last answer was %w", ctx.Err(), err)
		case <-time.After(max(delay, retryAfter(err))):
		}
		delay *= 2
	}
}

// retryAfter returns how long Azure's answer says to wait, 0 if it does not say.
func retryAfter(err error) time.Duration {
	if e, ok := errors.AsType[*arm.Error](err); ok {
		return e.RetryAfter
	}
	return 0
}

// IsRefused reports whether Azure refused the request before doing anything. An operation that began and failed is not
// a refusal, whatever its code.
func IsRefused(err error) bool {
	e, ok := errors.AsType[*arm.Error](err)
	return ok && !e.Began()
}

// passes reports whether azure-native treats a refusal as temporary: the statuses of azcore, and one conflict.
func passes(err error) bool {
	e, ok := errors.AsType[*arm.Error](err)
	return ok && (e.Code == "AnotherOperationInProgress" && e.Status == http.StatusConflict || slices.Contains([]int{
		http.StatusRequestTimeout, http.StatusTooManyRequests, http.StatusInternalServerError,
		http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout,
	}, e.Status))
}

// IsNotFound reports whether Azure answers that a resource does not exist.
func IsNotFound(err error) bool {
	e, ok := errors.AsType[*arm.Error](err)
	return ok && e.Status == http.StatusNotFound
}
