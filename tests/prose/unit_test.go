package prose_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/tests/prose"
)

func TestFind(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		source string
		want   []string
	}{
		"page.md": {
			"# A page\nfirst line\nsecond `some code` line\n\n```go\nnot this\n```\n- an item\n- [the link](x.md)\n" +
				"| a cell | another cell |\n<!-- not\nthis either -->\nthe end\n",
			[]string{
				"1 # A page", "2 first line second xxxxxxxxxxx line", "8 an item", "9 [the linkxxxxxxx", "10 a cell",
				"10 another cell", "13 the end",
			},
		},
		"main.go": {
			"// Package main is\n// short.\n//\n//\tnot this\n//\n// # A heading\n//\n// More text.\n" +
				"package main\n\n//go:generate not this\n\nimport \"not this/path\"\n\n" +
				"type t struct {\n\ta int `not:\"this\"`\n}\n\n" +
				"// word\nvar a = \"one \" +\n\tf(\"two words\") + \" three\"\n\nvar b = `a raw\nstring`\n",
			[]string{
				"1 Package main is short.", "6 # A heading", "8 More text.", "21 two words",
				"20 one %s three", "23 a raw string",
			},
		},
		"Makefile": {
			"# A comment\n# goes here.\nhelp: ## explain the targets\n\t@# In a recipe.\n\techo not this\n",
			[]string{"1 A comment goes here.", "3 explain the targets", "4 In a recipe."},
		},
		"code.ts": {"// A comment.\nconst a = 1 // not this\n", []string{"1 A comment."}},
		"code.py": {
			"\"\"\"Shows a page.\n\nIt has\ntwo lines.\n\"\"\"\na = 1\n# A comment.\n\"\"\"One line.\"\"\"\n",
			[]string{"1 Shows a page.", "3 It has two lines.", "7 A comment. One line."},
		},
		"page.css":   {"/* Both\n * themes. */\na { b: c }\n/* In one. */\n", []string{"1 Both themes.", "4 In one."}},
		"Dockerfile": {"# A comment.\nFROM not this\n", []string{"1 A comment."}},
		"data.json":  {`{"a": "not this"}`, nil},
	} {
		units, err := prose.Find(name, []byte(tt.source))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var got []string
		for _, u := range units {
			heading := ""
			if u.Heading {
				heading = "# "
			}
			got = append(got, fmt.Sprint(u.Line(0), " ", heading, u.Masked))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
