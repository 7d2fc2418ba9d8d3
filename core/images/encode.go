package images

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"gopkg.in/yaml.v3"

	"github.com/mixedkube/mixedkube/internal/core/manifests"
)

const header = `# Images that mixedkube has looked up at their registries: commit this file.
# "mixedkube images lock --update" looks them up again.
`

// Encode returns the content of the lock file, which [Decode] reads. The same lock gives the same text: the images are
// sorted, and the file has no timestamp. It is an error if the text is larger than 5 MiB, the limit of Decode.
func (l *Lock) Encode() ([]byte, error) {
	file := document{Version: version, Images: map[string]entry{}}
	for _, reference := range l.References() {
		file.Images[reference] = entryOf(l.images[reference])
	}
	out := bytes.NewBufferString(header)
	encoder := yaml.NewEncoder(out)
	encoder.SetIndent(2)
	if err := errors.Join(encoder.Encode(file), encoder.Close()); err != nil {
		return nil, err
	}
	text := shown(out.Bytes())
	if len(text) > manifests.MaxSize {
		return nil, fmt.Errorf("would be larger than %d MiB, the limit for reading the file: lock fewer images",
			manifests.MaxSize>>20)
	}
	return text, nil
}

// text is a text from the author of an image.
type text string

// MarshalYAML quotes a text with invisible characters, so that [shown] can escape them.
func (t text) MarshalYAML() (any, error) {
	if strings.IndexFunc(string(t), hides) < 0 {
		return string(t), nil
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Style: yaml.DoubleQuotedStyle, Value: string(t)}, nil
}

func hides(r rune) bool { return !unicode.IsPrint(r) }

// shown escapes characters that the encoder leaves unchanged in a quoted text. For example, characters that reverse the
// order of others could hide something from a reviewer.
func shown(file []byte) []byte {
	var out bytes.Buffer
	for _, r := range string(file) {
		if r == '\n' || !hides(r) {
			out.WriteRune(r)
			continue
		}
		fmt.Fprintf(&out, `\U%08X`, r)
	}
	return out.Bytes()
}

func converted[To, From ~string](texts []From) []To {
	var all []To
	for _, t := range texts {
		all = append(all, To(t))
	}
	return all
}
