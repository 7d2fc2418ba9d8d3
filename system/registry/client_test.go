package registry_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/images"
	"github.com/mixedkube/mixedkube/system/registry"
)

// The results are in the order of the references, and no more images are looked up at once than configured.
func TestParallel(t *testing.T) {
	t.Parallel()
	var now, most, requests atomic.Int64
	s := newServer(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !strings.Contains(r.URL.Path, "/manifests/tag") {
				next.ServeHTTP(w, r)
				return
			}
			requests.Add(1)
			n := now.Add(1)
			for at := most.Load(); n > at && !most.CompareAndSwap(at, n); at = most.Load() {
			}
			time.Sleep(20 * time.Millisecond)
			now.Add(-1)
			next.ServeHTTP(w, r)
		})
	})
	var references, progress []string
	for i := range 12 {
		references = append(references, s.image(fmt.Sprintf("image%d", i), readFixture(t, "servercore")))
	}
	results := registry.Client{Parallel: 3}.LookUp(t.Context(), references, func(r registry.Result) {
		progress = append(progress, r.Reference) // the race detector sees calls that overlap
	})
	for i, r := range results {
		if r.Reference != references[i] || r.Facts == nil {
			t.Errorf("the result %d is %+v, want facts of %s", i, r, references[i])
		}
	}
	if most.Load() != 3 || requests.Load() != 12 || len(progress) != 12 {
		t.Errorf("%d at once, %d requests, %d notified, want 3, 12 and 12", most.Load(), requests.Load(), len(progress))
	}
}

// After a rate limit, a registry gets no more requests.
func TestARateLimitStopsTheRegistry(t *testing.T) {
	t.Parallel()
	var requests atomic.Int64
	s := newServer(t, answering(func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		w.WriteHeader(http.StatusTooManyRequests)
	}))
	other := newServer(t, nil)
	free := other.image("free", readFixture(t, "pause"))
	results := registry.Client{Parallel: 1}.LookUp(t.Context(),
		[]string{s.host + "/aa:b", s.host + "/cc:d", s.host + "/ee:f", free}, nil)
	for _, r := range results[:3] {
		want := r.Reference + ": rate limit: " + s.host + " answers 429 Too Many Requests: log in with docker login " +
			s.host + ", or try again later"
		if r.Failure == nil || r.Failure.Error() != want {
			t.Errorf("it is %v, want %s", r.Failure, want)
		}
	}
	if requests.Load() != 1 || results[3].Facts == nil {
		t.Errorf("it got %d requests, want one; the other registry returns %v", requests.Load(), results[3].Failure)
	}
}

// A known image that has not changed costs a request without a body, or none.
func TestKnownImages(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var requests []string
	s := newServer(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.Contains(r.URL.Path, "/manifests/") {
				mu.Lock()
				requests = append(requests, r.Method+" "+r.URL.Path)
				mu.Unlock()
			}
			next.ServeHTTP(w, r)
		})
	})
	tag := s.image("known", readFixture(t, "servercore"))
	first := facts(t, registry.Client{}, tag)
	pinned := s.host + "/known@" + first.Digest
	lock := &images.Lock{}
	for _, reference := range []string{tag, pinned} {
		if err := lock.Set(reference, first); err != nil {
			t.Fatal(err)
		}
	}
	client := registry.Client{Known: lock}
	for _, step := range []struct {
		reference string
		want      []string
	}{{tag, []string{"HEAD /v2/known/manifests/tag"}}, {pinned, nil}} {
		mu.Lock()
		requests = nil
		mu.Unlock()
		if got := facts(t, client, step.reference); got != first {
			t.Errorf("%s has been looked up again", step.reference)
		}
		mu.Lock()
		if diff := cmp.Diff(step.want, requests); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.reference, diff)
		}
		mu.Unlock()
	}
	s.image("known", readFixture(t, "pause"))
	if got := described(facts(t, client, tag)); len(got) != 2 {
		t.Errorf("what has changed is %q", got)
	}
}
