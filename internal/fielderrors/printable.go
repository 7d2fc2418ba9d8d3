package fielderrors

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// maxShown is the length in bytes up to which a text is shown in full.
const maxShown = 500

// Shown is a value as a message shows it: of a very long text, the beginning.
func Shown(value any) any {
	v := reflect.ValueOf(value)
	if v.Kind() != reflect.String {
		return value
	}
	if _, marked := value.(fmt.Stringer); marked {
		return value
	}
	return shortened(v.String())
}

func shortened(s string) string {
	if len(s) <= maxShown {
		return s
	}
	return fmt.Sprintf("%s… (%d bytes)", strings.ToValidUTF8(s[:100], ""), len(s))
}

// Printable is a text for a line of a message: line breaks, control characters and others that
// do not show are escaped as in a string of Go, and a very long word is shortened. So a value
// that got into it, the key of a map in a path for example, does not look like another
// message, controls no terminal and fills no log.
func Printable(s string) string {
	hides := func(r rune) bool { return !unicode.IsPrint(r) }
	if len(s) <= maxShown && strings.IndexFunc(s, hides) < 0 {
		return s
	}
	words := strings.Split(s, " ")
	for i, word := range words {
		words[i] = escaped(shortened(word))
	}
	return strings.Join(words, " ")
}

func escaped(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
	}
	return b.String()
}

// legible is an error whose text is one line that can be read, the error itself if it is so
// already.
func legible(err *field.Error) *field.Error {
	read := *err
	read.Field, read.Detail = Printable(err.Field), Printable(err.Detail)
	if _, omitted := err.BadValue.(field.OmitValueType); !omitted {
		read.BadValue = Shown(err.BadValue)
	}
	if read.Error() == err.Error() {
		return err
	}
	return &read
}
