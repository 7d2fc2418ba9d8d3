// Package leaks looks for secrets in files, in all forms that they may have there.
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
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

// Secret is a text that must be in no file.
type Secret struct{ Name, Text string }

// Find returns a line for each file below the folders that has a secret: its
// path and the secret's name. The paths are as filepath.WalkDir makes them; skip says
// which files and folders to leave out.
func Find(t *testing.T, folders []string, skip func(path string) bool, secrets []Secret) []string {
	t.Helper()
	search := newSearch(secrets)
	var found []string
	for _, folder := range folders {
		if err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
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

// search looks for all forms of secrets at once.
type search struct {
	// forms are by their first eight bytes, and begin says with which two they begin.
	forms map[uint64][]form
	begin [1 << 16]bool
	// seen has what was found in the parts of files that are in a code: most are in many.
	seen map[[sha256.Size]byte]map[string]bool
}

type form struct{ name, text string }

// shortest is the length of a form that chance does not make.
const shortest = 8

func newSearch(secrets []Secret) *search {
	s := &search{forms: map[uint64][]form{}, seen: map[[sha256.Size]byte]map[string]bool{}}
	for _, secret := range secrets {
		for _, text := range forms(secret.Text) {
			if len(text) < shortest {
				panic("the secret " + secret.Name + " is too short to be looked for")
			}
			key := binary.LittleEndian.Uint64([]byte(text))
			s.forms[key] = append(s.forms[key], form{secret.Name, text})
			s.begin[uint16(key)] = true
		}
	}
	return s
}

// deepest is how many codes one text is in: a command in the base64 of UTF-16 has files
// that are compressed and in base64, in base64 each.
const deepest = 8

// in are the names of the secrets in a content, and in all that is in it in a code.
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
	// encoded is what can have something compressed, or UTF-16, in it. Lines of a fixed
	// length are taken together, also where their ends are escaped.
	encoded = regexp.MustCompile(`[A-Za-z0-9+/]{32,}(?:(?:\\r|\\n|[\r\n])+[A-Za-z0-9+/]{4,})*={0,2}`)
	lineEnd = regexp.MustCompile(`\\r|\\n|[\r\n]`)
)

// decoded are the parts of a content that are compressed, wherever they begin, or in base64;
// and the text of one in UTF-16. An archive of tar has its files as they are.
func decoded(content []byte) [][]byte {
	var parts [][]byte
	for rest := content; ; {
		i := bytes.Index(rest, gzipMark)
		if i < 0 {
			break
		}
		rest = rest[i:]
		if z, err := gzip.NewReader(bytes.NewReader(rest)); err == nil {
			// What is behind it, or missing at its end, does not matter.
			part, _ := io.ReadAll(z)
			parts = append(parts, part)
		}
		rest = rest[len(gzipMark):]
	}
	if i := bytes.Index(content, zipMark); i >= 0 {
		parts = append(parts, unzipped(content[i:])...)
	}
	for _, part := range encoded.FindAll(content, -1) {
		text := strings.TrimRight(lineEnd.ReplaceAllString(string(part), ""), "=")
		parts = append(parts, fromBase64(text))
		// Letters before it belong to something else.
		if i := strings.Index(text, gzipBase64); i > 0 {
			parts = append(parts, fromBase64(text[i:]))
		}
	}
	if text, ok := fromUTF16(content); ok {
		parts = append(parts, text)
	}
	return parts
}

// gzipBase64 is how something compressed begins in base64.
const gzipBase64 = "H4sI"

// fromBase64 decodes whole groups of four, and the last one if it is of the text.
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

// fromUTF16 is a text of UTF-16 with the lower byte first, as PowerShell takes a command,
// most of whose characters are ASCII.
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

// forms are what a text may look like in a file beside what is decoded: as it is, in JSON, in
// JSON in JSON, in base64, in base64 in base64, as the kubeconfig that Azure answers is, in
// UTF-16 and in hexadecimal digits.
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

// jsonForms are a text in a string of JSON, with and without escapes for HTML.
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

// base64Forms are what a text becomes as a part of something longer, which depends on
// how many bytes are before it. Characters that other bytes have a share in are left
// out.
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
