package registry_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"

	"github.com/mixedkube/mixedkube/system/registry"
)

// fails compares a failure, in which HOST replaces the registry.
func fails(t *testing.T, client registry.Client, host, reference, want string) {
	t.Helper()
	result := look(t, client, reference)
	if result.Failure == nil {
		t.Fatalf("%s is %v, want %s", reference, result.Facts, want)
	}
	if got := strings.ReplaceAll(result.Failure.Error(), host, "HOST"); got != want {
		t.Errorf("the failure is\n%s\nwant\n%s", got, want)
	}
}

// answering returns a handler that answers requests for manifests, and passes the others on.
func answering(answer http.HandlerFunc) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.Contains(r.URL.Path, "/manifests/") {
				answer(w, r)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

const secret = "hunter2"

// status answers with an HTTP status, and repeats what a registry may have received.
func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(code)
		fmt.Fprintf(w, `{"errors":[{"code":"UNAUTHORIZED","message":"%s"}]}`, secret)
	}
}

func text(mediaType, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", mediaType)
		_, _ = io.WriteString(w, text)
	}
}

func TestStatusesOfAnswers(t *testing.T) {
	t.Parallel()
	for code, want := range map[int]string{
		401: "refused: HOST answers 401 Unauthorized: check the name, and log in: docker login HOST",
		403: "refused: HOST answers 403 Forbidden: check the name, and log in: docker login HOST",
		404: "not found: HOST answers 404 Not Found: check the name and the tag",
		418: "malformed: HOST answers 418 I'm a teapot: check that it is a registry of images",
		429: "rate limit: HOST answers 429 Too Many Requests: log in with docker login HOST, or try again later",
		503: "unavailable: HOST answers 503 Service Unavailable: try again later",
	} {
		t.Run(http.StatusText(code), func(t *testing.T) {
			t.Parallel()
			s := newServer(t, answering(status(code)))
			fails(t, registry.Client{}, s.host, s.host+"/a/b:c", "HOST/a/b:c: "+want)
		})
	}
}

func TestResponsesThatAreNotImages(t *testing.T) {
	t.Parallel()
	oci, docker := mediaTypes["oci"], mediaTypes["docker"]
	many := strings.TrimSuffix(strings.Repeat(fmt.Sprintf(
		`{"mediaType":%q,"digest":"sha256:%s","platform":{"os":"linux","architecture":"s390x"}},`, oci[1],
		strings.Repeat("0", 64)), registry.MaxPlatforms+1), ",")
	platform := func(platform string) string {
		return fmt.Sprintf(`{"manifests":[{"mediaType":%q,"digest":"sha256:%s","platform":%s}]}`, oci[1],
			strings.Repeat("0", 64), platform)
	}
	for name, tt := range map[string]struct {
		answer http.HandlerFunc
		want   string
	}{
		"web page": {
			text("text/html", "<html>"),
			"malformed: the answer is neither an index nor a manifest: look at it with docker manifest inspect",
		},
		"no media type": {
			text("", "{}"),
			"malformed: the answer is neither an index nor a manifest: look at it with docker manifest inspect",
		},
		"schema 1": {
			text("application/vnd.docker.distribution.manifest.v1+prettyjws", "{}"),
			"malformed: it has the format of before 2016 (schema 1), which container runtimes do not pull: " +
				"look at it with docker manifest inspect",
		},
		"index of another type": {
			text(oci[0], `{"manifests": "all"}`),
			"malformed: the index is not valid JSON of its kind: look at it with docker manifest inspect",
		},
		"manifest of another type": {
			text(docker[1], `[]`),
			"malformed: the manifest is not valid JSON of its kind: look at it with docker manifest inspect",
		},
		"empty index": {
			text(oci[0], `{}`),
			"malformed: the index has no image: look at it with docker manifest inspect",
		},
		"digest with a line break": {
			text(oci[0], fmt.Sprintf(`{"manifests":[{"mediaType":%q,"digest":"sha256:0\n"}]}`, oci[1])),
			"malformed: the index names a manifest without a valid digest: look at it with docker manifest inspect",
		},
		"platform with an escape": {
			text(oci[0], platform(`{"os":"linux\u001b[2J","architecture":"amd64"}`)),
			"malformed: it names no platform such as linux and amd64: it may not be a container image: " +
				"look at it with docker manifest inspect",
		},
		"layer of a negative size": {
			text(oci[1], `{"layers":[{"size":-1}]}`),
			"malformed: a layer has -1 bytes: look at it with docker manifest inspect",
		},
		"no configuration": {
			text(oci[1], `{}`),
			"malformed: the manifest names no configuration: look at it with docker manifest inspect",
		},
		"huge configuration": {
			text(oci[1], `{"config":{"size":5000000,"digest":"sha256:`+strings.Repeat("0", 64)+`"}}`),
			"too large: an answer of more than 4 MiB: use an image with fewer platforms, or one of a single platform",
		},
		"many platforms": {
			text(oci[0], `{"manifests":[`+many+`]}`),
			"too large: more than 100 platforms: look at it with docker manifest inspect",
		},
		"endless index": {
			func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", oci[0])
				for {
					if _, err := w.Write(make([]byte, 1<<16)); err != nil {
						return
					}
				}
			},
			"too large: an answer of more than 4 MiB: use an image with fewer platforms, or one of a single platform",
		},
		"endless redirection": {
			func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) },
			"malformed: HOST answers with something that is not an image, or not the requested one: look at " +
				"it with docker manifest inspect",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, answering(tt.answer))
			fails(t, registry.Client{}, s.host, s.host+"/a/b:c", "HOST/a/b:c: "+tt.want)
		})
	}
}

