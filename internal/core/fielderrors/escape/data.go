package escape

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
)

// JSON returns the text of a JSON document with escapes for what a terminal or an agent interprets. A parser reads the
// same values.
func JSON(document string) string {
	var b strings.Builder
	for _, r := range withoutCommands(document, func(c byte) string { return fmt.Sprintf(`\u%04x`, c) }) {
		switch {
		case unicode.IsPrint(r), r == '\n', r == '\t', r == '\r':
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// XML returns the text of an XML or HTML document with references for what an agent interprets in its texts and
// attributes. A parser reads the same values.
func XML(document string) string {
	return withoutCommands(document, func(c byte) string { return "&#" + strconv.Itoa(int(c)) + ";" })
}
