package hostile

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// goodCharts are charts, as people write them: each has good manifests as templates.
var goodCharts = []struct {
	name string
	lay  func(t *testing.T, m machine, all []good)
}{
	{"plain", func(t *testing.T, m machine, all []good) {
		t.Helper()
		m.templates(t, "shop/templates", all)
	}},
	{"values", func(t *testing.T, m machine, all []good) {
		t.Helper()
		write(t, m.at("shop/values.yaml"), fmt.Sprintf("first: %s\n", all[0].namespace))
		first := all[0]
		first.text = strings.ReplaceAll(first.text, first.namespace, "{{ .Values.first }}")
		m.templates(t, "shop/templates", append([]good{first}, all[1:]...))
	}},
	{"another chart in it", func(t *testing.T, m machine, all []good) {
		t.Helper()
		m.newChart(t, "shop/charts/cache")
		m.templates(t, "shop/charts/cache/templates", all[:2])
		m.templates(t, "shop/templates", all[2:])
	}},
	{"a packed chart in it", func(t *testing.T, m machine, all []good) {
		t.Helper()
		m.newChart(t, "cache")
		m.templates(t, "cache/templates", all[:2])
		m.templates(t, "shop/templates", all[2:])
		m.helm(t, "package", "cache", "--destination", "shop/charts")
	}},
	{"a link to a file in it", func(t *testing.T, m machine, all []good) {
		t.Helper()
		m.templates(t, "shop/files", all)
		for _, g := range all {
			link(t, "../files/"+g.namespace+".yaml", m.at("shop/templates/"+g.namespace+".yaml"))
		}
	}},
	{"a link to a directory in it", func(t *testing.T, m machine, all []good) {
		t.Helper()
		m.templates(t, "shop/files", all)
		write(t, m.at("shop/templates/_none.tpl"), "")
		link(t, "../files", m.at("shop/templates/more"))
	}},
	{"an absolute link to a file in it", func(t *testing.T, m machine, all []good) {
		t.Helper()
		m.templates(t, "shop/files", all)
		for _, g := range all {
			link(t, m.at("shop/files/"+g.namespace+".yaml"), m.at("shop/templates/"+g.namespace+".yaml"))
		}
	}},
	{"files that templates include", func(t *testing.T, m machine, all []good) {
		t.Helper()
		m.templates(t, "shop/files", all)
		for _, g := range all {
			write(t, m.at("shop/templates/"+g.namespace+".yaml"), "{{ .Files.Get \"files/"+g.namespace+".yaml\" }}\n")
		}
	}},
	{"defined templates", func(t *testing.T, m machine, all []good) {
		t.Helper()
		for _, g := range all {
			write(t, m.at("shop/templates/_"+g.namespace+".tpl"), "{{ define \""+g.namespace+"\" }}"+g.text+"{{ end }}")
			write(t, m.at("shop/templates/"+g.namespace+".yaml"), "{{ include \""+g.namespace+"\" . }}\n")
		}
		write(t, m.at("shop/templates/NOTES.txt"), "Done.\n")
	}},
	{"ignored files", func(t *testing.T, m machine, all []good) {
		t.Helper()
		m.templates(t, "shop/templates", all)
		write(t, m.at("shop/.helmignore"), "# Ours.\n*.md\nsamples/\n")
		write(t, m.at("shop/templates/README.md"), "{{ none }}\n")
		write(t, m.at("shop/README.md"), "# Shop\n")
	}},
}

func (m machine) newChart(t *testing.T, dir string) {
	t.Helper()
	write(t, m.at(dir+"/Chart.yaml"), "apiVersion: v2\nname: "+filepath.Base(dir)+"\nversion: 1.0.0\n")
}

// templates writes good manifests into a directory of a chart.
func (m machine) templates(t *testing.T, dir string, all []good) {
	t.Helper()
	for _, g := range all {
		write(t, m.at(dir+"/"+g.namespace+".yaml"), g.text)
	}
}

// helm runs helm in the checkout.
func (m machine) helm(t *testing.T, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), filepath.Join(helmDir, "helm"), args...)
	scratch := t.TempDir()
	cmd.Dir, cmd.Env = m.checkout, []string{
		"HOME=" + scratch, "HELM_CACHE_HOME=" + scratch, "HELM_CONFIG_HOME=" + scratch, "HELM_DATA_HOME=" + scratch,
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("helm %q: %v\n%s", args, err, out)
	}
}

// Good charts are rendered in each form, as a directory and as an archive, with the findings that their table lists.
func TestGoodChartsAreRenderedAsBefore(t *testing.T) {
	t.Parallel()
	const each = 5
	all := goods(t, 2*each*len(goodCharts))
	for i, chart := range goodCharts {
		for j, archived := range []bool{false, true} {
			share := all[(2*i+j)*each:][:each]
			t.Run(fmt.Sprintf("%s, archive %t", chart.name, archived), func(t *testing.T) {
				t.Parallel()
				m := newMachine(t)
				m.newChart(t, "shop")
				chart.lay(t, m, share)
				command := checked("shop")
				if archived {
					m.helm(t, "package", "shop")
					must(t, os.RemoveAll(m.at("shop")))
					command = checked("shop-1.0.0.tgz")
				}
				m.readAsExpected(t, command, share)
			})
		}
	}
}
