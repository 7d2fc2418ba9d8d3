package clustermap

import (
	"encoding/xml"
	"errors"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
)

// htmlTags returns the elements of a page and their attributes, as the tokenizer of HTML finds them: "<" and a letter
// begin an element, and the content of style and script ends at their end tag only.
// https://html.spec.whatwg.org/multipage/parsing.html#tokenization
func htmlTags(page string) map[string]bool {
	found := map[string]bool{}
	tag := regexp.MustCompile(`^</?([A-Za-z][^\s/>]*)`)
	attribute := regexp.MustCompile(`^[\s/]*([^\s/>=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s>]*))?`)
	for page != "" {
		begin := strings.IndexByte(page, '<')
		if begin < 0 {
			break
		}
		page = page[begin:]
		name := tag.FindStringSubmatch(page)
		if name == nil {
			if strings.HasPrefix(page, "<!") || strings.HasPrefix(page, "<?") {
				found[page[:min(len(page), 10)]] = true
			}
			page = page[1:]
			continue
		}
		element := strings.ToLower(name[1])
		closes := page[1] == '/'
		page = page[len(name[0]):]
		for page != "" && !strings.HasPrefix(strings.TrimLeft(page, "/ \t\n\f\r"), ">") {
			one := attribute.FindStringSubmatch(page)
			if one == nil {
				break
			}
			found[element+" "+strings.ToLower(one[1])] = true
			page = page[len(one[0]):]
		}
		found[element] = true
		if raw := element == "style" || element == "script" || element == "title"; raw && !closes {
			if end := strings.Index(strings.ToLower(page), "</"+element); end >= 0 {
				page = page[end:]
			}
		}
	}
	return found
}

// xmlTags returns the elements of a document and their attributes, and its text.
func xmlTags(tb testing.TB, document string) (found map[string]bool, text string) {
	tb.Helper()
	found = map[string]bool{}
	decoder := xml.NewDecoder(strings.NewReader(document))
	var all strings.Builder
	for {
		token, err := decoder.Token()
		switch token := token.(type) {
		case xml.StartElement:
			found[token.Name.Local] = true
			for _, a := range token.Attr {
				found[token.Name.Local+" "+a.Name.Local] = true
			}
		case xml.CharData:
			all.Write(token)
		case xml.Comment, xml.ProcInst, xml.Directive:
			found["something else"] = true
		}
		if errors.Is(err, io.EOF) {
			return found, all.String()
		}
		if err != nil {
			tb.Fatalf("%v in %s", err, document)
		}
	}
}

// named returns a map in which strangers have chosen the names.
func named(tb testing.TB, text string) *Map {
	tb.Helper()
	s := small(tb)
	s.Title, s.From = text, text
	pools := slices.Clone(s.Options.Topology.Pools)
	pools[0].Name, pools[1].Size = text, text
	pools[2].Labels = map[string]string{text: text}
	s.Options.Topology.Pools = pools
	for _, object := range s.Objects {
		metadata, _ := object["metadata"].(map[string]any)
		metadata["name"], metadata["namespace"] = text, text
	}
	return New(s)
}

// drawings returns both forms of a map.
func drawings(tb testing.TB, m *Map) (page, picture string) {
	tb.Helper()
	var html, svg strings.Builder
	if err := errors.Join(m.HTML(&html), m.SVG(&svg)); err != nil {
		tb.Fatal(err)
	}
	return html.String(), svg.String()
}

// Whatever a text is, the page and the picture have the elements and attributes that they have with a harmless one, and
// no agent that prints them finds a command.
func FuzzTextsOfStrangersAreTexts(f *testing.F) {
	for _, text := range []string{
		"web", `"><img src=x onerror=alert(1)>`, "</title><script>alert(1)</script>", "' onload='a", "<!-- ", "]]>",
		"&#60;b&#62;",
		"</desc><a href=\"javascript:a\">", "##vso[task.complete]a", "\n::error::a", "{{.}}", "\u202e<b>",
		"a\x00\xff<i",
	} {
		f.Add(text)
	}
	inPage, inPicture := map[string]bool{}, map[string]bool{}
	for _, harmless := range []string{"web", strings.Repeat("wide", 50)} { // a wide text is cut
		page, picture := drawings(f, named(f, harmless))
		maps.Copy(inPage, htmlTags(page))
		tags, _ := xmlTags(f, picture)
		maps.Copy(inPicture, tags)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text[:min(len(text), 200)], "?")
		page, picture := drawings(t, named(t, text))
		if more := others(htmlTags(page), inPage); len(more) > 0 {
			t.Errorf("%q: the page has %q", text, more)
		}
		is, _ := xmlTags(t, picture)
		if more := others(is, inPicture); len(more) > 0 {
			t.Errorf("%q: the picture has %q", text, more)
		}
		if escape.HasCommands(page) || escape.HasCommands(picture) {
			t.Errorf("%q: an agent finds a command in the page or the picture", text)
		}
	})
}

// others returns what is only in the first set.
func others(is, want map[string]bool) (more []string) {
	for name := range is {
		if !want[name] {
			more = append(more, name)
		}
	}
	return more
}

func TestAPictureHasTheTextsOfStrangers(t *testing.T) {
	t.Parallel()
	const text = `<b>##vso[a.b]</b>`
	page, picture := drawings(t, named(t, text))
	if _, shown := xmlTags(t, picture); !strings.Contains(shown, text) {
		t.Errorf("the picture does not show %q: %s", text, shown)
	}
	if want := "&lt;b&gt;#&#35;vso[a.b]&lt;/b&gt;"; !strings.Contains(page, want) {
		t.Errorf("the page does not have %q", want)
	}
	want := map[string]bool{"a": true, "a b": true, "script": true}
	if diff := cmp.Diff(want, htmlTags(`<a b='<c>'>&lt;d></a><script><e></script>`)); diff != "" {
		t.Errorf("the tokenizer: (-want +got):\n%s", diff)
	}
}
