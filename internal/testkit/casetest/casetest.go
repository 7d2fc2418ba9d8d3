// Package casetest reads the cases of tests from YAML files.
package casetest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// Files returns the values of the YAML files below a directory, by their paths in it without ".yaml". The pairs replace
// texts in the files, such as "$group". The test fails if there are no files, or if a field is unknown.
func Files[T any](t *testing.T, dir string, pairs ...string) map[string]T {
	t.Helper()
	all, err := read[T](dir, pairs)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Cases returns the cases of files that have several, by "FILE: NAME".
func Cases[T any](t *testing.T, dir string, pairs ...string) map[string]T {
	t.Helper()
	all := map[string]T{}
	for file, cases := range Files[map[string]T](t, dir, pairs...) {
		for name, c := range cases {
			all[file+": "+name] = c
		}
		if len(cases) == 0 {
			t.Fatalf("%s/%s.yaml: no cases", dir, file)
		}
	}
	return all
}

// Patch changes the fields of a value that a text in JSON has. It returns an error if a field is unknown.
func Patch(value any, patch []byte) error {
	if len(patch) == 0 {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(patch))
	decoder.DisallowUnknownFields()
	return decoder.Decode(value)
}

func read[T any](dir string, pairs []string) (map[string]T, error) {
	all := map[string]T{}
	replacer, err := inStrings(pairs)
	if err != nil {
		return nil, err
	}
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, strings.TrimSuffix(path, ".yaml"))
		if err != nil {
			return err
		}
		data, err := toJSON(content)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		var value T
		if err := Patch(&value, []byte(replacer.Replace(data))); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		all[filepath.ToSlash(name)] = value
		return nil
	})
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("%s: no cases", dir)
	}
	return all, err
}

// toJSON converts a file with one document.
func toJSON(content []byte) (string, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	var tree, more any
	if err := decoder.Decode(&tree); err != nil {
		return "", err
	}
	if err := decoder.Decode(&more); !errors.Is(err, io.EOF) {
		return "", errors.New("more than one document")
	}
	data, err := json.Marshal(tree)
	return string(data), err
}

// inStrings returns a replacer of texts in the strings of a document in JSON.
func inStrings(pairs []string) (*strings.Replacer, error) {
	var escaped []string
	for _, text := range pairs {
		data, err := json.Marshal(text)
		if err != nil {
			return nil, err
		}
		escaped = append(escaped, string(data[1:len(data)-1]))
	}
	return strings.NewReplacer(escaped...), nil
}
