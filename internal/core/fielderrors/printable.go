package fielderrors

import (
	"fmt"
	"reflect"
	"strings"
	"unicode"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
)

// maxShown is the length in bytes up to which a text is shown in full.
const maxShown = 500

// Shown returns a value as messages show it: only the beginning of a very long text.
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

// Printable returns a text for a line of a message: line breaks, control characters and other
// invisible characters are escaped as in a Go string, and a very long word is shortened. So a value
// in the text, for example the key of a map in a path, does not look like another message, and
// cannot control a terminal or fill a log.
func Printable(s string) string {
	hides := func(r rune) bool { return !unicode.IsPrint(r) }
	if len(s) <= maxShown && strings.IndexFunc(s, hides) < 0 {
		return s
	}
	words := strings.Split(s, " ")
	for i, word := range words {
		words[i] = escape.Printable(shortened(word))
	}
	return strings.Join(words, " ")
}

// legible returns an error whose text is one readable line: the error itself if its text is one already.
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
