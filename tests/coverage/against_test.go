package coverage

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The other place of each contradiction exists, and the row says what both state.
func TestContradictionsNameAPage(t *testing.T) {
	t.Parallel()
	all := sources(t)
	found := 0
	for _, s := range all {
		for _, r := range s.Rows {
			if r.Against == "" {
				continue
			}
			found++
			if r.Do == "" {
				t.Errorf("%s#%s: against: do does not say what each place states", s.file, r.ID)
			}
			var places []string
			for place := range strings.SplitSeq(r.Against, "; ") {
				if problem := placeProblem(place, all, fileOfProject); problem != "" {
					t.Errorf("%s#%s: against: %q %s", s.file, r.ID, place, problem)
				}
				if slices.Contains(places, place) {
					t.Errorf("%s#%s: against: %q is there twice", s.file, r.ID, place)
				}
				places = append(places, place)
			}
		}
	}
	if found < 50 {
		t.Errorf("there are only %d contradictions", found)
	}
}

// placeOfPage matches a line of a page, or the ID of a row.
var placeOfPage = regexp.MustCompile(`^([^ #]+\.(md|yaml))(?:#([^ #]+))?$`)

// placeProblem returns why a place is not one, or an empty string. A place is words with a space, an address, a line of
// a page that was read, a row of a file in testdata, by its line or ID, or a file of this project.
func placeProblem(place string, all []source, file func(string) string) string {
	if strings.HasPrefix(place, "https://") && !strings.Contains(place, " ") {
		return ""
	}
	parts := placeOfPage.FindStringSubmatch(place)
	switch {
	case parts == nil && strings.Contains(place, ".md#"):
		return "has words after the line, which belong into do"
	case parts == nil && !strings.Contains(place, " "):
		return "is neither FILE.md#LINE nor words"
	case parts == nil:
		return ""
	}
	name, extension, at := parts[1], parts[2], parts[3]
	if strings.Contains(name, "/") && file(name) != "" {
		return ""
	}
	for _, s := range all {
		stem := strings.TrimSuffix(s.file[strings.LastIndex(s.file, "/")+1:], ".yaml")
		if extension == "yaml" && stem+".yaml" == name {
			isAt := func(r row) bool { return r.ID == at }
			if at == "" || isLine.MatchString(at) || slices.ContainsFunc(s.Rows, isAt) {
				return ""
			}
		}
		if extension == "md" && (stem+".md" == name || strings.HasSuffix("/"+s.Page, "/"+name)) {
			if !isLine.MatchString(at) {
				return "has no line"
			}
			return ""
		}
	}
	return "is not a page that was read"
}

var isLine = regexp.MustCompile(`^[1-9][0-9]*$`)

func TestPlaces(t *testing.T) {
	t.Parallel()
	all := []source{
		{Page: "articles/aks/a.md", file: "aks/a.yaml", Rows: []row{{ID: "first"}}},
		{Page: "articles/aks/includes/b.md", file: "aks/includes__b.yaml"},
	}
	file := func(name string) string { return map[string]string{"docs/rules/aks.md": "text"}[name] }
	const unread = "is not a page that was read"
	for place, want := range map[string]string{
		"a.md#12":                 "",
		"articles/aks/a.md#12":    "",
		"includes/b.md#3":         "",
		"includes__b.md#3":        "",
		"a.yaml#first":            "",
		"a.yaml#7":                "",
		"a.yaml":                  "",
		"docs/rules/aks.md#mk763": "",
		"https://example.com/":    "",
		"nodes have managed":      "",
		"z.md#12":                 unread,
		"includes/a.md#12":        unread,
		"a.yaml#second":           unread,
		"docs/aks.md#next-steps":  unread,
		"a.md":                    "has no line",
		"a.md#first":              "has no line",
		"a.md#12 (twelve)":        "has words after the line, which belong into do",
		"a.md#12 and b.md#13":     "has words after the line, which belong into do",
		"nodes":                   "is neither FILE.md#LINE nor words",
	} {
		if got := placeProblem(place, all, file); got != want {
			t.Errorf("%s: %q, want %q", place, got, want)
		}
	}
}
