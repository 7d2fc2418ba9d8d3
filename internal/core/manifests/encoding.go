package manifests

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
)

// Decode returns the text of a file in UTF-8, and a function that encodes text in the file's encoding: Windows
// PowerShell writes UTF-16, and byte order marks.
func Decode(text []byte) (decoded []byte, encode func([]byte) []byte) {
	mark := []byte("\uFEFF")
	if rest, ok := bytes.CutPrefix(text, mark); ok {
		return rest, func(b []byte) []byte { return append(bytes.Clone(mark), b...) }
	}
	var order interface {
		binary.ByteOrder
		binary.AppendByteOrder
	}
	switch {
	case bytes.HasPrefix(text, []byte{0xFF, 0xFE}):
		order = binary.LittleEndian
	case bytes.HasPrefix(text, []byte{0xFE, 0xFF}):
		order = binary.BigEndian
	default:
		return text, func(b []byte) []byte { return b }
	}
	units := make([]uint16, 0, len(text)/2)
	for i := 2; i+1 < len(text); i += 2 {
		units = append(units, order.Uint16(text[i:]))
	}
	return []byte(string(utf16.Decode(units))), func(b []byte) []byte {
		out := order.AppendUint16(nil, 0xFEFF)
		for _, unit := range utf16.Encode([]rune(string(b))) {
			out = order.AppendUint16(out, unit)
		}
		return out
	}
}
