package registry

import (
	"errors"
	"net/http"
	"testing"

	"github.com/mixedkube/mixedkube/internal/system/hosts"
)

// The address of a host with a name is known when the transport connects.
func TestTheDefaultTransportChecksAddresses(t *testing.T) {
	t.Parallel()
	transport, ok := guarded().(*http.Transport)
	if !ok {
		t.Fatalf("it is a %T", guarded())
	}
	_, err := transport.DialContext(t.Context(), "tcp", "169.254.169.254:443")
	if _, refused := errors.AsType[*hosts.RefusedError](err); !refused {
		t.Errorf("got %v", err)
	}
}
