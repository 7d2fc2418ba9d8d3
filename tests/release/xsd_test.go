package release

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// node is an element of XML.
type node struct {
	name     string
	attrs    map[string]string
	children []*node
	// text is what stands between the children, without what is white.
	text string
}

// parseXML reads a document.
func parseXML(text []byte) (*node, error) {
	decoder := xml.NewDecoder(bytes.NewReader(text))
	document := &node{}
	above := []*node{document}
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		at := above[len(above)-1]
		switch token := token.(type) {
		case xml.StartElement:
			one := &node{name: token.Name.Local, attrs: map[string]string{}}
			for _, attr := range token.Attr {
				one.attrs[attr.Name.Local] = attr.Value
			}
			at.children = append(at.children, one)
			above = append(above, one)
		case xml.EndElement:
			above = above[:len(above)-1]
		case xml.CharData:
			at.text += strings.TrimSpace(string(token))
		}
	}
	if len(document.children) != 1 {
		return nil, fmt.Errorf("%d elements at the top, want 1", len(document.children))
	}
	return document.children[0], nil
}

// schema is one of XML, as far as that of JUnit uses what there is. What it does not know is an error, so
// that nothing of a schema is passed over.
type schema struct {
	elements, types map[string]*node
}

func readSchema(t *testing.T, path string) schema {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	root, err := parseXML(text)
	if err != nil {
		t.Fatal(err)
	}
	s := schema{map[string]*node{}, map[string]*node{}}
	for _, c := range root.children {
		switch c.name {
		case "element":
			s.elements[c.attrs["name"]] = c
		case "complexType", "simpleType":
			s.types[c.attrs["name"]] = c
		default:
			t.Fatalf("%s: this test does not know <%s>", path, c.name)
		}
	}
	return s
}

// check is what is wrong with a document.
func (s schema) check(text []byte) error {
	root, err := parseXML(text)
	if err != nil {
		return err
	}
	declared, ok := s.elements[root.name]
	if !ok {
		return fmt.Errorf("/%s: is no element of the schema", root.name)
	}
	return s.element(declared, root, "/"+root.name)
}

// element checks an element against its declaration.
func (s schema) element(declared, at *node, path string) error {
	if ref := declared.attrs["ref"]; ref != "" {
		declared = s.elements[ref]
	}
	kind := declared
	if name := declared.attrs["type"]; name != "" {
		kind = s.types[name]
		if name == "xs:string" {
			if len(at.attrs)+len(at.children) > 0 {
				return fmt.Errorf("%s: is a text, and has attributes or elements", path)
			}
			return nil
		}
	} else if len(declared.children) == 1 {
		kind = declared.children[0]
	}
	if kind == nil || kind.name != "complexType" {
		return fmt.Errorf("%s: this test does not know how it is declared", path)
	}
	return s.complexType(kind, at, path)
}

func (s schema) complexType(kind, at *node, path string) error {
	known := map[string]bool{}
	var content *node
	for _, c := range kind.children {
		switch c.name {
		case "attribute":
			known[c.attrs["name"]] = true
			if err := s.attribute(c, at, path); err != nil {
				return err
			}
		case "sequence", "choice":
			content = c
		default:
			return fmt.Errorf("%s: this test does not know <%s>", path, c.name)
		}
	}
	for name := range at.attrs {
		if !known[name] {
			return fmt.Errorf("%s: has an attribute %s", path, name)
		}
	}
	if at.text != "" && kind.attrs["mixed"] != "true" {
		return fmt.Errorf("%s: has the text %q", path, at.text)
	}
	rest := at.children
	if content != nil {
		after, ok, err := s.match(content, rest, path)
		if err != nil {
			return err
		}
		if !ok {
			return fmt.Errorf("%s: lacks elements", path)
		}
		rest = after
	}
	if len(rest) > 0 {
		return fmt.Errorf("%s: <%s> has no place here", path, rest[0].name)
	}
	return nil
}

func (s schema) attribute(declared, at *node, path string) error {
	name := declared.attrs["name"]
	value, given := at.attrs[name]
	if !given {
		if declared.attrs["use"] == "required" {
			return fmt.Errorf("%s: lacks the attribute %s", path, name)
		}
		return nil
	}
	kind := declared.attrs["type"]
	if kind == "xs:string" {
		return nil
	}
	simple := s.types[kind]
	if simple == nil || simple.name != "simpleType" {
		return fmt.Errorf("%s: this test does not know the type %s of the attribute %s", path, kind, name)
	}
	for _, facet := range simple.children[0].children {
		if facet.name != "pattern" {
			return fmt.Errorf("%s: this test does not know <%s>", path, facet.name)
		}
		if !regexp.MustCompile("^(?:" + facet.attrs["value"] + ")$").MatchString(value) {
			return fmt.Errorf("%s: the attribute %s is %q", path, name, value)
		}
	}
	return nil
}

// match takes what a particle matches off the elements, as often as it may stand there.
func (s schema) match(particle *node, rest []*node, path string) (after []*node, ok bool, err error) {
	least, most := occurs(particle, "minOccurs"), occurs(particle, "maxOccurs")
	for n := range most {
		after, ok, err := s.once(particle, rest, path)
		switch {
		case err != nil:
			return nil, false, err
		case !ok:
			return rest, n >= least, nil
		case len(after) == len(rest):
			return rest, true, nil
		}
		rest = after
	}
	return rest, true, nil
}

