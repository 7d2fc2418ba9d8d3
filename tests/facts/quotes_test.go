package facts

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

var (
	mark   = regexp.MustCompile(`«([^»]*)»`)
	ofFact = regexp.MustCompile(`^[\w.]+`)
)

// written are values that pages write in another way than the facts.
var written = map[string]string{
	"five": "5", "2 GB": "2048", "three months": "2160", "NFS": "nfs", "Fuse": "fuse",
	"1 3.5": "1 vCPUs — 3.5 GB",
	// CachedDiskBytes and MaxResourceVolumeMB, in GiB.
	"53687091200": "50", "1717986918400": "1600", "274877906944": "256", "92341796864": "86", "153600": "150",
	"614400": "600",
}

// quotes compares facts with the values that are marked in sentences of pages. Several facts can have one value.
func quotes(t *testing.T) (found []string) {
	t.Helper()
	for _, row := range rows(t, "quotes") {
		var want, got []string
		for _, match := range mark.FindAllStringSubmatch(row[2], -1) {
			want = append(want, asFact(match[1]))
		}
		for path := range strings.FieldsSeq(row[0]) {
			got = append(got, at(t, path, want[min(len(got), len(want)-1)])...)
		}
		if len(want) == 1 {
			want = slices.Repeat(want, len(got))
		}
		if !strings.Contains(row[0], " ") {
			slices.Sort(want)
			slices.Sort(got)
		}
		differ(&found, row[0], got, want)
	}
	return found
}

// asFact returns a value of a page in the form that facts have.
func asFact(text string) string {
	if value, ok := written[text]; ok {
		return value
	}
	for _, layout := range []string{"January 2, 2006", "January 02, 2006"} {
		if day, err := time.Parse(layout, text); err == nil {
			return day.Format(time.DateOnly)
		}
	}
	if month, err := time.Parse("January 2006", text); err == nil {
		return month.AddDate(0, 1, -1).Format(time.DateOnly)
	}
	return strings.ReplaceAll(text, ",", "")
}

// at returns the parts of facts below a path. With "~" the end of a part is returned if it is the wanted value.
func at(t *testing.T, path, want string) (texts []string) {
	t.Helper()
	name, isEnd := strings.CutSuffix(path, "~")
	if values[factOf(name)] == nil {
		t.Fatalf("quotes.tsv names %s, which is not in values", path)
	}
	for _, l := range leaves(factOf(name)) {
		if rest, ok := strings.CutPrefix(l.path, name); !ok || rest != "" && rest[0] != '.' && rest[0] != '[' {
			continue
		}
		text := l.text()
		if isEnd && strings.HasSuffix(text, want) {
			text = want
		}
		texts = append(texts, text)
	}
	if len(texts) == 0 {
		t.Fatalf("quotes.tsv names %s, which no fact has", path)
	}
	return texts
}

// factOf returns the name of the fact that a path begins with.
func factOf(path string) string {
	name := ofFact.FindString(path)
	for values[name] == nil && strings.Contains(name, ".") {
		name = name[:strings.LastIndex(name, ".")]
	}
	return name
}
