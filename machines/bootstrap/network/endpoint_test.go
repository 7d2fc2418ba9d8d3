package network_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

func TestIsEndpoint(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]bool{
		"api.example.com:6443": true, "10.0.0.4:1": true, "a:65535": true,
		"": false, "api.example.com": false, "api.example.com:": false, ":6443": false, "a:0": false, "a:0443": false,
		"a:65536": false,
		"a:64430": true, "a:100000": false, "a:http": false, "https://a:6443": false, "A:6443": false,
		"999.1.1.1:6443": false,
		"10.0.0:6443":    false, "[::1]:6443": false, "a b:6443": false, "a:6443\n": false,
	} {
		if got := network.IsEndpoint(s); got != want {
			t.Errorf("IsEndpoint(%q) = %t", s, got)
		}
	}
}
