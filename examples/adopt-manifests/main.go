package main

import (
	"context"
	"os"
)

func main() {
	//nolint:forbidigo // only main ends the program
	os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
}
