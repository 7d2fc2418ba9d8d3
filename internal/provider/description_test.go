package provider

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/doc/comment"
	gotoken "go/token"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/components/hostprocess"
	"github.com/mixedkube/mixedkube/core/topology"
)

var (
	zeroValue = regexp.MustCompile(`The zero\svalue(\s)`)
	leading   = regexp.MustCompile(`^[A-Z]\w*`)
	// links are links of Go's documentation.
	links = regexp.MustCompile(`\[(\*?[A-Za-z][\w./]*)\]`)
	// names are words that can be names of fields, and inSentence is the text before such a word within a sentence.
	names      = regexp.MustCompile(`\b[A-Z][A-Za-z]*\b`)
	inSentence = regexp.MustCompile(`[a-z,;:(]\s$`)
	// ownPage is a reference to the comment of the package itself.
	ownPage = regexp.MustCompile(`the package's\sdocumentation`)
)

// spelled writes names of fields of other types as other languages do.
var spelled = strings.NewReplacer(
	"Metadata.Name()", "[metadata.name]", "Options.AadProfile", "[options.aadProfile]", "OsSKU", "[osSKU]",
	"NodeCIDR", "[nodeCIDR]", "BlockedEgress", "[blockedEgress]", "the CustomLogFormat", "the [customLogFormat]",
	"its Name, that of the release", "its name, that of the release",
)

// notFields are names of fields that are also names of other things.
var notFields = []string{
	"FIPS", "GUID", "ID", "Kubernetes", "Linux", "RuntimeClasses", "Secrets", "ServiceMonitor", "Windows",
}

// description returns a comment of Go for readers of another language: paragraphs and lists in Markdown, the names of
// fields in that language, and values instead of constants. It omits paragraphs that begin with "In Go". The text after
// "Deprecated:" is returned separately. The comment describes an object of the package pkg; if this is a field, in is
// its struct.
func (c *comments) description(text, pkg, in, goName, name string) (description, deprecated string) {
	if first := leading.FindString(text); first == goName && name != "" {
		text = name + strings.TrimPrefix(text, first)
	}
	text = zeroValue.ReplaceAllString(text, "Left out, it$1")
	text = spelled.Replace(text)
	var paragraphs, linked []string
	// The printer would escape the replacement of a link: protect returns a placeholder for it.
	protect := func(markdown string) string {
		linked = append(linked, fmt.Sprintf("LINK%dKNIL", len(linked)), markdown)
		return linked[len(linked)-2]
	}
	inGo := false
	for paragraph := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		// The code after such a paragraph is omitted too.
		inGo = strings.HasPrefix(paragraph, "In Go") || inGo && strings.HasPrefix(paragraph, "\t")
		paragraph = references.ReplaceAllStringFunc(paragraph, func(clause string) string {
			for _, link := range links.FindAllString(clause, -1) {
				if c.link(strings.Trim(link, "[*]"), pkg, in) != "" {
					return clause
				}
			}
			return ""
		})
		paragraph = links.ReplaceAllStringFunc(paragraph, func(link string) string {
			to := strings.Trim(link, "[*]")
			return protect(cmp.Or(c.link(to, pkg, in), "`"+to+"`"))
		})
		paragraph = ownPage.ReplaceAllStringFunc(paragraph, func(string) string {
			return protect("[the package's documentation](https://pkg.go.dev/" + pkg + ")")
		})
		if in != "" {
			paragraph = c.fieldNames(paragraph, pkg+"."+in)
		}
		if rest, ok := strings.CutPrefix(paragraph, "Deprecated: "); ok {
			deprecated = strings.ReplaceAll(rest, "\n", " ")
		} else if !inGo {
			paragraphs = append(paragraphs, paragraph)
		}
	}
	p := &comment.Parser{}
	doc := p.Parse(strings.Join(paragraphs, "\n\n"))
	var printer comment.Printer
	printer.TextWidth = -1
	printed := string(printer.Markdown(doc))
	written := strings.NewReplacer(append(linked, "\\`", "`")...)
	return strings.TrimSpace(written.Replace(printed)), written.Replace(deprecated)
}

