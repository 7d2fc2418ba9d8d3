package coverage

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

const root = "../.."

// source is a file in testdata: a page and its limitations.
type source struct {
	// Page is a path in Repo at Commit, or an address that was read in a copy of Day.
	// The commit can be a tag.
	Page, Repo, Commit, Day string
	// Updated is the day that a page at Commit has as its own, or the day of the commit if it has none.
	Updated string
	// Later is the commit at which the lines from Line on were read, if it is another one.
	Later struct {
		Line   int
		Commit string
	}
	Rows []row

	// file is the path below testdata.
	file string
}

// row is a limitation.
type row struct {
	ID     string
	Line   int
	States string

	Rule, Fact, Sim, Lab, Page, Not, Open string

	// Quote is copied from Page.
	Quote string `yaml:"says"`

	// Day is the day of the line, if it is not that of the page: a page of release notes has a day for each note.
	Against, Follows, Do, Day string
}

// fates returns what became of a row, by the key.
func (r row) fates() map[string]string {
	all := map[string]string{
		"rule": r.Rule, "fact": r.Fact, "sim": r.Sim, "lab": r.Lab, "page": r.Page, "not": r.Not, "open": r.Open,
	}
	for key, text := range all {
		if text == "" {
			delete(all, key)
		}
	}
	return all
}

// repositories are the repositories of the pages in a directory of testdata that do not name theirs.
var repositories = map[string]struct{ repo, commit, day string }{
	"aks": {"MicrosoftDocs/azure-aks-docs", "fb060abe6a8fef960d4c487b543bf7b1e97808fe", "2026-08-21"},
	"windows": {
		"MicrosoftDocs/Virtualization-Documentation", "77e0742a8029cf3b5a96c84dfab2ce7ba623286c", "2026-08-07",
	},
	"kubernetes": {"kubernetes/kubernetes", "", ""},
}

// sources reads all pages, in the order of their files.
func sources(t *testing.T) []source {
	t.Helper()
	var all []source
	err := filepath.WalkDir("testdata", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".yaml" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var s source
		decoder := yaml.NewDecoder(bytes.NewReader(text))
		decoder.KnownFields(true)
		if err := decoder.Decode(&s); err != nil {
			t.Errorf("%s: %v", path, err)
			return nil
		}
		s.file = filepath.ToSlash(strings.TrimPrefix(path, "testdata"+string(filepath.Separator)))
		of := repositories[strings.Split(s.file, "/")[0]]
		if s.Repo == "" && !strings.HasPrefix(s.Page, "https://") {
			s.Repo = of.repo
			if s.Commit == "" {
				s.Commit, s.Day = of.commit, of.day
			}
		}
		all = append(all, s)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
