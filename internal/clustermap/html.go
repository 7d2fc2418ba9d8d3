package clustermap

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the page
	"encoding/base64"
	"html/template"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"
)

//go:embed page.html
var pageHTML string

// palette has the colours of both pictures, in light and dark.
//
//go:embed palette.css
var palette string

//go:embed page.css
var pageCSS string

//go:embed page.js
var pageJS string

// HTML writes the map as one page, which loads nothing from another host.
func (m *Map) HTML(w io.Writer) error {
	page, err := template.New("page").Funcs(template.FuncMap{"number": number}).Parse(pageHTML)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	err = page.Execute(&text, struct {
		layout
		Policy string
		CSS    template.CSS
		JS     template.JS
	}{m.lay(), policy(), template.CSS(palette + pageCSS), template.JS(pageJS)}) //nolint:gosec // this package's own
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, visible(text.String()))
	return err
}

// policy allows the browser the style and the script of the page, and nothing else.
func policy() string {
	return "default-src 'none'; style-src '" + hash(palette+pageCSS) + "'; script-src '" + hash(pageJS) +
		"'; base-uri 'none'; form-action 'none'"
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// number has at most two decimals.
func number(n float64) string { return strconv.FormatFloat(math.Round(n*100)/100, 'f', -1, 64) }

// visible replaces characters that are not shown, or that reverse the text after them: names can contain
// them, and XML cannot.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) || r == '\n' || r == '\t' {
			return r
		}
		return unicode.ReplacementChar
	}, text)
}
