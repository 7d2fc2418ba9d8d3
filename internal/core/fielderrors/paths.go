package fielderrors

import "cmp"

// ComparePaths orders field paths as people read them: pools[2] before pools[10].
func ComparePaths(a, b string) int {
	first, second := padded{text: a}, padded{text: b}
	for {
		x, more := first.next()
		y, moreOfSecond := second.next()
		if order := cmp.Compare(x, y); order != 0 || !more || !moreOfSecond {
			return order
		}
	}
}

// padded reads a text in which numbers have leading zeros, so that they sort as numbers. Sorting thousands of paths
// compares each of them often: nothing is copied.
type padded struct {
	text string
	at   int
	// zeros are still to be read before the number at the offset; begun is true from its first zero or digit on.
	zeros int
	begun bool
}

// next returns the next byte, and 0 and false at the end.
func (p *padded) next() (b byte, more bool) {
	if p.at == len(p.text) {
		return 0, false
	}
	b = p.text[p.at]
	if isDigit(b) && !p.begun {
		const digits = 20
		end := p.at
		for end < len(p.text) && isDigit(p.text[end]) {
			end++
		}
		p.zeros, p.begun = max(0, digits-(end-p.at)), true
	}
	if p.zeros > 0 {
		p.zeros--
		return '0', true
	}
	p.at++
	p.begun = p.at < len(p.text) && isDigit(b) && isDigit(p.text[p.at])
	return b, true
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }
