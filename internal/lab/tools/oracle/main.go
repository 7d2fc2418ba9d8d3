// Command oracle computes what an API server would answer to an object's creation: it
// decodes, sets defaults, drops fields behind disabled feature gates and validates,
// with Kubernetes' own code of the version that the module file pins. It also computes
// where the scheduler would place a pod.
//
//	oracle < objects > answers
//	oracle -decode < objects > answers
//	oracle -schedule < pods > answers
//	oracle -bench 10000 < deployment.json
//
// Each line of the input is one object in JSON: a Pod, a workload or a
// RuntimeClass. Each line of the output is the answer to it, in the same order:
// {"errors": [...]} with the errors in a sorted order, none for an object that
// is accepted, or {"decodeError": "..."}.
//
// With -decode the objects are of any kind. They are decoded strictly, and not validated.
//
// With -schedule each line of the input is a pod with nodes: {"pod": ..., "nodes": [...]}. The answer has for each node
// the scheduler's reasons against it, none if the pod fits: {"reasons": [[], ["Insufficient cpu"], ...]}.
//
// With -bench the input is one object, and the output is how long its creation
// takes, in nanoseconds: {"validate": ..., "create": ...}. The latter includes
// everything before the validation.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"k8s.io/kubernetes/pkg/capabilities"
)

func main() {
	bench := flag.Int("bench", 0, "measure the creation of one object, so many `times`")
	decodeOnly := flag.Bool("decode", false, "decode objects of all kinds, without their validation")
	scheduleOnly := flag.Bool("schedule", false, "check on which nodes the scheduler places pods")
	flag.Parse()
	// The API server's flag --allow-privileged is off by default, and on in every
	// cluster of an installer: otherwise kube-proxy could not run.
	capabilities.Setup(true, 0)
	var err error
	switch {
	case *bench > 0:
		err = measure(os.Stdin, os.Stdout, *bench)
	case *decodeOnly:
		err = serve(os.Stdin, os.Stdout, decodeStrictly)
	case *scheduleOnly:
		err = serve(os.Stdin, os.Stdout, place)
	default:
		err = serve(os.Stdin, os.Stdout, judge)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
		os.Exit(1)
	}
}

// answer is the result for one object.
type answer struct {
	Errors      []fault `json:"errors"`
	DecodeError string  `json:"decodeError,omitempty"`
}

// serve answers line by line, and writes when no further question waits: a single
// question gets its answer immediately, and many questions run at full speed.
func serve[A any](in io.Reader, out io.Writer, judge func([]byte) A) error {
	questions := bufio.NewReaderSize(in, 1<<20)
	answers := bufio.NewWriterSize(out, 1<<20)
	encoder := json.NewEncoder(answers)
	encoder.SetEscapeHTML(false)
	for {
		line, err := questions.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			if err := encoder.Encode(judge(line)); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return answers.Flush()
		}
		if err != nil {
			return err
		}
		if questions.Buffered() == 0 {
			if err := answers.Flush(); err != nil {
				return err
			}
		}
	}
}

func judge(content []byte) answer {
	c, err := decode(content)
	if err != nil {
		return answer{Errors: []fault{}, DecodeError: err.Error()}
	}
	c.prepare()
	return answer{Errors: faults(c.validate())}
}
