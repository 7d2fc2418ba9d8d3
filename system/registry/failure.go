package registry

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"slices"
	"syscall"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote/transport"

	"github.com/mixedkube/mixedkube/internal/system/hosts"
)

// Kind is a kind of failure.
type Kind string

// These are the kinds of failures.
const (
	// Invalid is a reference that cannot be read.
	Invalid Kind = "invalid reference"
	// Offline is a registry that cannot be reached.
	Offline Kind = "offline"
	// TimedOut is a registry that takes too long.
	TimedOut Kind = "timed out"
	// Unavailable is a registry that is temporarily unable to answer.
	Unavailable Kind = "unavailable"
	// Refused is an image that needs credentials, or other ones.
	Refused Kind = "refused"
	// RateLimited is a registry that limits the rate of requests.
	RateLimited Kind = "rate limit"
	// Insecure is a registry that accepts, or redirects to, only connections without encryption, or leads to a host that
	// gets no requests.
	Insecure Kind = "insecure"
	// NotFound is an image that does not exist. A registry may also return this, or refuse, for an image that does.
	NotFound Kind = "not found"
	// TooLarge is an image that exceeds one of the limits of this package.
	TooLarge Kind = "too large"
	// Malformed is an answer that is not an image, or not the requested one.
	Malformed Kind = "malformed"
)

// Error is why nothing is known about an image.
type Error struct {
	// Reference is the image, as passed to [Client.LookUp].
	Reference string
	// Kind is the kind of the failure, for programs.
	Kind Kind
	// Reason is what has happened, and Fix what to do about it.
	Reason, Fix string
}

// Error returns one line, without anything that a registry has sent.
func (f *Error) Error() string {
	return fmt.Sprintf("%s: %s: %s: %s", f.Reference, f.Kind, f.Reason, f.Fix)
}

func newFailure(reference string, kind Kind, reason, fix string) *Error {
	return &Error{Reference: reference, Kind: kind, Reason: reason, Fix: fix}
}

// malformed is the mistake in an answer, in the words of this package.
type malformed struct {
	kind   Kind
	reason string
}

func (m *malformed) Error() string { return m.reason }

// classify turns an error into a failure. It does not use the text of the error: the texts of go-containerregistry
// repeat what the registry has sent.
func classify(ctx context.Context, image name.Reference, reference string, err error) *Error {
	host := image.Context().RegistryStr()
	if host == name.DefaultRegistry {
		host = "docker.io"
	}
	fail := func(kind Kind, reason, fix string) *Error { return newFailure(reference, kind, reason, fix) }
	for _, limit := range []error{errAnswer, errTotal, errRequests} {
		if errors.Is(err, limit) {
			return fail(TooLarge, limit.Error(), "use an image with fewer platforms, or one of a single platform")
		}
	}
	if m, ok := errors.AsType[*malformed](err); ok {
		return fail(m.kind, m.reason, "look at it with docker manifest inspect")
	}
	if answer, ok := errors.AsType[*transport.Error](err); ok {
		return answered(answer.StatusCode, host, fail)
	}
	if ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) {
		return fail(TimedOut, host+" takes too long", "try again, or allow more time")
	}
	if reason := forbidden(err); reason != "" {
		return fail(Insecure, host+" leads to "+reason, "use another registry, or mirror the image")
	}
	if reason := unreachable(err); reason != "" {
		return fail(Offline, host+" cannot be reached: "+reason, "check the name and the network")
	}
	if errors.Is(err, errPlain) {
		return fail(Insecure, host+" accepts, or redirects to, only connections without encryption, which are allowed "+
			"on this machine only", "give the registry a certificate")
	}
	return fail(Malformed, host+" answers with something that is not an image, or not the requested one",
		"look at it with docker manifest inspect")
}

// answered handles an answer with an HTTP status.
func answered(status int, host string, fail func(kind Kind, reason, fix string) *Error) *Error {
	reason := fmt.Sprintf("%s answers %d %s", host, status, http.StatusText(status))
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return fail(Refused, reason, "check the name, and log in: docker login "+host)
	case status == http.StatusTooManyRequests:
		return fail(RateLimited, reason, "log in with docker login "+host+", or try again later")
	case status == http.StatusNotFound:
		return fail(NotFound, reason, "check the name and the tag")
	case status >= http.StatusInternalServerError:
		return fail(Unavailable, reason, "try again later")
	default:
		return fail(Malformed, reason, "check that it is a registry of images")
	}
}

// forbidden returns to what a registry leads that gets no request, "" if the error has another cause.
func forbidden(err error) string {
	if _, ok := errors.AsType[*hosts.RefusedError](err); ok {
		return "an address of a cloud's metadata or of the local link, where no image is"
	}
	for _, refused := range []error{errLocal, errPassword} {
		if errors.Is(err, refused) {
			return refused.Error()
		}
	}
	return ""
}

// unreachable returns why there is no connection, "" if the error has another cause.
func unreachable(err error) string {
	if lookup, ok := errors.AsType[*net.DNSError](err); ok {
		if lookup.IsNotFound {
			return "there is no such host"
		}
		return "its name cannot be looked up"
	}
	if _, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
		return "its certificate is not signed by an authority that this machine trusts"
	}
	if _, ok := errors.AsType[x509.HostnameError](err); ok {
		return "its certificate is for another name"
	}
	if _, ok := errors.AsType[x509.CertificateInvalidError](err); ok {
		return "its certificate is not valid"
	}
	reasons := map[syscall.Errno]string{
		syscall.ECONNREFUSED: "the connection is refused", syscall.ECONNRESET: "the connection is cut",
		syscall.EHOSTUNREACH: "there is no route to it", syscall.ENETUNREACH: "there is no network",
	}
	for _, number := range slices.Sorted(maps.Keys(reasons)) {
		if errors.Is(err, number) {
			return reasons[number]
		}
	}
	if _, ok := errors.AsType[*net.OpError](err); ok {
		return "the connection fails"
	}
	return ""
}
