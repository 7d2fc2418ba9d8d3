// Package leaks searches files for secrets, in all forms that they may have in a file.
package leaks

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

// Secret is a text that no file may contain.
type Secret struct{ Name, Text string }

// Find returns a line for each secret in a file below the directories: the file's path and the secret's name. The paths
// have the form of filepath.WalkDir's; skip reports which files and directories to leave out.
func Find(t *testing.T, dirs []string, skip func(path string) bool, secrets []Secret) []string {
	t.Helper()
	search := newSearch(secrets)
	var found []string
	for _, dir := range dirs {
		if err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case skip != nil && skip(path) && entry.IsDir():
				return filepath.SkipDir
			case skip != nil && skip(path) || !entry.Type().IsRegular():
				return nil
			}
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			names := search.in(content, 0)
			for _, s := range secrets {
				if names[s.Name] {
					found = append(found, path+": "+s.Name)
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	return found
}

// search searches for all forms of all secrets at once.
type search struct {
	// forms maps the first eight bytes of the forms to the forms; begin marks their first two bytes.
	forms map[uint64][]form
	begin [1 << 16]bool
	// seen maps the hashes of contents to the secrets in them: many files contain the same encoded parts.
	seen map[[sha256.Size]byte]map[string]bool
}

type form struct{ name, text string }

// shortest is the minimum length of a form. Shorter ones could occur by chance.
const shortest = 8

func newSearch(secrets []Secret) *search {
	s := &search{forms: map[uint64][]form{}, seen: map[[sha256.Size]byte]map[string]bool{}}
	for _, secret := range secrets {
		for _, text := range forms(secret.Text) {
			if len(text) < shortest {
				panic("the secret " + secret.Name + " is too short to search for")
			}
			key := binary.LittleEndian.Uint64([]byte(text))
			s.forms[key] = append(s.forms[key], form{secret.Name, text})
			s.begin[uint16(key)] = true
		}
	}
	return s
}

// deepest is the largest number of nested encodings: a command in the base64 of UTF-16 has files that are compressed
// and in base64, each in base64 again.
const deepest = 8

// in returns the names of the secrets in a content and in its decoded parts.
func (s *search) in(content []byte, depth int) map[string]bool {
	sum := sha256.Sum256(content)
	if names, ok := s.seen[sum]; ok {
		return names
	}
	names := map[string]bool{}
	for i := 0; i+shortest <= len(content); i++ {
		if !s.begin[binary.LittleEndian.Uint16(content[i:])] {
			continue
		}
		for _, f := range s.forms[binary.LittleEndian.Uint64(content[i:])] {
			if bytes.HasPrefix(content[i:], []byte(f.text)) {
				names[f.name] = true
			}
		}
	}
	if depth < deepest {
		for _, part := range decoded(content) {
			for name := range s.in(part, depth+1) {
				names[name] = true
			}
		}
	}
	s.seen[sum] = names
	return names
}

var (
	gzipMark = []byte{0x1f, 0x8b, 8}
	zipMark  = []byte("PK\x03\x04")
)

// decoded returns the parts of a content that are compressed, wherever they begin, or in base64; and its text if it is
// in UTF-16. A tar archive needs no decoding: it contains its files unchanged.
func decoded(content []byte) [][]byte {
	var parts [][]byte
	for rest := content; ; {
		i := bytes.Index(rest, gzipMark)
		if i < 0 {
			break
		}
		rest = rest[i:]
		if z, err := gzip.NewReader(bytes.NewReader(rest)); err == nil {
			// Ignore errors about data after the end or a missing end.
			part, _ := io.ReadAll(z)
			parts = append(parts, part)
		}
		rest = rest[len(gzipMark):]
	}
	if i := bytes.Index(content, zipMark); i >= 0 {
		parts = append(parts, unzipped(content[i:])...)
	}
	for text := range encoded(content) {
		parts = append(parts, fromBase64(text))
		// The characters before gzipBase64 are not part of the compressed data.
		if i := strings.Index(text, gzipBase64); i > 0 {
			parts = append(parts, fromBase64(text[i:]))
		}
	}
	if text, ok := fromUTF16(content); ok {
		parts = append(parts, text)
	}
	return parts
}

// gzipBase64 is the beginning of gzip data in base64.
const gzipBase64 = "H4sI"

// fromBase64 decodes a text, or only its whole groups of four characters if the last group is not valid.
func fromBase64(text string) []byte {
	b, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		b, _ = base64.RawStdEncoding.DecodeString(text[:len(text)/4*4])
	}
	return b
}

func unzipped(content []byte) [][]byte {
	archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return nil
	}
	var parts [][]byte
	for _, file := range archive.File {
		if r, err := file.Open(); err == nil {
			part, _ := io.ReadAll(r)
			parts = append(parts, part)
		}
	}
	return parts
}

// fromUTF16 decodes a text in UTF-16 with the lower byte first, the encoding of a PowerShell command. Most of its
// characters must be ASCII.
func fromUTF16(content []byte) ([]byte, bool) {
	zeros := 0
	for i := 1; i < len(content); i += 2 {
		if content[i] == 0 {
			zeros++
		}
	}
	if len(content) < 2*shortest || zeros < len(content)/4 {
		return nil, false
	}
	units := make([]uint16, len(content)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(content[2*i:])
	}
	return []byte(string(utf16.Decode(units))), true
}

// forms returns the forms that a text may have in a file, besides those that decoded decodes: unchanged, in JSON, in
// JSON in JSON, in base64, in base64 in base64 (the kubeconfig in an answer of Azure), in UTF-16 and in hexadecimal
// digits.
func forms(text string) []string {
	all := append([]string{text}, jsonForms(text)...)
	for _, form := range jsonForms(text) {
		all = append(all, jsonForms(form)...)
	}
	wide := inUTF16(text)
	for _, form := range slices.Concat(base64Forms(text), base64Forms(wide)) {
		all = append(append(all, form), base64Forms(form)...)
	}
	digits := hex.EncodeToString([]byte(text))
	all = append(all, wide, digits, strings.ToUpper(digits))
	slices.Sort(all)
	return slices.Compact(all)
}

func inUTF16(text string) string {
	var b []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		b = binary.LittleEndian.AppendUint16(b, unit)
	}
	return string(b)
}

// jsonForms returns a text as the content of a JSON string, with and without escapes for HTML.
func jsonForms(text string) []string {
	var both []string
	for _, html := range []bool{true, false} {
		var out strings.Builder
		encoder := json.NewEncoder(&out)
		encoder.SetEscapeHTML(html)
		if err := encoder.Encode(text); err != nil {
			panic(err)
		}
		quoted := strings.TrimSpace(out.String())
		both = append(both, quoted[1:len(quoted)-1])
	}
	return both
}

// base64Forms returns the base64 of a text inside of a longer text, which depends on the number of bytes before it. It
// leaves out the characters that also encode bytes of the longer text.
func base64Forms(text string) []string {
	var all []string
	for before := range 3 {
		encoded := base64.RawStdEncoding.EncodeToString(append(make([]byte, before), text...))
		first := (8*before + 5) / 6
		whole := 8 * (before + len(text)) / 6
		all = append(all, encoded[first:whole])
	}
	return all
}
