package machine

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"
)

// cloudConfig is what is looked at of a document of cloud-init
// (https://cloudinit.readthedocs.io/en/latest/reference/modules.html).
type cloudConfig struct {
	BootCmd    []any       `yaml:"bootcmd"`
	WriteFiles []writeFile `yaml:"write_files"`
	RunCmd     []any       `yaml:"runcmd"`
}

type writeFile struct {
	Path     string `yaml:"path"`
	Content  string `yaml:"content"`
	Encoding string `yaml:"encoding"`
	Append   bool   `yaml:"append"`
}

// cloudInit does what cloud-init does with customData.
func (d *disk) cloudInit(customData []byte) error {
	content := unpackedText(customData)
	switch {
	case strings.HasPrefix(content, "#!"):
		return d.run("customData", content)
	case !strings.HasPrefix(content, "#cloud-config"):
		return nil
	}
	var config cloudConfig
	if err := yaml.Unmarshal([]byte(content), &config); err != nil {
		return fmt.Errorf("the #cloud-config document is not valid YAML: %s", yamlReason(err))
	}
	for _, f := range config.WriteFiles {
		if err := d.writeFile(f); err != nil {
			return err
		}
	}
	for _, part := range []struct {
		name     string
		commands []any
	}{{"bootcmd", config.BootCmd}, {"runcmd", config.RunCmd}} {
		for i, command := range part.commands {
			line, ok := commandLine(command)
			if !ok {
				return fmt.Errorf("command %d of %s is neither a text nor a list of texts", i+1, part.name)
			}
			d.reach(text{name: part.name, content: line, program: true})
		}
	}
	return nil
}

func (d *disk) writeFile(f writeFile) error {
	if f.Path == "" {
		return errors.New("a file of write_files has no path")
	}
	content := f.Content
	if strings.Contains(f.Encoding, "b64") || strings.Contains(f.Encoding, "base64") {
		data, ok := decodeBase64(strings.Join(strings.Fields(content), ""))
		if !ok {
			return fmt.Errorf("the content of %s is not base64", f.Path)
		}
		content = string(data)
	}
	if strings.HasPrefix(f.Encoding, "gz") {
		unpacked, ok := gunzip([]byte(content))
		if !ok {
			return fmt.Errorf("the content of %s is not gzipped", f.Path)
		}
		content = string(unpacked)
	}
	if before := d.files[d.pathKey(f.Path)]; f.Append && before != nil {
		content = before.content + content
	}
	d.addFile(f.Path, content)
	return nil
}

// commandLine is a command of cloud-init, which may be a list of words.
func commandLine(command any) (string, bool) {
	words, isList := command.([]any)
	if !isList {
		line, ok := command.(string)
		return line, ok
	}
	line := make([]string, len(words))
	for i, word := range words {
		switch word.(type) {
		case string, int, float64, bool:
			line[i] = fmt.Sprint(word)
		default:
			return "", false
		}
	}
	return strings.Join(line, " "), true
}

var yamlLine = regexp.MustCompile(`line \d+`)

// yamlReason is what is wrong with a document. It leaves out the values, which may be
// secrets.
func yamlReason(err error) string {
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	var wrongType *yaml.TypeError
	if !errors.As(err, &wrongType) && !strings.ContainsAny(message, "`'\"") {
		return message
	}
	if line := yamlLine.FindString(message); line != "" {
		return line + " is not what it should be"
	}
	return "a value is not what it should be"
}
