package structure

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var (
	count = flag.Int("mistakes", 2000, "how many objects with a mistake to send to the API server")
	seed  = flag.Uint64("seed", 1, "the seed of the random mistakes")
)

// place is where an object is judged: by an API server of a version with its defaults, or one that serves everything.
type place struct {
	version string
	all     bool
}

// ofLab is the API server of the lab.
var ofLab = place{version: "1.36"}

// verdict is the result for the structure of an object: why it is refused, or "" if it is not,
// and the paths.
type verdict struct {
	why string
	// fields are the paths of unknown fields.
	fields []string
	// typed is the path of a value with a wrong type, if the message has it.
	typed string
}

var (
	unknownField = regexp.MustCompile(`unknown field "((?:[^"\\]|\\.)*)"`)
	structField  = regexp.MustCompile(`into Go struct field [A-Za-z0-9]+\.(\S+) of type`)
)

// create creates an object in a dry run, as kubectl does.
func (s *server) create(t *testing.T, object map[string]any) verdict {
	t.Helper()
	kind := fmt.Sprint(object["apiVersion"], " ", object["kind"])
	path, ok := s.resources[kind]
	if !ok {
		return verdict{why: "no matches for " + kind}
	}
	text, err := json.Marshal(object)
	check(t, err)
	status, body, err := s.do(t, http.MethodPost, path+"?dryRun=All&fieldValidation=Strict", text)
	check(t, err)
	var answer struct{ Message string }
	check(t, json.Unmarshal(body, &answer))
	// If the API server can decode an object, but refuses its values, the message differs.
	if status != http.StatusBadRequest || !strings.Contains(answer.Message, "cannot be handled as a") {
		return verdict{}
	}
	return refused(answer.Message)
}

// refused returns the verdict of an error about the structure of an object.
func refused(message string) verdict {
	v := verdict{why: message}
	for _, m := range unknownField.FindAllStringSubmatch(message, -1) {
		v.fields = append(v.fields, m[1])
	}
	if m := structField.FindStringSubmatch(message); m != nil {
		v.typed = withoutEmbedded(m[1])
	}
	slices.Sort(v.fields)
	v.fields = slices.Compact(v.fields)
	return v
}

var (
	mapKey = regexp.MustCompile(`\[([^]]*[^]0-9][^]]*)\]`)
	// If a type is wrong, the API server leaves out the text in brackets.
	brackets = regexp.MustCompile(`\[[^]]*\]`)
)

// withoutEmbedded removes the names in upper case from a path: the paths of the API server also have the
// names of embedded Go types.
func withoutEmbedded(path string) string {
	return strings.Join(slices.DeleteFunc(strings.Split(path, "."), func(name string) bool {
		return name != "" && name[0] >= 'A' && name[0] <= 'Z'
	}), ".")
}

// judge returns preflight's verdict.
func (p place) judge(object map[string]any) (v verdict, typed []string) {
	var whys []string
	options := preflight.Options{KubernetesVersion: p.version}
	for _, f := range preflight.Check(tree.Map(tree.Normalize(object)), options) {
		path := mapKey.ReplaceAllString(f.Path, ".$1")
		switch f.Rule {
		case "MK104", "MK168":
		case "MK169":
			if !p.all {
				f.Severity = preflight.Error
			}
		case "MK164", "MK165":
			v.fields = append(v.fields, path)
		case "MK166", "MK167":
			typed = append(typed, withoutEmbedded(brackets.ReplaceAllString(f.Path, "")))
		default:
			continue
		}
		if f.Severity == preflight.Error {
			whys = append(whys, f.String())
		}
	}
	slices.Sort(v.fields)
	v.why = strings.Join(whys, "\n")
	return v, typed
}

// TestAPIServerRefusesTheSameObjects compares the findings of this library about the structure of objects
// with the errors of an API server.
func TestAPIServerRefusesTheSameObjects(t *testing.T) {
	t.Parallel()
	s := start(t)
	kinds := slices.Sorted(maps.Keys(s.resources))
	t.Logf("%d kinds", len(kinds))
	var turns sync.WaitGroup
	var mu sync.Mutex
	seen := map[string]int{}
	next := make(chan int)
	for range 4 {
		turns.Go(func() {
			for i := range next {
				name, got, mistaken := s.compare(t, kinds, i)
				mu.Lock()
				seen[name]++
				if got.why != "" {
					seen["refused"]++
				}
				if got.typed != "" || len(got.fields) > 0 {
					seen["with a path"]++
				}
				if !mistaken {
					seen["without a mistake"]++
				}
				mu.Unlock()
			}
		})
	}
	for i := range *count + len(kinds) {
		next <- i
	}
	close(next)
	turns.Wait()
	t.Logf("%d objects: %d without a mistake; %d refused, %d with a path", *count+len(kinds),
		seen["without a mistake"], seen["refused"], seen["with a path"])
	for _, name := range kinds {
		if seen[name] == 0 {
			t.Errorf("no object had the kind %s", name)
		}
	}
	if low := *count / 4; seen["with a path"] < low {
		t.Errorf("only %d of %d are refused with a path, want at least %d", seen["with a path"], *count, low)
	}
}

// compare compares the verdicts about one object. The first objects, one of each kind, have no mistake.
func (s *server) compare(t *testing.T, kinds []string, i int) (kind string, got verdict, mistaken bool) {
	t.Helper()
	random := rand.New(rand.NewPCG(*seed, uint64(i)))
	kind = kinds[i%len(kinds)]
	version, name, _ := strings.Cut(kind, " ")
	object, ok := (&filler{random: random}).object(t, version, name)
	if !ok {
		t.Errorf("there is no Go type for %s", kind)
		return kind, verdict{}, false
	}
	mistake := "nothing"
	if mistaken = i >= len(kinds); mistaken {
		mistake = (&mistakes{random}).make(object)
	}
	server := s.create(t, object)
	if found, differ := ofLab.differs(object, server); differ || !mistaken && server.why != "" {
		text, err := json.Marshal(object)
		check(t, err)
		t.Errorf("-seed %d, %d: %s of %s\nthe API server: %s\npreflight: %s\n%.3000s", *seed, i, mistake, kind,
			server.why, found.why, text)
	}
	return kind, server, mistaken
}

// differs compares preflight's verdict about an object with that of an API server.
func (p place) differs(object map[string]any, server verdict) (found verdict, differ bool) {
	found, typed := p.judge(object)
	differ = (server.why == "") != (found.why == "") || server.typed == "" && server.why != "" &&
		len(server.fields) > 0 && !slices.Equal(server.fields, found.fields)
	return found, differ || server.typed != "" && !slices.Contains(typed, server.typed)
}
