package armclient

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/mixedkube/mixedkube/internal/lab/azure"
)

// Cloud is what answers: [azure.Cloud], or that of a test.
type Cloud interface {
	Put(ctx context.Context, id string, body azure.Body) (azure.Body, error)
	Get(ctx context.Context, id string) (azure.Body, error)
	Delete(ctx context.Context, id string) error
	Post(ctx context.Context, id, action string, body azure.Body) (azure.Body, error)
}

// ARM asks a cloud, and asks again where Azure's clients do.
type ARM struct {
	cloud Cloud
	delay time.Duration
}

// New asks a cloud. The delay is that before the first repetition.
func New(cloud Cloud, delay time.Duration) *ARM { return &ARM{cloud, delay} }

// Put creates or updates the resource of an ID.
func (a *ARM) Put(ctx context.Context, id string, body azure.Body) (azure.Body, error) {
	return retry(ctx, a.delay, func() (azure.Body, error) { return a.cloud.Put(ctx, id, body) })
}

// Get returns a resource.
func (a *ARM) Get(ctx context.Context, id string) (azure.Body, error) {
	return retry(ctx, a.delay, func() (azure.Body, error) { return a.cloud.Get(ctx, id) })
}

// Delete removes a resource.
func (a *ARM) Delete(ctx context.Context, id string) error {
	_, err := retry(ctx, a.delay, func() (azure.Body, error) { return nil, a.cloud.Delete(ctx, id) })
	return err
}

// Post does an action of a resource.
func (a *ARM) Post(ctx context.Context, id, action string, body azure.Body) (azure.Body, error) {
	return retry(ctx, a.delay, func() (azure.Body, error) { return a.cloud.Post(ctx, id, action, body) })
}

// attempts is that of azcore: one, and three repetitions.
const attempts = 4

func retry(ctx context.Context, delay time.Duration, ask func() (azure.Body, error)) (azure.Body, error) {
	for attempt := 1; ; attempt++ {
		answer, err := ask()
		if err == nil || attempt == attempts || !passes(err) {
			return answer, err
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("%w; the last answer was %w", ctx.Err(), err)
		case <-time.After(delay):
		}
		delay *= 2
	}
}

// operationFailed is the code of an operation that began and failed. In Azure the
// request was answered before, and only the question how it went says so.
const operationFailed = "InternalOperationError"

// IsRefused says whether Azure did not take the request at all, as far as its answer
// says: an operation that began and failed is none of these.
func IsRefused(err error) bool {
	e, ok := errors.AsType[*azure.Error](err)
	return ok && e.Code != operationFailed
}

// passes says whether azure-native takes a refusal for one that goes away: the
// statuses of azcore, and one conflict.
func passes(err error) bool {
	e, ok := errors.AsType[*azure.Error](err)
	if !ok || !IsRefused(err) {
		return false
	}
	return e.Code == "AnotherOperationInProgress" && e.Status == http.StatusConflict || slices.Contains([]int{
		http.StatusRequestTimeout, http.StatusTooManyRequests, http.StatusInternalServerError,
		http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout,
	}, e.Status)
}

// IsNotFound says whether Azure says that there is no such resource.
func IsNotFound(err error) bool {
	e, ok := errors.AsType[*azure.Error](err)
	return ok && e.Status == http.StatusNotFound
}
