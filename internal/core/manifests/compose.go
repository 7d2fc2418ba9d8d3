package manifests

// Compose returns the changes of a text of size bytes that have the effect of first, and then of second, whose offsets
// are in the result of first. Both are in the order of their texts and do not overlap, and so does the result.
func Compose(first, second []Change, size int) []Change {
	left := pieces(first, size)
	var out []piece
	now := 0
	for _, c := range second {
		var before []piece
		before, left = cut(left, c.At-now)
		_, left = cut(left, c.Replaced)
		out = append(append(out, before...), piece{text: c.Text})
		now = c.At + c.Replaced
	}
	return changesOf(append(out, left...), size)
}

// piece is a part of a changed text: bytes of the original text, or a new text.
type piece struct {
	at, bytes int
	text      string
}

// pieces returns the result of changes.
func pieces(changes []Change, size int) []piece {
	var all []piece
	at := 0
	for _, c := range changes {
		all = append(all, piece{at: at, bytes: c.At - at}, piece{text: c.Text})
		at = c.At + c.Replaced
	}
	return append(all, piece{at: at, bytes: size - at})
}

// cut divides pieces after some bytes.
func cut(all []piece, bytes int) (before, after []piece) {
	for i, p := range all {
		switch n := p.bytes + len(p.text); {
		case n <= bytes:
			bytes -= n
		case p.bytes > 0:
			rest := piece{at: p.at + bytes, bytes: p.bytes - bytes}
			return append(all[:i:i], piece{at: p.at, bytes: bytes}), append([]piece{rest}, all[i+1:]...)
		default:
			rest := piece{text: p.text[bytes:]}
			return append(all[:i:i], piece{text: p.text[:bytes]}), append([]piece{rest}, all[i+1:]...)
		}
	}
	return all, nil
}

// changesOf returns the changes that the pieces show.
func changesOf(all []piece, size int) []Change {
	var changes []Change
	c := Change{}
	add := func(until int) {
		if c.Replaced = until - c.At; c.Replaced > 0 || c.Text != "" {
			changes = append(changes, c)
		}
	}
	for _, p := range all {
		if p.bytes == 0 {
			c.Text += p.text
			continue
		}
		add(p.at)
		c = Change{At: p.at + p.bytes}
	}
	add(size)
	return changes
}