// once is match for one time.
func (s schema) once(particle *node, rest []*node, path string) (after []*node, ok bool, err error) {
	switch particle.name {
	case "element":
		name := particle.attrs["name"] + particle.attrs["ref"]
		if len(rest) == 0 || rest[0].name != name {
			return rest, false, nil
		}
		return rest[1:], true, s.element(particle, rest[0], path+"/"+name)
	case "sequence":
		for _, part := range particle.children {
			if rest, ok, err = s.match(part, rest, path); err != nil || !ok {
				return rest, ok, err
			}
		}
		return rest, true, nil
	case "choice":
		empty := false
		for _, part := range particle.children {
			after, ok, err := s.match(part, rest, path)
			if err != nil || len(after) < len(rest) {
				return after, ok, err
			}
			empty = empty || ok
		}
		return rest, empty, nil
	default:
		return nil, false, fmt.Errorf("%s: this test does not know <%s>", path, particle.name)
	}
}

func occurs(particle *node, name string) int {
	switch given := particle.attrs[name]; given {
	case "":
		return 1
	case "unbounded":
		const many = 1 << 20
		return many
	default:
		n, err := strconv.Atoi(given)
		if err != nil {
			panic(err)
		}
		return n
	}
}

// broken are documents that are not JUnit's, with what is wrong with them.
var broken = map[string]string{
	`<testsuite/>`: "/testsuite: lacks the attribute name",
	`<tests/>`:     "/tests: is no element of the schema",
	`<testsuites><testcase name="a"/></testsuites>`:  "/testsuites: <testcase> has no place here",
	`<testsuites tests="1" passed="1"/>`:             "/testsuites: has an attribute passed",
	`<testsuites time="soon"/>`:                      `/testsuites: the attribute time is "soon"`,
	`<testsuites>text</testsuites>`:                  `/testsuites: has the text "text"`,
	suite(`<testcase/>`):                             "/testsuites/testsuite/testcase: lacks the attribute name",
	suite(`<testcase name="a"><failed/></testcase>`): "/testsuites/testsuite/testcase: <failed> has no place here",
	suite(`<testcase name="a"><failure line="1"/></testcase>`): "/testsuites/testsuite/testcase/failure: " +
		"has an attribute line",
	suite(`<testcase name="a"><system-out><b/></system-out></testcase>`): "/testsuites/testsuite/testcase/" +
		"system-out: is a text, and has attributes or elements",
	suite(`<testcase name="a"><rerunError/></testcase>`): "/testsuites/testsuite/testcase/rerunError: " +
		"lacks the attribute type",
	suite(`<testcase name="a"><rerunError type="b"><system-err/><stackTrace/></rerunError></testcase>`): "" +
		"/testsuites/testsuite/testcase/rerunError: <stackTrace> has no place here",
	suite(`<properties><property name="a"/></properties>`): "/testsuites/testsuite/properties/property: " +
		"lacks the attribute value",
}

func suite(content string) string {
	return `<testsuites><testsuite name="s" tests="1" failures="0" errors="0">` + content + `</testsuite></testsuites>`
}

// fine are documents that are JUnit's.
var fine = []string{
	`<testsuites/>`, `<testsuites name="n" time="1,234.5" tests="0"/>`, suite(""),
	suite(`<properties/><testcase name="a"/><system-out>o</system-out><testcase name="b" classname="c"/>`),
	suite(`<testcase name="a"><failure>text</failure><system-out>o</system-out><failure type="t"/></testcase>`),
	suite(`<testcase name="a"><rerunError type="b">x<stackTrace/><system-err/></rerunError></testcase>`),
	suite(`<testsuite name="t" tests="" failures="" errors=""/>`),
}

// A checker that accepts everything would make the tests of the format green.
func TestTheSchemaOfJUnitIsRead(t *testing.T) {
	t.Parallel()
	s := readSchema(t, junitSchema)
	for document, want := range broken {
		if err := s.check([]byte(document)); err == nil || err.Error() != want {
			t.Errorf("%s: the error is %v, want %s", document, err, want)
		}
		if err := xmllint(t, []byte(document)); err == nil {
			t.Errorf("%s: xmllint takes it", document)
		}
	}
	for _, document := range fine {
		if err := s.check([]byte(document)); err != nil {
			t.Errorf("%s: %v", document, err)
		}
		if err := xmllint(t, []byte(document)); err != nil {
			t.Errorf("%s: xmllint: %v", document, err)
		}
	}
}

// xmllint is the opinion of libxml2 about a document, where the machine has it; else that of this test.
func xmllint(t *testing.T, text []byte) error {
	t.Helper()
	program, err := exec.LookPath("xmllint")
	if err != nil {
		return readSchema(t, junitSchema).check(text)
	}
	cmd := exec.CommandContext(t.Context(), program, "--noout", "--schema", junitSchema, "-")
	cmd.Stdin = bytes.NewReader(text)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}
