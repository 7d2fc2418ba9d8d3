package provider

import (
	"fmt"
	"go/doc/comment"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	leading = regexp.MustCompile(`^[A-Z]\w*`)
	// links are links of Go's documentation.
	links = regexp.MustCompile(`\[(\*?[A-Za-z][\w./]*)\]`)
	// names are words that can be names of fields: those with a second capital, and others within a
	// sentence.
	names = regexp.MustCompile(`(^|[a-z,;:(]\s|[\s(])([A-Z][A-Za-z]*)\b`)
)

// otherwise are names of fields that are also names of other things.
var otherwise = []string{"Windows", "Linux", "Kubernetes", "ServiceMonitor"}

// description is a comment of Go for readers of another language: paragraphs and lists in Markdown,
// fields under their own names, and values in the place of constants. A paragraph that begins with "In
// Go" is left out. Deprecated says what comes instead. The comment is that of something in a package; in
// is its struct if it is a field.
func (c *comments) description(text, pkg, in, goName, name string) (said, deprecated string) {
	if first := leading.FindString(text); first == goName && name != "" {
		text = name + strings.TrimPrefix(text, first)
	}
	var kept, linked []string
	for paragraph := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		paragraph = links.ReplaceAllStringFunc(paragraph, func(link string) string {
			// What replaces it is no text for the printer, which would escape it.
			linked = append(linked, fmt.Sprintf("LINK%dKNIL", len(linked)), c.link(strings.Trim(link, "[*]"), pkg, in))
			return linked[len(linked)-2]
		})
		if in != "" {
			paragraph = c.fieldNames(paragraph, pkg+"."+in)
		}
		if rest, ok := strings.CutPrefix(paragraph, "Deprecated: "); ok {
			deprecated = strings.ReplaceAll(rest, "\n", " ")
		} else if !strings.HasPrefix(paragraph, "In Go") {
			kept = append(kept, paragraph)
		}
	}
	p := &comment.Parser{}
	doc := p.Parse(strings.Join(kept, "\n\n"))
	var printer comment.Printer
	printer.TextWidth = -1
	printed := string(printer.Markdown(doc))
	written := strings.NewReplacer(append(linked, "\\`", "`")...)
	return strings.TrimSpace(written.Replace(printed)), written.Replace(deprecated)
}

// link is what a link says in another language.
func (c *comments) link(to, pkg, in string) string {
	parts := strings.Split(to, ".")
	if first := parts[0]; first == strings.ToLower(first) && len(parts) > 1 {
		pkg, parts = path.Join(components, first), parts[1:]
	}
	full := pkg + "." + strings.Join(parts, ".")
	if value, ok := c.values[full]; ok {
		return "`" + value + "`"
	}
	for from, taken := range c.public {
		if path.Dir(from) == pkg && taken.name == parts[0] && len(parts) == 1 && c.values[from] != "" {
			return "`" + c.values[from] + "`"
		}
	}
	last := parts[len(parts)-1]
	if key := c.keys[full]; key != "" && len(parts) == 2 {
		if owner := strings.TrimSuffix(parts[0], "Args"); parts[0] != in && owner == parts[0] {
			return "`" + owner + "." + key + "`"
		}
		return "`" + key + "`"
	}
	for _, f := range Functions() {
		if components+"/"+f.Go == full {
			return "`" + lowerCamel(last) + "`"
		}
	}
	if made, ok := strings.CutPrefix(last, "New"); ok && len(parts) == 1 && c.docs[pkg+"."+made] != "" {
		return "`" + made + "`"
	}
	if made, ok := strings.CutSuffix(last, "Args"); ok && len(parts) == 1 {
		return "`" + made + "`"
	}
	return "`" + strings.Join(parts, ".") + "`"
}

// fieldNames writes the names of a struct's fields as other languages do.
func (c *comments) fieldNames(text, in string) string {
	return names.ReplaceAllStringFunc(text, func(found string) string {
		m := names.FindStringSubmatch(found)
		key := c.keys[in+"."+m[2]]
		humps := strings.IndexFunc(m[2][1:], func(r rune) bool { return r >= 'A' && r <= 'Z' }) >= 0
		begins, within := m[1] == "" && strings.HasPrefix(text, found), len(m[1]) > 1
		if key == "" || !humps && !within && !begins || slices.Contains(otherwise, m[2]) {
			return found
		}
		return m[1] + key
	})
}

func TestDescription(t *testing.T) {
	t.Parallel()
	const pkg = components + "/topology"
	c := &comments{
		docs: map[string]string{components + "/aks.Cluster": "Cluster is one."},
		keys: map[string]string{
			pkg + ".Pool.Name": "name", pkg + ".Pool.MaxPods": "maxPods", pkg + ".Pool.Windows": "windows",
			components + "/aks.ClusterArgs.Login": "login", components + "/aks.Cluster.Kubeconfig": "kubeconfig",
		},
		values: map[string]string{components + "/platform.Strict": "Strict", pkg + ".Default": "a"},
	}
	for _, tt := range []struct{ text, want string }{
		{"Name is one.\nIt is.", "name is one. It is."},
		{"One.\n\nIn Go, another.\n\nTwo.", "One.\n\nTwo."},
		{"The default is [Default], or [platform.Strict].", "The default is `a`, or `Strict`."},
		{"As [Pool.Name], [aks.ClusterArgs.Login] and [aks.Cluster.Kubeconfig].",
			"As `name`, `login` and `Cluster.kubeconfig`."},
		{"See [aks.NewCluster], [aks.ClusterArgs] and [NodeSelector].", "See `Cluster`, `Cluster` and `nodeSelector`."},
		{"MaxPods and Name are a Name of Windows. Name it.", "maxPods and name are a name of Windows. Name it."},
	} {
		if got, _ := c.description(tt.text, pkg, "Pool", "Name", "name"); got != tt.want {
			t.Errorf("description(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
	_, deprecated := c.description("One.\n\nDeprecated: use\ntwo.", pkg, "Pool", "Name", "name")
	if want := "use two."; deprecated != want {
		t.Errorf("deprecated %q, want %q", deprecated, want)
	}
}
