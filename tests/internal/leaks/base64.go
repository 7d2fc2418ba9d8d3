package leaks

import "iter"

const (
	// longEnough is the minimum length of base64 that can contain compressed data or UTF-16.
	longEnough = 32
	// nextLine is the minimum length of another line of the same base64.
	nextLine = 4
)

// encoded yields the base64 in a content, without padding. It joins the lines of a text, even if their line breaks are
// escaped.
func encoded(content []byte) iter.Seq[string] {
	return func(yield func(string) bool) {
		for at := 0; at < len(content); {
			end := at + run(content[at:])
			if end-at < longEnough {
				at = end + 1
				continue
			}
			text := content[at:end:end]
			for {
				from := end + lineBreaks(content[end:])
				to := from + run(content[from:])
				if from == end || to-from < nextLine {
					break
				}
				text, end = append(text, content[from:to]...), to
			}
			if !yield(string(text)) {
				return
			}
			at = end
		}
	}
}

// run returns how many characters of base64 a content begins with.
func run(content []byte) int {
	for i, c := range content {
		if !alphabet[c] {
			return i
		}
	}
	return len(content)
}

// lineBreaks returns the length of the line breaks that a content begins with.
func lineBreaks(content []byte) int {
	for i := 0; i < len(content); {
		switch c := content[i]; {
		case c == '\r', c == '\n':
			i++
		case c == '\\' && i+1 < len(content) && (content[i+1] == 'r' || content[i+1] == 'n'):
			i += 2
		default:
			return i
		}
	}
	return len(content)
}

var alphabet = func() (in [256]bool) {
	for _, c := range "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/" {
		in[c] = true
	}
	return in
}()
