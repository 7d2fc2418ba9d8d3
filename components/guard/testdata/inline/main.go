// Command inline previews, or with -up updates, an inline program with a mistake, or with
// -mistakes the one with twelve, and prints the error of the Automation API, what the engine has shown and what the
// program reports. The environment says where Pulumi keeps its things.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"

	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/auto"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/events"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optpreview"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optup"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	mistakes "github.com/mixedkube/mixedkube/components/guard/testdata/mistakes/program"
)

func main() {
	up := flag.Bool("up", false, "update, without a preview")
	twelve := flag.String("mistakes", "", "run the program with twelve mistakes, whose project is in this `directory`")
	flag.Parse()
	if err := run(context.Background(), *up, *twelve); err == nil {
		fmt.Println("no error")
	} else {
		fmt.Println("an error")
		fmt.Fprintln(os.Stderr, err)
	}
}

func run(ctx context.Context, up bool, twelve string) error {
	var found guard.Report
	name, wrong, options := "inline", program, []auto.LocalWorkspaceOption(nil)
	if twelve != "" {
		name, wrong, options = "mistakes", mistakes.Program, []auto.LocalWorkspaceOption{auto.WorkDir(twelve)}
	}
	stack, err := auto.UpsertStackInlineSource(ctx, "inline", name, guard.Program(wrong, guard.ReportTo(&found)),
		options...)
	if err != nil {
		return err
	}
	stream, done := make(chan events.EngineEvent), make(chan []string)
	go collect(stream, done)
	if up {
		_, err = stack.Up(ctx, optup.EventStreams(stream))
	} else {
		_, err = stack.Preview(ctx, optpreview.EventStreams(stream))
	}
	for _, line := range <-done {
		fmt.Println(line)
	}
	for _, f := range found.Blocking() {
		fmt.Println("reported:", f.Rule, "of", f.Resource)
	}
	if _, ok := errors.AsType[*guard.Error](err); ok {
		fmt.Println("the error has its type")
	}
	return err
}

// collect gathers the errors that the engine shows, sorted.
func collect(stream <-chan events.EngineEvent, done chan<- []string) {
	var lines []string
	for e := range stream {
		if d := e.DiagnosticEvent; d != nil && d.Severity == "error" {
			lines = append(lines, fmt.Sprintf("%s: %s", d.URN, d.Message))
		}
	}
	slices.Sort(lines)
	done <- slices.Compact(lines)
}

func program(ctx *pulumi.Context) error {
	if err := guard.Enforce(ctx, guard.Args{}); err != nil {
		return err
	}
	for _, name := range []string{"one", "two"} {
		if _, err := corev1.NewPod(ctx, name, &corev1.PodArgs{
			Metadata: metav1.ObjectMetaArgs{Name: pulumi.String("inline-" + name)},
			Spec: corev1.PodSpecArgs{
				Os: corev1.PodOSArgs{Name: pulumi.String("windows")}, HostPID: pulumi.Bool(true),
				NodeSelector: pulumi.StringMap{"kubernetes.io/os": pulumi.String("windows")},
				Containers: corev1.ContainerArray{corev1.ContainerArgs{
					Name:  pulumi.String("main"),
					Image: pulumi.String("shop.example/web:1"),
				}},
			},
		}); err != nil {
			return err
		}
	}
	return nil
}