// A manifest that an index names by digest must have that digest.
func TestManifestMustMatchTheDigestOfTheIndex(t *testing.T) {
	t.Parallel()
	var other []byte
	s := newServer(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.Contains(r.URL.Path, "/manifests/sha256:") {
				w.Header().Set("Content-Type", mediaTypes["oci"][1])
				_, _ = w.Write(other)
				return
			}
			next.ServeHTTP(w, r)
		})
	})
	other = []byte(`{"schemaVersion":2}`)
	reference := s.image("swapped", readFixture(t, "servercore"))
	fails(t, registry.Client{}, s.host, reference, "HOST/swapped:tag: malformed: HOST answers with something that is "+
		"not an image, or not the requested one: look at it with docker manifest inspect")
}

// The index and the digest determine the manifest, whatever the registry calls it.
func TestAManifestUnderAnotherMediaType(t *testing.T) {
	t.Parallel()
	s := newServer(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !strings.Contains(r.URL.Path, "/manifests/sha256:") {
				next.ServeHTTP(w, r)
				return
			}
			recorded := httptest.NewRecorder()
			next.ServeHTTP(recorded, r)
			w.Header().Set("Content-Type", mediaTypes["docker"][0])
			_, _ = w.Write(recorded.Body.Bytes())
		})
	})
	got := described(facts(t, registry.Client{}, s.image("called", readFixture(t, "servercore"))))
	if want := "windows/amd64 10.0.20348.230 [2 1] bytes 3"; len(got) != 1 || got[0] != want {
		t.Errorf("it is %q, want %s", got, want)
	}
}

// A configuration that a manifest names must have its digest as well.
func TestConfigurationMustMatchTheDigestOfTheManifest(t *testing.T) {
	t.Parallel()
	s := newServer(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.Contains(r.URL.Path, "/blobs/") {
				_, _ = io.WriteString(w, `{"os":"linux","architecture":"amd64"}`)
				return
			}
			next.ServeHTTP(w, r)
		})
	})
	reference := s.image("configured", readFixture(t, "servercore"))
	fails(t, registry.Client{}, s.host, reference, "HOST/configured:tag: malformed: HOST answers with something that "+
		"is not an image, or not the requested one: look at it with docker manifest inspect")
}

func TestTextsOfAConfigurationAreLimited(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	s.one("texts", "tag", "oci", made{
		OS: "linux", Architecture: "amd64",
		Entrypoint: []string{strings.Repeat("a", 10<<10)}, Command: []string{strings.Repeat("b", 7<<10)},
	})
	fails(t, registry.Client{}, s.host, s.host+"/texts:tag", "HOST/texts:tag: too large: user, entrypoint and command "+
		"of more than 16 KiB: look at it with docker manifest inspect")
}

// The size of all answers together is limited as well.
func TestAnswersAreLimitedTogether(t *testing.T) {
	t.Parallel()
	large := []byte(`{"schemaVersion":2` + strings.Repeat(" ", registry.MaxAnswer-100) + "}")
	var served atomic.Int64
	s := newServer(t, answering(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", mediaTypes["oci"][0])
		if strings.HasSuffix(r.URL.Path, "/tag") {
			index := object{"mediaType": mediaTypes["oci"][0], "digest": digestOf(large)}
			var twenty []object
			for range 20 {
				twenty = append(twenty, index)
			}
			_, _ = w.Write(asJSON(t, object{"manifests": twenty}))
			return
		}
		served.Add(1)
		_, _ = w.Write(large)
	}))
	fails(t, registry.Client{}, s.host, s.host+"/bombs:tag", "HOST/bombs:tag: too large: answers of more than 32 MiB "+
		"together: use an image with fewer platforms, or one of a single platform")
	if served.Load() != 8 {
		t.Errorf("%d documents of 4 MiB have been read, want 8", served.Load())
	}
}

