package hosts

import (
	"errors"
	"net/http"
	"net/url"
	"testing"
	"time"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	for address, refused := range map[string]string{
		"https://example.com/": "", "https://10.0.0.1/": "", "https://192.168.0.1:5000/": "", "https://127.0.0.1/": "",
		"https://[2001:db8::1]/": "", "https://169.254.169.254/latest": "169.254.169.254",
		"https://[::ffff:169.254.169.254]/": "169.254.169.254", "https://[fe80::1%25eth0]/": "fe80::1",
		"https://168.63.129.16:80/": "168.63.129.16",
	} {
		at, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		want := ""
		if refused != "" {
			want = "leads to " + refused + ", an address of a cloud's metadata or of the local link: use another " +
				"address"
		}
		got := ""
		if err := Check(at); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", address, got, want)
		}
	}
}

// The addresses of a name are known when the transport connects.
func TestTransport(t *testing.T) {
	t.Parallel()
	transport := Transport(http.DefaultTransport.(*http.Transport), time.Second)
	_, err := transport.DialContext(t.Context(), "tcp", "169.254.169.254:80")
	refused, ok := errors.AsType[*RefusedError](err)
	if !ok || refused.Address.String() != "169.254.169.254" {
		t.Errorf("got %v", err)
	}
}

func TestRelated(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		one, other string
		want       bool
	}{
		{"index.docker.io", "auth.docker.io", true},
		{"registry.gitlab.com", "gitlab.com", true},
		{"ghcr.io", "ghcr.io", true},
		{"GHCR.io", "ghcr.IO", true},
		{"registry.example.co.uk", "auth.example.co.uk", true},
		{"a.co.uk", "b.co.uk", false},
		{"registry.example.com", "example.org", false},
		{"one.github.io", "two.github.io", false},
		{"example.com", "example.com.evil.org", false},
		{"10.0.0.1", "10.0.0.1", true},
		{"10.0.0.1", "10.0.0.2", false},
		{"localhost", "localhost", true},
		{"registry", "other", false},
	} {
		if got := Related(tt.one, tt.other); got != tt.want {
			t.Errorf("%s and %s: %t", tt.one, tt.other, got)
		}
	}
}

func TestIsLoopback(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]bool{
		"localhost": true, "LOCALHOST": true, "127.0.0.1": true, "127.9.9.9": true, "::1": true,
		"::ffff:127.0.0.1":      true,
		"localhost.example.com": false, "10.0.0.1": false, "0.0.0.0": false, "": false,
	} {
		if got := IsLoopback(host); got != want {
			t.Errorf("%s: %t", host, got)
		}
	}
}

func TestCheckPeer(t *testing.T) {
	t.Parallel()
	for peer, refused := range map[string]bool{
		"169.254.169.254:443": true, "[fe80::1%eth0]:443": true, "168.63.129.16:443": true,
		"127.0.0.1:443": false, "10.0.0.4:443": false, "[2001:db8::1]:443": false,
	} {
		_, is := errors.AsType[*RefusedError](checkPeer("tcp", peer, nil))
		if is != refused {
			t.Errorf("%s: refused: %t", peer, is)
		}
	}
}
