package machine

import (
	"encoding/base64"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/mixedkube/mixedkube/machines/bootstrap"
)

// cloudConfig is the part of a cloud-init document that machines/bootstrap writes.
type cloudConfig struct {
	Packages   any         `yaml:"packages"`
	WriteFiles []writeFile `yaml:"write_files"`
	RunCmd     any         `yaml:"runcmd"`
}

type writeFile struct {
	Path        string `yaml:"path"`
	Owner       any    `yaml:"owner"`
	Permissions string `yaml:"permissions"`
	Encoding    string `yaml:"encoding"`
	Content     string `yaml:"content"`
}

const (
	cloudConfigHeader = "#cloud-config\n"
	// cloudConfigFormat describes everything that is understood.
	cloudConfigFormat = "bootstrap.CloudConfig writes only write_files with path, owner root:root, " +
		"permissions 0600, 0644, 0700 or 0755 and content, as a block or with encoding b64, the package nftables for " +
		"a file that needs it, and the commands that start mixedkube-bootstrap"
)

// readCloudConfig returns the files on the disk after cloud-init. The document must be exactly what bootstrap would
// write for these files.
func readCloudConfig(text string) (files, error) {
	if !strings.HasPrefix(text, cloudConfigHeader) {
		return nil, fmt.Errorf("line 1 is not %q: %s", strings.TrimSpace(cloudConfigHeader), cloudConfigFormat)
	}
	decoder := yaml.NewDecoder(strings.NewReader(text))
	decoder.KnownFields(true)
	var config cloudConfig
	if err := decoder.Decode(&config); err != nil {
		return nil, fmt.Errorf("%s: %s", yamlReason(err), cloudConfigFormat)
	}
	written := make([]bootstrap.File, len(config.WriteFiles))
	disk := files{}
	for i, f := range config.WriteFiles {
		written[i] = f.file()
		disk[f.Path] = file{written[i].Content, written[i].Executable}
	}
	if line := firstDifference(text, bootstrap.CloudConfig(written)); line > 0 {
		return nil, fmt.Errorf("line %d is not understood: %s", line, cloudConfigFormat)
	}
	return disk, nil
}

// file converts to bootstrap's type. An invalid value becomes another one, and the comparison of the documents then
// finds the difference.
func (f writeFile) file() bootstrap.File {
	content := f.Content
	if f.Encoding == "b64" {
		data, _ := base64.StdEncoding.DecodeString(content)
		content = string(data)
	}
	return bootstrap.File{
		Path: f.Path, Content: content,
		Secret:     f.Permissions == "0600" || f.Permissions == "0700",
		Executable: f.Permissions == "0700" || f.Permissions == "0755",
	}
}

// firstDifference returns the number of the first line that differs from the wanted text, 0 if there is none.
func firstDifference(text, want string) int {
	if text == want {
		return 0
	}
	lines, others := strings.SplitAfter(text, "\n"), strings.SplitAfter(want, "\n")
	for i, line := range lines {
		if i == len(others) || line != others[i] {
			return i + 1
		}
	}
	return len(lines) + 1
}

var (
	yamlLine   = regexp.MustCompile(`line \d+`)
	unknownKey = regexp.MustCompile(`^(line \d+): field (\S+) not found in type `)
)

// yamlReason returns the reason and the first line of a decoding error. It leaves out the values, which may be secrets.
func yamlReason(err error) string {
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	if wrong, ok := errors.AsType[*yaml.TypeError](err); ok {
		message = wrong.Errors[0]
		if found := unknownKey.FindStringSubmatch(message); found != nil {
			return fmt.Sprintf("%s: the key %s is not understood", found[1], found[2])
		}
	} else if !strings.ContainsAny(message, "`'\"") {
		return "not valid YAML: " + message
	}
	if line := yamlLine.FindString(message); line != "" {
		return line + " is not what it should be"
	}
	return "not valid YAML"
}
