package manifests

import "bytes"

// Part is a document of a file, with the items of a list, or JSON objects that follow one another. It is edited, and read
// again, without the rest of the file.
type Part struct {
	// Text has the part alone. The offsets of its changes are those in the file.
	Text
	// from is where it is in the file.
	from chunk
}

// Parts reads a file as [NewText] does, and calls take with one part after the other. The nodes and values of a text
// take many times its size: those of a part are no longer used after take, if it keeps only [Document.Detached].
//
// The error is known only at the end, so take must not have an effect that lasts.
func Parts(content []byte, name string, take func(*Part)) error {
	content, _ = Decode(content)
	newline, p := newlineOf(content), &problems{file: name, lenient: true}
	readParts(chunk{text: content, line: 1, edited: true}, p, func(c chunk, docs []Document) {
		take(&Part{Text{Documents: docs, name: name, content: c.text, newline: newline}, c})
	})
	return p.err()
}

// Again reads the part with its changes. It returns false if the result cannot be read, or is no longer one part with as
// many documents.
func (t *Part) Again() (*Part, bool) {
	changes := t.Changes()
	for i := range changes {
		changes[i].At -= t.from.offset
	}
	from := t.from
	from.text = changed(t.content, changes)
	p, again, whole := &problems{file: t.name, lenient: true}, (*Part)(nil), false
	readParts(from, p, func(c chunk, docs []Document) {
		whole = again == nil && len(c.text) == len(from.text) // else a line divides it
		again = &Part{Text{Documents: docs, name: t.name, content: c.text, newline: t.newline}, c}
	})
	endsLine := func(text []byte) bool { return bytes.HasSuffix(text, []byte("\n")) }
	return again, whole && p.err() == nil && len(again.Documents) == len(t.Documents) &&
		(endsLine(again.content) || !endsLine(t.content)) // the next part begins with a line
}

// End returns the offset of the end of the part in the file.
func (t *Part) End() int { return t.from.offset + len(t.content) }

// CheckLimits returns an error about a text that has more than is read of a file.
func CheckLimits(text []byte, name string) error {
	content, _ := Decode(text)
	p := &problems{file: name}
	for range limited(content, p) {
	}
	return p.err()
}
