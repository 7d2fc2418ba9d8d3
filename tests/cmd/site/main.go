// Command site builds the site from the Markdown pages of the repository, and checks its links.
//
//	go -C tests run ./cmd/site -o ../dist/site [-base /mixedkube/]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/mixedkube/mixedkube/tests/site"
)

func main() {
	out := flag.String("o", filepath.Join("..", "dist", "site"), "write the site into this `directory`, which is "+
		"replaced")
	base := flag.String("base", "/", "the path of the site on its host, such as /mixedkube/")
	flag.Parse()
	if err := run(*base, *out); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

func run(base, out string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if !strings.HasPrefix(base, "/") || !strings.HasSuffix(base, "/") {
		return fmt.Errorf("-base %q is not a valid path: write /mixedkube/, with a slash at both ends", base)
	}
	root, err := filepath.Abs("..")
	if err != nil {
		return err
	}
	s, err := site.FromRoot(root, base, os.Stderr)
	if err != nil {
		return err
	}
	built, err := s.Build(ctx)
	if err != nil {
		return err
	}
	wrong, err := s.Check(os.DirFS(built), os.DirFS(root))
	if err != nil {
		return err
	}
	if len(wrong) > 0 {
		return fmt.Errorf("%d links are wrong:\n%s", len(wrong), strings.Join(wrong, "\n"))
	}
	if err := errors.Join(os.RemoveAll(out), os.CopyFS(out, os.DirFS(built))); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "site     %s\n", out)
	return nil
}
