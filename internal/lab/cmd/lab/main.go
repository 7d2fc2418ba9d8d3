// Command lab runs the lab; see the Makefile.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"

	"github.com/mixedkube/mixedkube/internal/lab"
	"github.com/mixedkube/mixedkube/internal/lab/tools"
)

const usage = `usage: lab [-dir DIR] COMMAND [options]

commands
  up [-stack NAME] [-program LANGUAGE] [-port PORT]
                                  start the cluster, deploy the stack, show the pods
  status                          show the pods; fails if one is where it does not belong
  down                            end everything and remove it
  tools                           show where the tools come from
  tools -pack DIR -release TAG [-platform OS/ARCH]
                                  pack the tools of up into an archive for a release
  clean-cache                     remove the tool cache, which labs of other checkouts use too: run down there first

options
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	// After the first signal, a second one ends the program immediately.
	context.AfterFunc(ctx, stop)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("lab", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprint(stderr, usage)
		flags.PrintDefaults()
	}
	dir := flags.String("dir", "", "the lab's `directory` (default .lab in the checkout)")
	if err := flags.Parse(args); err != nil {
		return err
	}
	cache, err := tools.New(stdout)
	if err != nil {
		return err
	}
	if *dir == "" {
		*dir = filepath.Join(cache.Root, ".lab")
	}
	l, err := lab.New(cache, *dir, stdout)
	if err != nil {
		return err
	}

	command, rest := flags.Arg(0), flags.Args()
	sub := flag.NewFlagSet("lab "+command, flag.ContinueOnError)
	sub.SetOutput(stderr)
	var options lab.Options
	packing := tools.Packing{Tools: tools.OfLab()}
	switch command {
	case "up":
		sub.StringVar(&options.Stack, "stack", "lab", "the `stack` to deploy")
		sub.StringVar(&options.Program, "program", tools.Go,
			"the `language` of the program that deploys it: go, python, typescript or yaml")
		sub.IntVar(&options.Port, "port", 0, "the `port` of the API server (default a free one)")
	case "tools":
		sub.StringVar(&packing.Dir, "pack", "",
			"pack the tools of up into an archive in this `directory`, with its record beside it")
		sub.StringVar(&packing.Release, "release", "", "the `tag` of the release that the archive will be attached to")
		sub.StringVar(&packing.Platform, "platform", runtime.GOOS+"/"+runtime.GOARCH,
			"the platform that the archive is for")
	case "status", "down", "clean-cache":
	default:
		flags.Usage()
		return fmt.Errorf("unknown command %q", command)
	}
	if err := sub.Parse(rest[1:]); err != nil {
		return err
	}
	if sub.NArg() > 0 {
		return fmt.Errorf("%s takes no argument %q", command, sub.Arg(0))
	}

	switch {
	case command == "up":
		return l.Up(ctx, options)
	case command == "status":
		return l.Status(ctx)
	case command == "down":
		return l.Down()
	case command == "clean-cache":
		return cache.Clean(stdout)
	case packing.Dir != "":
		return cache.Pack(ctx, packing)
	default:
		return cache.Status(ctx, stdout)
	}
}