// references are clauses that only refer to something. They are omitted if it exists only in Go.
var references = regexp.MustCompile(
	`\s\(see \[[\w.]+\]\)|\sSee \[[\w.]+\]\.|[;:,]\ssee \[[\w.]+\](?:\sand\s\[[\w.]+\])?`)

// words are the terms in other languages for functions, methods and options of Go. A clause that only refers to one
// without a term is omitted.
var words = map[string]string{
	"aks.Cluster.Provider":             "the provider of the cluster",
	"aks.ExistingArgs":                 "`ExistingCluster`",
	"aks.Existing":                     "`ExistingCluster`",
	"aks.ExistingCluster.NewNodePool":  "`NodePool`",
	"aks.NodePool.Pool":                "the pool that a program in Go gets",
	"bootstrap.Join.EncryptionKeys":    "keys for that",
	"bootstrap.PauseImage":             "the one that fits the platform and the version of a pool",
	"images.Lock":                      "`mixedkube images lock`",
	"logmonitor.Forever":               "`-1`",
	"network.Defaulted.EgressPolicies": "", // it has the name of the output that refers to it
	"network.Defaulted.Ports":          "components/kubeadm/FLOWS.md",
	"path/filepath.Match":              "https://pkg.go.dev/path/filepath#Match",
	"bootstrap.KnownReleases":          "what this version of mixedkube knows",
	"gmsa.CredentialSpec.Allow":        "a RoleBinding of your own",
	"hostprocess.DefaultCollectors":    code(hostprocess.DefaultCollectors()),
	"hostprocess.DefaultLogMonitors":   code(slices.Sorted(maps.Keys(hostprocess.DefaultLogMonitors()))),
	"hostprocess.PrivateSources":       code(hostprocess.PrivateSources()),
	"platform.Image.ByTag":             "`byTag`",
	"pulumi.Import":                    "the option `import`",
	"topology.FromNodes":               "`mixedkube topology`",
	"topology.GKEWindowsTaint":         "`" + topology.FormatTaint(topology.GKEWindowsTaint()) + "`",
	"topology.PoolPlatforms":           code(topology.PoolPlatforms()),
	"topology.WindowsTaint":            "`" + topology.FormatTaint(topology.WindowsTaint()) + "`",
}

// code returns a list of values in Markdown.
func code[Text ~string](values []Text) string {
	quoted := make([]string, len(values))
	for i, v := range values {
		quoted[i] = "`" + string(v) + "`"
	}
	return strings.Join(quoted, ", ")
}

// link returns the text of a link in another language, "" if there is no name for its target.
func (c *comments) link(to, pkg, in string) string {
	if term, ok := words[to]; ok {
		return term
	}
	pkg, to = c.full(pkg, to)
	full := pkg + "." + to
	if term, ok := words[path.Base(full)]; ok {
		return term
	}
	parts := strings.Split(to, ".")
	if value, ok := c.value(full); ok && len(parts) == 1 {
		return "`" + value + "`"
	}
	last := parts[len(parts)-1]
	if key := c.key(pkg, parts); key != "" {
		if owner := strings.TrimSuffix(parts[0], "Args"); parts[0] != in && owner == parts[0] {
			return "`" + owner + "." + key + "`"
		}
		return "`" + key + "`"
	}
	for _, f := range Functions() {
		if in, name := c.full(thisPackage, f.Go); in+"."+name == full {
			return "`" + lastPart(f.Token) + "`"
		}
	}
	made, isNew := strings.CutPrefix(last, "New")
	named := strings.TrimSuffix(made, "Args")
	_, isType := c.docs[pkg+"."+named]
	if len(parts) == 1 && isType && (isNew || !c.functions[full]) {
		return "`" + named + "`"
	}
	return ""
}

// full returns the package of a name that a package uses, and the name in the former.
func (c *comments) full(pkg, name string) (in, rest string) {
	first, rest, ok := strings.Cut(name, ".")
	if !ok || first != strings.ToLower(first) {
		return pkg, name
	}
	return c.imports[pkg][first], rest
}

// lastPart returns the name in a token.
func lastPart(token string) string { return token[strings.LastIndex(token, ":")+1:] }