func TestInvalidReferences(t *testing.T) {
	t.Parallel()
	for _, reference := range []string{"", "UPPER", "a b", "nginx@sha256:short", "https://example.com/a"} {
		fails(t, registry.Client{}, "\x00", reference,
			reference+": invalid reference: it is not an image reference: write one such as nginx:1.27")
	}
}

func TestOffline(t *testing.T) {
	t.Parallel()
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	host := strings.TrimPrefix(closed.URL, "http://")
	fails(t, registry.Client{}, host, host+"/aa:b", "HOST/aa:b: offline: HOST cannot be reached: the connection is "+
		"refused: check the name and the network")
	unknown := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		return nil, &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: secret, IsNotFound: true}}
	}}
	fails(t, registry.Client{Transport: unknown}, "\x00", "nginx:1.27", "nginx:1.27: offline: docker.io cannot be "+
		"reached: there is no such host: check the name and the network")
}

// A registry that cannot be reached gets no request about the next image.
func TestOfflineStopsTheRegistry(t *testing.T) {
	t.Parallel()
	var tried atomic.Int64
	none := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		tried.Add(1)
		return nil, &net.OpError{Op: "dial", Err: syscall.ENETUNREACH}
	}}
	client := registry.Client{Transport: none, Parallel: 1}
	results := client.LookUp(t.Context(),
		[]string{"nginx:1.27", "busybox", "mcr.microsoft.com/windows/nanoserver:1809"}, nil)
	for i, want := range []string{
		"nginx:1.27: offline: docker.io", "busybox: offline: docker.io",
		"mcr.microsoft.com/windows/nanoserver:1809: offline: mcr.microsoft.com",
	} {
		want += " cannot be reached: there is no network: check the name and the network"
		if got := fmt.Sprint(results[i].Failure); got != want {
			t.Errorf("it is %s, want %s", got, want)
		}
	}
	if tried.Load() != 2 {
		t.Errorf("%d connections were tried, want one for each registry", tried.Load())
	}
}

// One image that takes long does not keep the others from being looked up.
func TestTimeLimits(t *testing.T) {
	t.Parallel()
	s := newServer(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.Contains(r.URL.Path, "/slow/manifests/") {
				<-r.Context().Done()
				return
			}
			next.ServeHTTP(w, r)
		})
	})
	fast := s.image("fast", readFixture(t, "pause"))
	slow := s.host + "/slow:tag"
	want := "HOST/slow:tag: timed out: HOST takes too long: try again, or allow more time"
	begin := time.Now()
	results := registry.Client{Timeout: time.Second, Parallel: 1}.LookUp(t.Context(), []string{slow, fast}, nil)
	if took := time.Since(begin); took > registry.DefaultTimeout/2 {
		t.Errorf("both took %s with a time limit of a second", took)
	}
	if got := strings.ReplaceAll(fmt.Sprint(results[0].Failure), s.host, "HOST"); got != want {
		t.Errorf("the slow one is %s, want %s", got, want)
	}
	if results[1].Facts == nil {
		t.Errorf("the fast one is %v", results[1].Failure)
	}
	// The context limits all of them together, even before they begin.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, result := range (registry.Client{}).LookUp(ctx, []string{slow, fast}, nil) {
		if result.Failure == nil || result.Failure.Kind != registry.TimedOut {
			t.Errorf("after the end it is %+v", result)
		}
	}
}

// keys are credentials for every registry.
type keys struct{ authn.AuthConfig }

func (k keys) Resolve(authn.Resource) (authn.Authenticator, error) {
	return authn.FromConfig(k.AuthConfig), nil
}

var password = registry.Client{Keychain: keys{authn.AuthConfig{Username: "me", Password: secret}}}

// A program that stores credentials may wait for its user, who is absent.
func TestTheTimeLimitHoldsForCredentials(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	client := registry.Client{Timeout: 100 * time.Millisecond, Keychain: waiting(release)}
	fails(t, client, s.host, s.host+"/aa:b", "HOST/aa:b: timed out: HOST takes too long: try again, or allow more time")
}

type waiting chan struct{}

func (w waiting) Resolve(authn.Resource) (authn.Authenticator, error) {
	<-w
	return authn.Anonymous, nil
}

// Credentials that cannot be read are left out: most images need none.
func TestCredentialsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	reference := s.image("public", readFixture(t, "pause"))
	client := registry.Client{Keychain: broken{}}
	if got := described(facts(t, client, reference)); len(got) != 2 {
		t.Errorf("it is %q", got)
	}
}

type broken struct{}

func (broken) Resolve(authn.Resource) (authn.Authenticator, error) {
	return nil, fmt.Errorf("docker-credential-desktop does not exist: %s", secret)
}
