package powershell

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

//go:embed grammar
var grammar embed.FS

// node is one of a syntax tree, as parse.mjs writes it: either text or children.
type node struct {
	Type     string
	Text     string
	Line     int
	Children []node
}

// each calls f for a node and all below it.
func (n node) each(f func(node)) {
	f(n)
	for _, child := range n.Children {
		child.each(f)
	}
}

// source returns the text of the leaves of a node.
func (n node) source() string {
	var b strings.Builder
	n.each(func(n node) { b.WriteString(n.Text) })
	return b.String()
}

// parsed is the result of parsing a script with the grammar.
type parsed struct {
	HasError bool
	Problems []string
	Tree     node
}

// parser is a running parse.mjs.
type parser struct {
	mu  sync.Mutex
	in  io.Writer
	out *bufio.Reader
}

// errNoNode is what is missing to parse.
var errNoNode = errors.New("node and npm: install Node.js 20 or later with npm")

// startParser starts one for the whole test process; it ends with it, when its input
// does.
var startParser = sync.OnceValues(func() (*parser, error) {
	program, err := exec.LookPath("node")
	if err != nil {
		return nil, errNoNode
	}
	dir, err := install()
	if err != nil {
		return nil, err
	}
	// Optimizing the grammar's code takes much longer than parsing with it. It does not inherit
	// our error stream: the parent of a fuzz worker waits until no process has that open.
	cmd := exec.Command(program, "--no-wasm-tier-up", filepath.Join(dir, "parse.mjs"), dir)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &parser{in: in, out: bufio.NewReader(out)}, cmd.Start()
})

// install gives a directory with the packages of the lock file, in the user's cache.
func install() (string, error) {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return "", errNoNode
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	files := map[string][]byte{}
	sum := sha256.New()
	for _, name := range []string{"package.json", "package-lock.json", "parse.mjs"} {
		b, err := grammar.ReadFile("grammar/" + name)
		if err != nil {
			return "", err
		}
		files[name] = b
		fmt.Fprintf(sum, "%s %d\n%s", name, len(b), b)
	}
	parent := filepath.Join(cache, "mixedkube", "npm")
	dir := filepath.Join(parent, hex.EncodeToString(sum.Sum(nil))[:16])
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return "", err
	}
	// Installed into a sibling directory and renamed, so that the directory is complete or missing.
	temporary, err := os.MkdirTemp(parent, "new-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(temporary) }() // gone if it was renamed
	for name, b := range files {
		if err := os.WriteFile(filepath.Join(temporary, name), b, 0o644); err != nil {
			return "", err
		}
	}
	// The packages' own scripts would build native code, which is not needed here.
	cmd := exec.Command(npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	cmd.Dir = temporary
	if output, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm ci: %w\n%s", err, output)
	}
	if err := os.Rename(temporary, dir); err != nil {
		if _, missing := os.Stat(dir); missing != nil {
			return "", err
		}
	}
	return dir, nil
}

// parse parses a script, or skips the test.
func parse(tb testing.TB, script string) parsed {
	tb.Helper()
	p, err := startParser()
	if errors.Is(err, errNoNode) {
		tb.Skipf("needs %v", err)
	}
	if err != nil {
		tb.Fatal(err)
	}
	answer, err := p.ask(script)
	if err != nil {
		tb.Fatal(err)
	}
	return answer
}

func (p *parser) ask(script string) (parsed, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var request bytes.Buffer
	if err := json.NewEncoder(&request).Encode(map[string]string{"script": script}); err != nil {
		return parsed{}, err
	}
	if _, err := p.in.Write(request.Bytes()); err != nil {
		return parsed{}, err
	}
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		return parsed{}, err
	}
	var answer parsed
	return answer, json.Unmarshal(line, &answer)
}
