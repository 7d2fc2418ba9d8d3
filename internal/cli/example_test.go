package cli_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/mixedkube/mixedkube/internal/cli"
)

// Run runs a command line: here check, which reads a manifest from standard input. It writes findings to the first
// writer, and a summary to the second one.
func ExampleRun() {
	const pod = `apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  os: {name: windows}
  hostPID: true
  nodeSelector: {kubernetes.io/os: windows}
  containers: [{name: web, image: shop.example.com/web}]
`
	code := cli.Run(context.Background(), []string{"check", "-"}, strings.NewReader(pod), io.Discard, os.Stdout)
	fmt.Println("exit code", code)
	// Output:
	// checked: 1 object in 1 file, 1 error
	// exit code 1
}
