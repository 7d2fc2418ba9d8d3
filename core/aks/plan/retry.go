package plan

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"regexp"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Retry determines how long to retry requests that Azure refuses while it is busy with another operation of the
// cluster: see [Retry.After].
type Retry struct {
	// Backoff is the wait before the first retry, 2 seconds by default. Each wait is twice as
	// long as the one before, up to 90 seconds. Up to half of it is taken off, another part for
	// each resource and retry, so that operations which wait together do not retry at once.
	Backoff time.Duration `pulumi:"backoff,optional"`
	// Timeout limits the sum of the waits before the retries of one operation, an hour by
	// default. An operation is retried at most 98 times.
	Timeout time.Duration `pulumi:"timeout,optional"`
}

// Validate returns what is wrong with the durations.
func (r Retry) Validate(path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if r.Backoff < 0 {
		errs = append(errs, field.Invalid(path.Child("backoff"), r.Backoff.String(), "must not be negative"))
	}
	if r.Timeout < 0 {
		errs = append(errs, field.Invalid(path.Child("timeout"), r.Timeout.String(), "must not be negative"))
	}
	return errs
}

// The bounds of all retries.
const (
	defaultBackoff = 2 * time.Second
	defaultTimeout = time.Hour
	// longestBackoff is longer on average than the minute after which AKS accepts another change of a cluster or pool,
	// when 20 have been too fast (https://learn.microsoft.com/azure/aks/quotas-skus-regions).
	longestBackoff = 90 * time.Second
	// maxRetries is one less than the number of retries after which Pulumi's engine replaces Azure's answer with an
	// error of its own (pkg/resource/deploy/retries.go).
	maxRetries = 98
)

// Failure is a failed operation, as Pulumi reports it to an error hook.
type Failure struct {
	// Resource is the URN of the resource.
	Resource string
	// Operation is create, update or delete.
	Operation string
	// Errors are the errors of all attempts, the newest first.
	Errors []string
}

// Attempt is a retry of a failed operation.
type Attempt struct {
	// Number counts the retries from 1.
	Number int
	// Backoff is how long to wait before it.
	Backoff time.Duration
	// Answer is Azure's answer without the surrounding text.
	Answer string
}

// After reports whether to retry a failed operation, and how long to wait before. It retries only the answers that mean
// that Azure is busy and that azure-native does not retry:
//
//   - OperationNotAllowed, if the message is that an operation is in progress
//     (https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/operationnotallowed-error);
//     it is also the code for an exceeded quota
//   - EtagMismatch (https://github.com/Azure/terraform-azurerm-aks/issues/604)
//   - VirtualNetworkNotInSucceededState, also as the reason of SetVNetOwnershipFailed
//     (https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/virtualnetworknotinsucceededstate-error)
//
// A creation that began and failed is not retried: azure-native would find the resource and refuse to create it, and
// Pulumi would lose it. Pulumi keeps such a resource in its state, and the next `pulumi up` updates it.
func (r Retry) After(f Failure) (Attempt, bool) {
	if len(f.Errors) == 0 || len(f.Errors) > maxRetries ||
		f.Operation == "create" && begun.MatchString(f.Errors[0]) {
		return Attempt{}, false
	}
	answer := busy(f.Errors[0])
	if answer == "" {
		return Attempt{}, false
	}
	var waited time.Duration
	for number := 1; ; number++ {
		backoff := r.backoff(f.Resource, number)
		if waited += backoff; waited > cmp.Or(r.Timeout, defaultTimeout) {
			return Attempt{}, false
		}
		if number == len(f.Errors) {
			return Attempt{Number: number, Backoff: backoff, Answer: answer}, true
		}
	}
}

// backoff returns the wait before a retry. It is reduced by up to half at random, with the same result for the same
// resource and number.
func (r Retry) backoff(resource string, number int) time.Duration {
	backoff := cmp.Or(r.Backoff, defaultBackoff)
	for ; number > 1 && backoff < longestBackoff; number-- {
		backoff *= 2
	}
	backoff = min(backoff, longestBackoff)
	chance := fnv.New32a()
	_, _ = fmt.Fprint(chance, resource, number) // never fails
	return backoff - backoff/2*time.Duration(chance.Sum32()%1000)/1000
}

// begun matches the message of Pulumi about a resource that exists and whose creation failed.
var begun = regexp.MustCompile(`^\d+ errors? occurred:`)

// passing are the answers that [Retry.After] retries, the most specific first. Azure's client, az and the inner errors
// of an answer write the code in different formats.
var passing = []struct {
	code string
	// because must match the message as well.
	because *regexp.Regexp
}{
	{"VirtualNetworkNotInSucceededState", regexp.MustCompile(`is in \w+ state`)},
	{"EtagMismatch", regexp.MustCompile(`[Aa]nother operation is in progress|[Ee]tag mismatched`)},
	{"OperationNotAllowed", regexp.MustCompile(`[Aa]nother (?:\w+ )?operation (?:\([^()]*\) )?is in progress`)},
}

// busy returns the answer in an error that means that Azure is busy, and an empty string for any other error.
func busy(text string) string {
	for _, p := range passing {
		if !strings.Contains(text, p.code) {
			continue
		}
		if because := p.because.FindString(text); because != "" {
			return p.code + ": " + because
		}
	}
	return ""
}
