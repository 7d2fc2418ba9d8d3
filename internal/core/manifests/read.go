package manifests

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// ReadYAML reads the objects of a YAML or JSON file as kubectl does (sigs.k8s.io/yaml): it reads several documents, or
// several JSON objects, one after the other, returns the items of lists (List, DeploymentList), and skips empty
// documents. The name is the name of the file, for messages.
//
// The error lists everything that is wrong, each with its line, as *[Error]; documents with an error are left out, and
// the others are returned with the error. Unlike in kubectl, a duplicate key of a mapping is an error; [ReadObjects]
// records it instead.
//
// Scalars mean the same as in kubectl: yes, no, on, off, y and n are booleans, 017 and 0o17 are 15, 1e3 is 1000, a date
// is a text, !!binary is decoded, and .inf and .nan are errors, because JSON has no such numbers. Keys that are numbers
// or booleans become texts, but null is not a valid key. Tags other than YAML's own are ignored. A merge key overrides
// earlier keys of its mapping, and later ones override it.
func ReadYAML(r io.Reader, name string) ([]Document, error) { return readAll(r, &problems{file: name}) }

// ReadObjects is ReadYAML for the objects of a cluster, and returns the duplicate keys: as in kubectl, the last value
// counts. Source: YAMLToJSONDecoder in pkg/util/yaml/decoder.go of k8s.io/apimachinery 0.36.3, with which kubectl reads
// a file, decodes without sigs.k8s.io/yaml's check for such keys.
func ReadObjects(r io.Reader, name string) ([]Document, error) {
	return readAll(r, &problems{file: name, lenient: true})
}

func readAll(r io.Reader, p *problems) ([]Document, error) {
	content, err := io.ReadAll(io.LimitReader(r, MaxFileSize+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.file, err)
	}
	text, err := readText(content, p, false)
	return text.Documents, err
}

// NewText is ReadObjects for a text to add values to. With an error, it also returns the documents without one.
func NewText(content []byte, name string) (*Text, error) {
	return readText(content, &problems{file: name, lenient: true}, true)
}

// readText keeps the parser's nodes only of a text that is edited: they take more memory than the values.
func readText(content []byte, p *problems, edited bool) (*Text, error) {
	t := &Text{name: p.file}
	t.content, t.encode = Decode(content)
	t.newline = newlineOf(t.content)
	readParts(chunk{text: t.content, line: 1, edited: edited}, p, func(_ chunk, docs []Document) {
		t.Documents = append(t.Documents, docs...)
	})
	return t, p.err()
}

// readParts reads the documents of a file, or of one part of it, part by part.
func readParts(from chunk, p *problems, take func(c chunk, docs []Document)) {
	for c := range limited(from.text, p) {
		c.offset, c.line, c.edited = from.offset+c.offset, from.line-1+c.line, from.edited
		isTemplate := bytes.Contains(c.text, []byte("#@")) && ytt.Match(c.text)
		var docs []Document
		for _, d := range p.parse(c) {
			d.Template = isTemplate
			docs = p.flatten(d, docs)
		}
		take(c, docs)
	}
	if p.list != nil && !hasAPIVersion(from.text) {
		for _, err := range p.list {
			if e, ok := errors.AsType[*Error](err); ok {
				e.NoObject = true
			}
		}
	}
}

// hasAPIVersion finds also a word with wrong capitals, and one in UTF-16 without a byte order mark.
func hasAPIVersion(text []byte) bool {
	text = bytes.ReplaceAll(bytes.ToLower(text), []byte{0}, nil)
	return bytes.Contains(text, []byte("apiversion"))
}

