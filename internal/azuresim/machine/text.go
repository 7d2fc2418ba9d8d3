package machine

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"io"
	"regexp"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// mostUnpacked bounds what a gzip stream may become.
const mostUnpacked = 8 << 20

// decodeBase64 takes base64 with and without its padding.
func decodeBase64(s string) ([]byte, bool) {
	data, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(s, "="))
	return data, err == nil && len(data) > 0
}

func gunzip(data []byte) ([]byte, bool) {
	if !bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		return nil, false
	}
	reader, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, false
	}
	unpacked, err := io.ReadAll(io.LimitReader(reader, mostUnpacked+1))
	return unpacked, err == nil && len(unpacked) <= mostUnpacked
}

// unpackedText is a text that may be gzipped.
func unpackedText(data []byte) string {
	if unpacked, ok := gunzip(data); ok {
		data = unpacked
	}
	return strings.TrimPrefix(string(data), "\ufeff")
}

// isText tells texts from what only happens to be base64.
func isText(s string) bool {
	return s != "" && utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
		return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7f || r == utf8.RuneError
	})
}

var base64Run = regexp.MustCompile(`[A-Za-z0-9+/]{22,}={0,2}`)

// shortestRun is that of base64 which is looked at.
const shortestRun = 24

// carriedTexts are those that a text has in base64, gzipped or not.
func carriedTexts(s string) []string {
	var texts []string
	for _, run := range base64Run.FindAllString(s, -1) {
		data, ok := decodeBase64(run)
		if len(run) < shortestRun || !ok {
			continue
		}
		if carried := unpackedText(data); isText(carried) {
			texts = append(texts, carried)
		}
	}
	return texts
}

var (
	powerShell = regexp.MustCompile(`(?i)\b(powershell|pwsh)\b`)
	argument   = regexp.MustCompile(`(?i)\s[-/](e[a-z]*)\s+["']?([^\s"']+)`)
)

const encodedCommand = "encodedcommand"

// encodedCommands are the texts that PowerShell takes in base64: the name of the
// argument may be cut anywhere.
func encodedCommands(command string) ([]string, error) {
	start := powerShell.FindStringIndex(command)
	if start == nil {
		return nil, nil
	}
	var texts []string
	for _, found := range argument.FindAllStringSubmatch(command[start[1]:], -1) {
		name := strings.ToLower(found[1])
		if name != "ec" && !strings.HasPrefix(encodedCommand, name) {
			continue
		}
		data, ok := decodeBase64(found[2])
		if !ok || len(data)%2 != 0 {
			return nil, errors.New("its -EncodedCommand is not base64 of UTF-16LE")
		}
		texts = append(texts, utf16Text(data))
	}
	return texts, nil
}

func utf16Text(data []byte) string {
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = uint16(data[2*i]) | uint16(data[2*i+1])<<8
	}
	return string(utf16.Decode(units))
}

var (
	lineComment  = regexp.MustCompile(`(?m)^[ \t]*#.*$`)
	blockComment = regexp.MustCompile(`(?s)<#.*?#>`)
)

// withoutComments leaves out the comments of shells, PowerShell and units that have lines
// of their own.
func withoutComments(program string) string {
	return lineComment.ReplaceAllString(blockComment.ReplaceAllString(program, ""), "")
}
