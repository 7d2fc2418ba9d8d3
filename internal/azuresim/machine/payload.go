package machine

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// file is a file on the disk of a machine, and files are all files by their paths.
type (
	file struct {
		content    string
		executable bool
	}
	files map[string]file
)

// mostUnpacked limits the size of an unpacked payload.
const mostUnpacked = 8 << 20

// unpack decompresses a text.
func unpack(data []byte) (string, error) {
	reader, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return "", errors.New("the value is not gzip")
	}
	text, err := io.ReadAll(io.LimitReader(reader, mostUnpacked+1))
	if err != nil {
		return "", errors.New("the value is not gzip")
	}
	if len(text) > mostUnpacked {
		return "", fmt.Errorf("the value has more than %d MiB when it is unpacked", mostUnpacked>>20)
	}
	return string(text), nil
}

// tableLine is a line of the payload of a LinuxScript: mode, path and content of a file. The content may be empty.
var tableLine = regexp.MustCompile(`^(0600|0644|0700|0755) ([A-Za-z0-9+/]+=*) ([A-Za-z0-9+/]*=*)\n$`)

func unpackTable(payload []byte) (files, error) {
	text, err := unpack(payload)
	if err != nil {
		return nil, err
	}
	disk, number := files{}, 0
	for line := range strings.Lines(text) {
		number++
		columns := tableLine.FindStringSubmatch(line)
		if columns == nil {
			return nil, tableError(number)
		}
		path, err := base64.StdEncoding.DecodeString(columns[2])
		if err != nil || !strings.HasPrefix(string(path), "/") {
			return nil, tableError(number)
		}
		content, err := base64.StdEncoding.DecodeString(columns[3])
		if err != nil {
			return nil, tableError(number)
		}
		disk[string(path)] = file{string(content), columns[1] == "0700" || columns[1] == "0755"}
	}
	return disk, nil
}

func tableError(line int) error {
	return fmt.Errorf("line %d is not understood: bootstrap.LinuxScript writes a mode (0600, 0644, 0700 or 0755) and, "+
		"in base64, a path that begins with / and a content", line)
}

// unpackJSON reads the payload of a WindowsScript or a WindowsCommand.
func unpackJSON(payload []byte) (files, error) {
	text, err := unpack(payload)
	if err != nil {
		return nil, err
	}
	var list struct {
		Files []struct {
			Path    *string `json:"path"`
			Content *string `json:"content"`
			Secret  *bool   `json:"secret"`
		} `json:"files"`
	}
	const format = `not understood: bootstrap writes JSON of the form {"files": [{"path", "content", "secret"}]}`
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&list); err != nil {
		return nil, errors.New(format)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) || list.Files == nil {
		return nil, errors.New(format)
	}
	disk := files{}
	for i, f := range list.Files {
		if f.Path == nil || f.Content == nil || f.Secret == nil {
			return nil, fmt.Errorf("files[%d]: %s", i, format)
		}
		if !strings.HasPrefix(*f.Path, "C:/") {
			return nil, fmt.Errorf("files[%d].path is not understood: bootstrap writes a path that begins with C:/", i)
		}
		disk[*f.Path] = file{content: *f.Content}
	}
	return disk, nil
}
