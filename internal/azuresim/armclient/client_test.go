package armclient_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/internal/azuresim/armclient"
)

// answers returns one error after the other, and then none.
type answers struct {
	errs     []error
	requests int
}

func (a *answers) next() error {
	a.requests++
	if a.requests > len(a.errs) {
		return nil
	}
	return a.errs[a.requests-1]
}

func (a *answers) Put(context.Context, string, arm.Body) (arm.Body, error) { return nil, a.next() }

func (a *answers) Get(context.Context, string) (arm.Body, error) { return nil, a.next() }
func (a *answers) Delete(context.Context, string) error          { return a.next() }
func (a *answers) Post(context.Context, string, string, arm.Body) (arm.Body, error) {
	return nil, a.next()
}

func TestRetriedErrors(t *testing.T) {
	t.Parallel()
	refused := func(status int, code string) error { return &arm.Error{Status: status, Code: code, Message: "m"} }
	throttled, busy := refused(429, "TooManyRequests"), refused(409, "AnotherOperationInProgress")
	for _, x := range []struct {
		name     string
		errs     []error
		requests int
		err      string
	}{
		{name: "an answer", requests: 1},
		{name: "throttled twice", errs: []error{throttled, throttled}, requests: 3},
		{
			name: "throttled for good", errs: []error{throttled, throttled, throttled, throttled, throttled},
			requests: 4,
			err:      "TooManyRequests: m",
		},
		{name: "another operation", errs: []error{busy}, requests: 2},
		{name: "a failure of Azure's own", errs: []error{refused(500, "InternalServerError")}, requests: 2},
		{
			name: "an operation that failed", errs: []error{refused(200, "InternalOperationError")}, requests: 1,
			err: "InternalOperationError: m",
		},
		{
			name: "another conflict", errs: []error{refused(409, "OperationNotAllowed")}, requests: 1,
			err: "OperationNotAllowed: m",
		},
		{name: "a refusal", errs: []error{refused(400, "InvalidParameter")}, requests: 1, err: "InvalidParameter: m"},
		{name: "something else", errs: []error{errors.New("the disk is full")}, requests: 1, err: "the disk is full"},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			for verb, ask := range map[string]func(*armclient.Client) error{
				"put":    func(a *armclient.Client) error { _, err := a.Put(t.Context(), "", nil); return err },
				"get":    func(a *armclient.Client) error { _, err := a.Get(t.Context(), ""); return err },
				"delete": func(a *armclient.Client) error { return a.Delete(t.Context(), "") },
				"post":   func(a *armclient.Client) error { _, err := a.Post(t.Context(), "", "", nil); return err },
			} {
				cloud := &answers{errs: x.errs}
				err := ask(armclient.New(cloud, 0))
				if have := message(err); have != x.err || cloud.requests != x.requests {
					t.Errorf("%s sent %d requests, want %d, and returned %q, want %q", verb, cloud.requests, x.requests,
						have, x.err)
				}
			}
		})
	}
}

// Azure's clients wait as long as its answer says
// (https://pkg.go.dev/github.com/Azure/azure-sdk-for-go/sdk/azcore/policy#RetryOptions).
func TestRetryAfterIsRespected(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for after, want := range map[time.Duration]time.Duration{0: time.Second, 5 * time.Second: 5 * time.Second} {
			began := time.Now()
			cloud := &answers{errs: []error{&arm.Error{Status: 429, Code: "Throttled", RetryAfter: after}}}
			if _, err := armclient.New(cloud, time.Second).Get(t.Context(), ""); err != nil {
				t.Error(err)
			}
			if waited := time.Since(began); waited != want {
				t.Errorf("with Retry-After %s the client waited for %s, want %s", after, waited, want)
			}
		}
	})
}

func TestWaitingEndsWithTheRequest(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	cloud := &answers{errs: []error{&arm.Error{Status: 429, Code: "TooManyRequests", Message: "m"}}}
	_, err := armclient.New(cloud, time.Hour).Get(ctx, "")
	if want := "context canceled; the last answer was TooManyRequests: m"; message(err) != want {
		t.Errorf("the error is %q, want %q", message(err), want)
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
