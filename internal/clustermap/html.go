package clustermap

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the page
	"encoding/base64"
	"html/template"
	"io"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
	"github.com/mixedkube/mixedkube/internal/svg"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var layoutCSS string

var pageCSS = svg.Properties() + "\n" + layoutCSS

//go:embed page.js
var pageJS string

// HTML writes the map as one page, which loads nothing from another host.
func (m *Map) HTML(w io.Writer) error {
	page, err := template.New("page").Funcs(template.FuncMap{"number": svg.Number}).Parse(pageHTML)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	err = page.Execute(&text, struct {
		layout
		Policy string
		CSS    template.CSS
		JS     template.JS
	}{m.lay(), policy(), template.CSS(pageCSS), template.JS(pageJS)}) //nolint:gosec // this package's own
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, escape.XML(svg.Visible(text.String())))
	return err
}

// policy returns a policy that allows only the style and the script of the page.
func policy() string {
	return "default-src 'none'; style-src '" + hash(pageCSS) + "'; script-src '" + hash(pageJS) +
		"'; base-uri 'none'; form-action 'none'"
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
