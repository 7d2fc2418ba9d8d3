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

	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/internal/tree"
)

var (
	count = flag.Int("mistakes", 2000, "how many mistakes the API server is asked about")
	seed  = flag.Uint64("seed", 1, "what they begin with")
)

// version is that of the lab's API server.
const version = "1.36"

// verdict is what is said about the structure of an object: why it is refused, "" if it is not,
// and the paths.
type verdict struct {
	why string
	// fields are the paths of fields that there are not.
	fields []string
	// typed is the path of a value of a wrong type, as far as it is said.
	typed string
}

var (
	unknownField = regexp.MustCompile(`unknown field "((?:[^"\\]|\\.)*)"`)
	structField  = regexp.MustCompile(`into Go struct field [A-Za-z0-9]+\.(\S+) of type`)
)

// ask creates an object in a dry run, as kubectl does.
func (s *server) ask(t *testing.T, object map[string]any) verdict {
	t.Helper()
	kind := fmt.Sprint(object["apiVersion"], " ", object["kind"])
	path, ok := s.resources[kind]
	if !ok {
		return verdict{why: "no matches for " + kind}
	}
	text, err := json.Marshal(object)
	check(t, err)
	status, answer, err := s.do(t, http.MethodPost, path+"?dryRun=All&fieldValidation=Strict", text)
	check(t, err)
	var said struct{ Message string }
	check(t, json.Unmarshal(answer, &said))
	// Of what it can decode, and refuses for what it says, it says something else.
	if status != http.StatusBadRequest || !strings.Contains(said.Message, "cannot be handled as a") {
		return verdict{}
	}
	v := verdict{why: said.Message}
	for _, m := range unknownField.FindAllStringSubmatch(said.Message, -1) {
		v.fields = append(v.fields, m[1])
	}
	if m := structField.FindStringSubmatch(said.Message); m != nil {
		v.typed = withoutEmbedded(m[1])
	}
	slices.Sort(v.fields)
	v.fields = slices.Compact(v.fields)
	return v
}

var (
	mapKey = regexp.MustCompile(`\[([^]]*[^]0-9][^]]*)\]`)
	// The API server leaves out what stands in brackets where a type is wrong.
	brackets = regexp.MustCompile(`\[[^]]*\]`)
)

// withoutEmbedded takes names in upper case out of a path: the API server's have those of embedded
// types of Go among them.
func withoutEmbedded(path string) string {
	return strings.Join(slices.DeleteFunc(strings.Split(path, "."), func(name string) bool {
		return name != "" && name[0] >= 'A' && name[0] <= 'Z'
	}), ".")
}

// judge is what preflight says.
func judge(object map[string]any) (v verdict, typed []string) {
	var whys []string
	for _, f := range preflight.Check(tree.Map(tree.Normalize(object)), preflight.Options{KubernetesVersion: version}) {
		path := mapKey.ReplaceAllString(f.Path, ".$1")
		switch f.Rule {
		case "MK104", "MK168":
		case "MK169":
			f.Severity = preflight.Error // The server here runs with its defaults.
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

// TestTheAPIServerRefusesTheSame holds what this library says about the structure of objects to
// what an API server says.
func TestTheAPIServerRefusesTheSame(t *testing.T) {
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
				name, said, mistaken := s.compare(t, kinds, i)
				mu.Lock()
				seen[name]++
				if said.why != "" {
					seen["refused"]++
				}
				if said.typed != "" || len(said.fields) > 0 {
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
	t.Logf("%d objects, of them %d without a mistake; %d refused, %d with a path", *count+len(kinds),
		seen["without a mistake"], seen["refused"], seen["with a path"])
	for _, name := range kinds {
		if seen[name] == 0 {
			t.Errorf("nothing asked about %s", name)
		}
	}
	if low := *count / 4; seen["with a path"] < low {
		t.Errorf("only %d of %d are refused with a path: the others are not mistakes", seen["with a path"], *count)
	}
}

// compare asks about one object: the first ones, one of each kind, are without a mistake.
func (s *server) compare(t *testing.T, kinds []string, i int) (kind string, said verdict, mistaken bool) {
	t.Helper()
	random := rand.New(rand.NewPCG(*seed, uint64(i)))
	kind = kinds[i%len(kinds)]
	version, name, _ := strings.Cut(kind, " ")
	object, ok := (&filler{random: random}).object(t, version, name)
	if !ok {
		t.Errorf("there is no type of %s", kind)
		return kind, verdict{}, false
	}
	mistake := "nothing"
	if mistaken = i >= len(kinds); mistaken {
		mistake = (&mistakes{random}).make(object)
	}
	server := s.ask(t, object)
	mine, typed := judge(object)
	differ := (server.why == "") != (mine.why == "") || server.typed == "" && server.why != "" &&
		len(server.fields) > 0 && !slices.Equal(server.fields, mine.fields)
	if server.typed != "" && !slices.Contains(typed, server.typed) {
		differ = true
	}
	if differ || !mistaken && server.why != "" {
		text, err := json.Marshal(object)
		check(t, err)
		t.Errorf("-seed %d, %d: %s of %s\nthe API server: %s\npreflight: %s\n%.3000s", *seed, i, mistake, kind,
			server.why, mine.why, text)
	}
	return kind, server, mistaken
}
