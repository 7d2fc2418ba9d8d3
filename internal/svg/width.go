package svg

import (
	"strings"
	"unicode"
)

// Fonts differ, so the width of a text is an estimate: these are the widths of letters in the widest fonts
// that the style names (DejaVu Sans, and DejaVu Sans Mono), for a size of 1.
const (
	wideLetter   = 1.0 // and every character that is not a letter
	capital      = 0.76
	broadLetter  = 0.92
	letter       = 0.64
	narrowLetter = 0.4
	monoLetter   = 0.61
	// bold is how much wider bold text is.
	bold = 1.14
)

// sizes are the font sizes of the classes in the style of the picture.
var sizes = []struct {
	class string
	size  float64
}{{"title", 26}, {"big", 26}, {"heading", 17}, {"mono", 11.5}, {"mark", 10.5}, {"small", 12}}

// Width estimates the width of a text in a class.
func Width(text, class string) float64 {
	size := 13.0
	for _, s := range sizes {
		if strings.Contains(class, s.class) {
			size = s.size
			break
		}
	}
	sum := 0.0
	for _, r := range text {
		switch {
		case strings.Contains(class, "mono") && r < unicode.MaxLatin1:
			sum += monoLetter
		case strings.ContainsRune("iljtfrI.,:;|!'()[]/-· ", r):
			sum += narrowLetter
		case r == 'm' || r == 'w':
			sum += broadLetter
		case unicode.IsLower(r) || unicode.IsDigit(r):
			sum += letter
		case r <= unicode.MaxLatin1:
			sum += capital
		default:
			sum += wideLetter
		}
	}
	if strings.Contains(class, "strong") || strings.Contains(class, "title") {
		sum *= bold
	}
	return sum * size
}

// fitted returns a text, cut to the room with an ellipsis if it is too long.
func fitted(text, class string, room float64) (shown string, cut bool) {
	if Width(text, class) <= room {
		return text, false
	}
	runes := []rune(text)
	for len(runes) > 1 && Width(string(runes)+"…", class) > room {
		runes = runes[:len(runes)-1]
	}
	return strings.TrimRight(string(runes), " ") + "…", true
}

// Wrapped breaks a text into lines that fit. A word that does not fit is left to [fitted].
func Wrapped(text, class string, room float64) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		longer := strings.TrimPrefix(line+" "+word, " ")
		if line != "" && Width(longer, class) > room {
			lines = append(lines, line)
			longer = word
		}
		line = longer
	}
	return append(lines, line)
}
