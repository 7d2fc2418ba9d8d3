package structure

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mixedkube/mixedkube/tests/internal/oracles"
)

// withoutType are the kinds that Kubernetes' client has no types for. The API server of the lab judges them.
var withoutType = []string{"apiextensions.k8s.io/v1 CustomResourceDefinition", "apiregistration.k8s.io/v1 APIService"}

// TestAPIServersOfAllVersionsDecodeTheSameObjects compares the findings about objects of all kinds of each version with
// the errors of that version's strict decoder.
func TestAPIServersOfAllVersionsDecodeTheSameObjects(t *testing.T) {
	t.Parallel()
	for _, o := range oracles.Start(t, "-decode") {
		d := openAPI(t, o.Version)
		served := d.served()
		kinds := slices.DeleteFunc(slices.Sorted(maps.Keys(served)), func(kind string) bool {
			return slices.Contains(withoutType, kind)
		})
		c := decoderRun{t: t, oracle: o, d: d, served: served, kinds: kinds}
		var all sync.WaitGroup
		for from := 0; from < *count+len(kinds); from += batch {
			objects, made := c.objects(from, min(from+batch, *count+len(kinds)))
			verdicts := c.verdicts(objects)
			all.Go(func() { c.compare(from, objects, made, verdicts) })
		}
		all.Wait()
		t.Logf("Kubernetes %s: %d kinds, %d objects: %d refused, %d with a path", o.Version, len(kinds),
			*count+len(kinds), c.refused, c.withPath)
		if low := *count / 4; c.withPath < low {
			t.Errorf("%s: only %d of %d are refused with a path, want at least %d", o.Version, c.withPath, *count, low)
		}
	}
}

// batch is the number of objects that an oracle gets at once.
const batch = 250

// decoderRun compares the verdicts for one version.
type decoderRun struct {
	t      *testing.T
	oracle *oracles.Oracle
	d      *description
	served map[string]string
	kinds  []string

	refused, withPath int
}

// objects returns some of the objects, and what is wrong with each. The first objects, one of each kind, have no
// mistake.
func (c *decoderRun) objects(from, to int) (objects []map[string]any, made []string) {
	for i := from; i < to; i++ {
		random := rand.New(rand.NewPCG(*seed, uint64(i)))
		kind := c.kinds[i%len(c.kinds)]
		object := (&describedFiller{c.d, random}).object(kind, c.served[kind])
		mistake := "nothing"
		if i >= len(c.kinds) {
			mistake = (&mistakes{random}).make(object)
		}
		objects, made = append(objects, object), append(made, mistake+" of "+kind)
	}
	return objects, made
}

// verdicts asks the oracle about the objects of kinds that its version serves.
func (c *decoderRun) verdicts(objects []map[string]any) []verdict {
	c.t.Helper()
	verdicts := make([]verdict, len(objects))
	var lines [][]byte
	var requests []int
	for i, object := range objects {
		version, _ := object["apiVersion"].(string)
		name, _ := object["kind"].(string)
		if kind := version + " " + name; c.served[kind] == "" {
			verdicts[i].why = "no matches for " + kind
			continue
		}
		line, err := oracles.Question(object)
		check(c.t, err)
		lines, requests = append(lines, line), append(requests, i)
	}
	answers, err := oracles.Ask[struct{ DecodeError string }](c.oracle, lines)
	check(c.t, err)
	for i, a := range answers {
		if a.DecodeError == "" {
			continue
		}
		v := refused(a.DecodeError)
		verdicts[requests[i]] = v
		c.refused++
		if v.typed != "" || len(v.fields) > 0 {
			c.withPath++
		}
	}
	return verdicts
}

// compare reports the objects about which preflight has another verdict.
func (c *decoderRun) compare(from int, objects []map[string]any, made []string, verdicts []verdict) {
	at := place{c.oracle.Minor, true}
	for i, object := range objects {
		found, differ := at.differs(object, verdicts[i])
		if mistaken := from+i >= len(c.kinds); !differ && (mistaken || verdicts[i].why == "") {
			continue
		}
		text, err := json.Marshal(object)
		if err != nil {
			c.t.Error(err)
			return
		}
		c.t.Errorf("Kubernetes %s, -seed %d, %d: %s\nthe decoder: %s\npreflight: %s\n%.3000s", c.oracle.Version, *seed,
			from+i, made[i], verdicts[i].why, found.why, text)
	}
}

// describedFiller creates objects that the API server can decode, from the OpenAPI description of a release.
type describedFiller struct {
	d      *description
	random *rand.Rand
}

// object returns an object of a kind, whose definition has a name.
func (f *describedFiller) object(kind, definition string) map[string]any {
	object := f.fields(definition, 0)
	version, name, _ := strings.Cut(kind, " ")
	object["apiVersion"], object["kind"] = version, name
	return object
}

// fields returns all fields of a definition near the root, and some of the others.
func (f *describedFiller) fields(definition string, depth int) map[string]any {
	all := f.d.Definitions[definition].Properties
	object := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if depth > 1 && f.random.IntN(depth+1) > 0 {
			continue
		}
		object[name] = f.value(new(all[name]), depth)
	}
	return object
}

// examples are values of the types that read JSON themselves.
var examples = map[string][]any{
	"quantity": {"500m", "2Gi", 1, 1.5}, "intOrString": {"http", "5%", 8080}, "time": {"2026-11-24T08:00:00Z"},
	"microTime": {"2026-11-24T08:00:00.000001Z"}, "any": {map[string]any{"a": 1}},
}

func (f *describedFiller) value(p *property, depth int) any {
	pick := func(of ...any) any { return clone(of[f.random.IntN(len(of))]) }
	switch {
	case p.Ref != "":
		name := strings.TrimPrefix(p.Ref, "#/definitions/")
		if form := special[name]; form != "" {
			return pick(examples[form]...)
		}
		return f.fields(name, depth+1)
	case p.Type == "array":
		list := make([]any, 1+f.random.IntN(2))
		for i := range list {
			list[i] = f.value(p.Items, depth+1)
		}
		return list
	case p.Type == "object" && p.AdditionalProperties != nil:
		return map[string]any{"app": f.value(p.AdditionalProperties, depth+1)}
	case p.Type == "string" && p.Format == "byte":
		return "YWJj"
	case p.Type == "string":
		return pick("a", "shop", "web-1")
	case p.Type == "boolean":
		return pick(true, false)
	case p.Type == "number":
		return pick(1, 0.5)
	case p.Type == "integer":
		return pick(0, 1, 80)
	default:
		return map[string]any{}
	}
}
