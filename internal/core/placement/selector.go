package placement

import (
	"fmt"
	"strings"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

func (c *check) checkSelector() {
	for _, s := range c.pod.selector {
		by := &c.template
		if s.byClass {
			by = &c.admitted
		}
		switch c.nodes.compare(c.node, s.key, s.value) {
		case platform.Unknown:
			by.unsure = true
		case platform.No:
			c.refuse(by, c.kindOf(KindSelector, s.key), func() (string, string) {
				return c.mismatch(c.wordsFor(s), s.key, s.value)
			})
			c.about(s.key, s.byClass)
		case platform.Yes:
		}
	}
	if c.pod.unknown(PartSelector) {
		c.template.unsure = true
	}
}

// words are the words for what requires a label, and for the fix: another value, or no such label.
type words struct{ requires, change, drop string }

func (c *check) wordsFor(s selected) words {
	if !s.byClass {
		return words{"selects ", "select ", "remove " + s.key + " from the node selector"}
	}
	return words{
		requires: "RuntimeClass " + c.pod.RuntimeClass.Name + " selects ",
		change:   "use a RuntimeClass that selects ",
		drop:     "use a RuntimeClass that does not select " + s.key,
	}
}

// kindOf returns the kind of a rule about a label: the Windows build has its own kind.
func (c *check) kindOf(kind Kind, key string) Kind {
	if key == topology.LabelWindowsBuild && c.node.os == platform.WindowsOS {
		return KindBuild
	}
	return kind
}

// mismatch explains that the nodes have none of the values of a label.
func (c *check) mismatch(w words, key string, values ...string) (text, fix string) {
	if key == topology.LabelWindowsBuild {
		return c.buildMismatch(w, values)
	}
	required := key + "=" + values[0]
	if len(values) > 1 {
		required = key + " in (" + strings.Join(values, ", ") + ")"
	}
	if c.nodes.neverHas(c.node, key, values) {
		return w.requires + required + c.explainNever(key, values), w.drop
	}
	has, known := c.nodes.label(c.node, key)
	if known == absent {
		return c.missing(w, required, key)
	}
	fix = w.change + key + "=" + has
	text = w.requires + required + ", but its nodes have " + orEmpty(has)
	for _, value := range values {
		if strings.EqualFold(value, has) {
			return text + ", and case matters", fix
		}
	}
	return text, fix
}

// missing explains that the nodes do not have a label at all.
func (c *check) missing(w words, required, key string) (text, fix string) {
	text = w.requires + required + ", but its nodes have no label " + key
	if near, ok := nearKey(key, c.node.keys()); ok {
		is := near + "=" + c.node.object.Labels[near]
		return text + ", only " + is, w.change + is
	}
	return text, w.drop + ", or give the pool this label"
}

func (c *check) buildMismatch(w words, values []string) (text, fix string) {
	if c.node.os != platform.WindowsOS {
		return "needs build " + joinOr(values, describeBuild) + ", but its nodes run " + c.node.os.DisplayName(), w.drop
	}
	has, _ := c.nodes.label(c.node, topology.LabelWindowsBuild)
	fix = w.change + topology.LabelWindowsBuild + "=" + has
	for _, value := range values {
		if strings.HasPrefix(value, has+".") {
			return fmt.Sprintf("needs build %s, but its nodes have %s: the label has no revision", value, has), fix
		}
	}
	return "needs build " + joinOr(values, describeBuild) + ", but its nodes have " + describeBuild(has), fix
}
