package clustermap

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// pictures returns both pictures.
func pictures(tb testing.TB, m *Map) (html, svg string) {
	tb.Helper()
	var h, s strings.Builder
	if err := errors.Join(m.HTML(&h), m.SVG(&s)); err != nil {
		tb.Fatal(err)
	}
	return h.String(), s.String()
}

// The picture is that of docs/map.md.
func TestGeneratedPictureOfAMap(t *testing.T) {
	t.Parallel()
	html, svg := pictures(t, New(small(t)))
	golden.Equal(t, "testdata/shop.html", html)
	golden.Equal(t, "../../docs/pictures/map.svg", svg)
}

func TestPicturesAreReproducible(t *testing.T) {
	t.Parallel()
	s := large(t, 30, 60)
	html, svg := pictures(t, New(s))
	for seed := range uint64(5) {
		random := rand.New(rand.NewPCG(seed, 0))
		random.Shuffle(len(s.Objects), func(i, j int) { s.Objects[i], s.Objects[j] = s.Objects[j], s.Objects[i] })
		if h, g := pictures(t, New(s)); h != html || g != svg {
			t.Fatalf("in another order of the objects (seed %d) the pictures are others", seed)
		}
	}
}

// hostile are names that would be code if a browser interpreted them.
var hostile = []string{
	`</script><script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `' onmouseover='alert(1)`,
	`</style><style>*{display:none}`, "{{.JS}}", `]]><!--`, "a\x00b\x1b[2J\u202ec\u2028", `javascript:alert(1)`,
	`&lt;b&gt;`,
}

func hostileMap(tb testing.TB) *Map {
	tb.Helper()
	s := Source{Title: strings.Join(hostile, " "), From: hostile[0], Options: preflight.Options{Topology: threePools()}}
	for i, name := range hostile {
		s.Objects = append(s.Objects, map[string]any{
			"apiVersion": "apps/v1", "kind": "Deployment", "metadata": map[string]any{"name": name, "namespace": name},
			"spec": map[string]any{"template": map[string]any{"spec": map[string]any{
				"nodeSelector": map[string]any{"disk": hostile[(i+1)%len(hostile)]},
				"containers":   []any{map[string]any{"name": "a", "image": name}},
			}}},
		})
	}
	s.Options.Topology.Pools[0].Name, s.Options.Topology.Pools[0].Size = hostile[1], hostile[2]
	s.Options.Topology.Pools[0].Taints = nil
	m := New(s)
	m.Notes = hostile
	return m
}

func TestHostileNamesStayTexts(t *testing.T) {
	t.Parallel()
	html, svg := pictures(t, hostileMap(t))
	_, body, _ := strings.Cut(html, "</style>")
	value := regexp.MustCompile(`"[^"]*"`)
	tag := regexp.MustCompile(`<([a-z!]+)[^>]*>`)
	for _, found := range tag.FindAllStringSubmatch(body, -1) {
		if slices.Contains([]string{"img", "style", "iframe", "object", "b"}, found[1]) && found[0] != "<b>" {
			t.Errorf("there is a tag %s", found[0])
		}
		if regexp.MustCompile(`\son[a-z]+\s*=`).MatchString(value.ReplaceAllString(found[0], "")) {
			t.Errorf("a tag has a handler: %s", found[0])
		}
	}
	if n := strings.Count(strings.ToLower(html), "<script"); n != 1 {
		t.Errorf("there are %d scripts", n)
	}
	for _, text := range []string{html, svg} {
		invisible := func(r rune) bool { return !unicode.IsPrint(r) && r != '\n' && r != '\t' }
		if i := strings.IndexFunc(text, invisible); i >= 0 {
			t.Errorf("something invisible is in the picture: %q", text[i:i+10])
		}
		if !strings.Contains(text, "a\ufffdb\ufffd[2J\ufffdc\ufffd") {
			t.Error("the name with something invisible is not shown with marks")
		}
	}
	allowed := []string{"svg", "title", "desc", "style", "rect", "text"}
	for decoder := xml.NewDecoder(strings.NewReader(svg)); ; {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("the SVG is not XML: %v", err)
		}
		if start, is := token.(xml.StartElement); is && !slices.Contains(allowed, start.Name.Local) {
			t.Errorf("the SVG has an element %s", start.Name.Local)
		}
	}
}

// The pictures load nothing in any browser, because they contain no address.
func TestThePicturesNameNoAddress(t *testing.T) {
	t.Parallel()
	html, svg := pictures(t, New(large(t, 30, 60)))
	svg = strings.Replace(svg, `xmlns="http://www.w3.org/2000/svg"`, "", 1)
	loads := regexp.MustCompile(`(?i)https?:|url\(|@import|\bsrc=|<link|\bfetch\(|XMLHttp`)
	for name, text := range map[string]string{"page": html, "SVG": svg} {
		if found := loads.FindString(text); found != "" {
			t.Errorf("the %s has %q", name, found)
		}
	}
}

func TestContentSecurityPolicyMatchesThePage(t *testing.T) {
	t.Parallel()
	html, _ := pictures(t, New(small(t)))
	inside := func(tag string) string {
		_, rest, _ := strings.Cut(html, "<"+tag+">")
		text, _, _ := strings.Cut(rest, "</"+tag+">")
		return text
	}
	for _, want := range []string{
		"style-src '" + hash(inside("style")) + "'", "script-src '" + hash(inside("script")) + "'",
		"default-src 'none'",
	} {
		if !strings.Contains(strings.NewReplacer("&#39;", "'", "&#43;", "+").Replace(html), want) {
			t.Errorf("the policy has no %s", want)
		}
	}
}

// A card names a limited number of workloads, and the table has all.
func TestACardOfAThousandWorkloadsIsShort(t *testing.T) {
	t.Parallel()
	s := small(t)
	s.Objects = nil
	for i := range 1000 {
		one := pod(fmt.Sprintf("p%d", i), "nodeSelector: {kubernetes.io/os: linux}")
		s.Objects = append(s.Objects, objects(t, one)...)
	}
	m := New(s)
	c := m.card(0, m.lay())
	if len(c.Entries) != listed || len(c.Later) != mostListed-listed || c.More != 1000-mostListed ||
		c.Summary != "992 more" {
		t.Errorf("a card has %d, %d and %d workloads: %s", len(c.Entries), len(c.Later), c.More, c.Summary)
	}
	if n := len(m.lay().Rows); n != 1000 {
		t.Errorf("the table has %d rows", n)
	}
}

func TestALargeMapIsSmall(t *testing.T) {
	t.Parallel()
	html, svg := pictures(t, New(large(t, 100, 300)))
	const most = 1 << 20
	if len(html) > most || len(svg) > most/4 {
		t.Errorf("the pictures have %d and %d bytes", len(html), len(svg))
	}
}

func BenchmarkLargeMap(b *testing.B) {
	s := large(b, 100, 300)
	for b.Loop() {
		if err := New(s).HTML(io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}
