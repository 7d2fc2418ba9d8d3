package platform_test

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
)

func TestNormalizeReference(t *testing.T) {
	t.Parallel()
	digest := "@sha256:" + strings.Repeat("0", 64)
	for reference, want := range map[string]string{
		"nginx":                                "docker.io/library/nginx:latest",
		"nginx:1.27":                           "docker.io/library/nginx:1.27",
		"index.docker.io/library/nginx:1.27":   "docker.io/library/nginx:1.27",
		"docker.io/nginx:1.27" + digest:        "docker.io/library/nginx" + digest,
		"grafana/loki":                         "docker.io/grafana/loki:latest",
		"MCR.microsoft.com/windows/nanoserver": "mcr.microsoft.com/windows/nanoserver:latest",
		"localhost:5000/a/b":                   "localhost:5000/a/b:latest",
		"[::1]:5000/a:b":                       "[::1]:5000/a:b",
		"":                                     "",
		"Nginx":                                "",
		"nginx:":                               "",
		"nginx@sha256:0":                       "",
	} {
		if got, ok := platform.NormalizeReference(reference); got != want || ok != (want != "") {
			t.Errorf("NormalizeReference(%q) = %q, %t, want %q", reference, got, ok, want)
		}
		// A normalized reference stays unchanged.
		if again, _ := platform.NormalizeReference(want); again != want {
			t.Errorf("NormalizeReference(%q) = %q", want, again)
		}
	}
}