// limited returns the parts of a content that are inside the limits.
func limited(content []byte, p *problems) func(yield func(chunk) bool) {
	return func(yield func(chunk) bool) {
		if len(content) > MaxFileSize {
			p.add(0, "%v", ErrTooLarge)
			return
		}
		if !utf8.Valid(content) {
			p.add(invalidLine(content), "not UTF-8: save the file as UTF-8")
			return
		}
		parsed, values := 0, 0
		for c := range chunks(content, p) {
			if len(c.text) > MaxSize {
				p.add(c.line, "a document larger than %d MB: split it", MaxSize>>20)
				continue
			}
			if parsed++; parsed > MaxDocuments {
				p.add(c.line, "more than %d documents: split the file", MaxDocuments)
				return
			}
			// A document with more values is refused on its own.
			if values += min(separators(c.text), MaxValues); values > MaxFileValues {
				p.add(c.line, "more than %d values in one file: split it", MaxFileValues)
				return
			}
			if !yield(c) {
				return
			}
		}
	}
}

// ErrTooLarge is the error about a text of more than [MaxFileSize] bytes.
var ErrTooLarge = fmt.Errorf("larger than %d MB, which is all that is read of a file: split it", MaxFileSize>>20)

func invalidLine(content []byte) int {
	line := 1
	for len(content) > 0 {
		r, size := utf8.DecodeRune(content)
		if r == utf8.RuneError && size == 1 {
			break
		}
		if r == '\n' {
			line++
		}
		content = content[size:]
	}
	return line
}

// chunk is the text of one document, or of JSON objects that follow one another.
type chunk struct {
	text []byte
	// offset and line are where it begins in the file.
	offset, line int
	// edited is true if values will be added to it.
	edited bool
}

// chunks splits a stream where its documents end, as kubectl does: at lines that begin with three hyphens, and at lines
// that begin with three periods. Each is parsed separately, so that an error affects one document. Blank ones are left
// out.
func chunks(content []byte, p *problems) func(yield func(chunk) bool) {
	return func(yield func(chunk) bool) {
		begin, beginLine, line := 0, 1, 0
		bad := false
		flush := func(end, next int) bool {
			c := chunk{text: content[begin:end], offset: begin, line: beginLine}
			begin, beginLine = next, line+1
			wasBad := bad
			bad = false
			return wasBad || isBlank(c.text) || yield(c)
		}
		for at := 0; at < len(content); {
			end := len(content)
			if i := bytes.IndexByte(content[at:], '\n'); i >= 0 {
				end = at + i + 1
			}
			line++
			text := content[at:end]
			switch {
			case bytes.HasPrefix(text, []byte("---")):
				if !flush(at, end) {
					return
				}
				if rest := bytes.TrimSpace(text[3:]); len(rest) > 0 && rest[0] != '#' {
					p.add(line, "three hyphens begin a document, and only a comment may follow them in their line")
					bad = true
				}
			case bytes.HasPrefix(text, []byte("...")) &&
				(len(text) == 3 || strings.ContainsRune(" \t\r\n", rune(text[3]))):
				if !flush(at, end) {
					return
				}
			}
			at = end
		}
		flush(len(content), len(content))
	}
}

// isBlank reports whether a text has only comments and white space.
func isBlank(text []byte) bool {
	for len(text) > 0 {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		if line = bytes.TrimLeft(line, " \t\r"); len(line) > 0 && line[0] != '#' {
			return false
		}
		text = rest
	}
	return true
}

// parse reads the documents of a chunk: one, or several JSON objects. A text that begins with a brace can also be a
// flow mapping of YAML.
func (p *problems) parse(c chunk) []Document {
	inside, ok := bytes.CutPrefix(bytes.TrimLeft(c.text, " \t\r\n"), []byte("{"))
	if !ok {
		return p.parseYAML(c)
	}
	asJSON := &problems{file: p.file, lenient: p.lenient}
	asYAML := &problems{file: p.file, lenient: p.lenient}
	docs, isJSON := asJSON.parseJSON(c)
	if !isJSON {
		docs = asYAML.parseYAML(c)
		wantJSON := strings.HasSuffix(p.file, ".json") ||
			bytes.HasPrefix(bytes.TrimLeft(inside, " \t\r\n"), []byte(`"`))
		if !wantJSON || asYAML.count() == 0 {
			p.join(asYAML)
			return docs
		}
	}
	p.join(asJSON)
	return docs
}