// key returns the name of a field of a type of a package, "" if it has none.
func (c *comments) key(pkg string, parts []string) string {
	if len(parts) != 2 {
		return ""
	}
	owner := pkg + "." + parts[0]
	return c.keys[cmp.Or(c.aliases[owner], owner)+"."+parts[1]]
}

// fieldNames writes the names of a struct's fields as other languages do.
func (c *comments) fieldNames(text, in string) string {
	var written strings.Builder
	end := 0
	for _, at := range names.FindAllStringIndex(text, -1) {
		before, name := text[:at[0]], text[at[0]:at[1]]
		key := c.keys[in+"."+name]
		humps := strings.IndexFunc(name[1:], func(r rune) bool { return r >= 'A' && r <= 'Z' }) >= 0
		apart := before == "" || strings.ContainsAny(before[len(before)-1:], " \n\t(")
		if key == "" || !apart || before != "" && !humps && !inSentence.MatchString(before) ||
			slices.Contains(notFields, name) {
			continue
		}
		written.WriteString(text[end:at[0]] + key)
		end = at[1]
	}
	return written.String() + text[end:]
}

func TestDescription(t *testing.T) {
	t.Parallel()
	const pkg, aks, platform, facts = "a/topology", "b/aks", "a/platform", "c/facts"
	c := &comments{
		imports: map[string]map[string]string{
			thisPackage: {"topology": pkg}, pkg: {"aks": aks, "platform": platform, "facts": facts},
		},
		aliases: map[string]string{aks + ".LoginMode": "d/plan.LoginMode"},
		docs:    map[string]string{aks + ".Cluster": "Cluster is one."},
		keys: map[string]string{
			pkg + ".Pool.Name": "name", pkg + ".Pool.MaxPods": "maxPods", pkg + ".Pool.Windows": "windows",
			aks + ".ClusterArgs.Login": "login", aks + ".Cluster.Kubeconfig": "kubeconfig",
			"d/plan.LoginMode.Text": "text",
		},
		literals: map[string]ast.Expr{
			platform + ".Strict": &ast.BasicLit{Kind: gotoken.STRING, Value: `"strict"`},
			pkg + ".Default": &ast.BinaryExpr{
				X: &ast.SelectorExpr{X: ast.NewIdent("facts"), Sel: ast.NewIdent("Image")},
				Y: &ast.BasicLit{Kind: gotoken.STRING, Value: `":1"`},
			},
			facts + ".Image": &ast.BasicLit{Kind: gotoken.STRING, Value: `"a_b"`},
		},
	}
	for _, tt := range []struct{ text, want string }{
		{"Name is one.\nIt is.", "name is one. It is."},
		{"One.\n\nIn Go, another.\n\nTwo.", "One.\n\nTwo."},
		{"The default is [Default], or [platform.Strict].", "The default is `a_b:1`, or `strict`."},
		{
			"As [Pool.Name], [aks.ClusterArgs.Login] and [aks.Cluster.Kubeconfig].",
			"As `name`, `login` and `Cluster.kubeconfig`.",
		},
		{"As [aks.LoginMode.Text].", "As `LoginMode.text`."},
		{"See [aks.NewCluster], [aks.ClusterArgs] and [NodeSelector].", "See `Cluster`, `Cluster` and `nodeSelector`."},
		{
			"One (see [Pool.Capacity]). Two; see [Pool.Capacity] and\n[Pool.Size]. See [Pool.Size]. See [Pool.Name].",
			"One. Two. See `name`.",
		},
		{"The zero value is 3.\n\nIn Go:\n\n\tgo()", "Left out, it is 3."},
		{"Give its Metadata.Name(), or none.", "Give its `metadata.name`, or none."},
		{"It has [topology.WindowsTaint].", "It has `os=windows:NoSchedule`."},
		{"MaxPods and Name are a Name of Windows. Name it.", "maxPods and name are a name of Windows. Name it."},
		{"With Name, it is Options.AadProfile.", "With name, it is `options.aadProfile`."},
		{"See the package's\ndocumentation.", "See [the package's documentation](https://pkg.go.dev/" + pkg + ")."},
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
