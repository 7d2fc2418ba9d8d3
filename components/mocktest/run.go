package mocktest

import (
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
)

// maxMessage is the message size that Pulumi's own connections allow.
const maxMessage = 400 << 20

// Run runs the program and returns what it registered. The graph is never nil: after an error it holds all resources
// that were registered despite the error.
//
// If the program's own error is the only one, Run returns that error unchanged. Otherwise it joins all of them: the
// program's error first, then the errors of this package (see the package documentation), then those that the SDK adds.
func Run(program pulumi.RunFunc, options ...Option) (*Graph, error) {
	s := newSettings(options)
	if err := s.checkEarlier(); err != nil {
		return newRecorder(s).graph(), err
	}
	recorder := newRecorder(s)
	transforms := newTransforms()
	defer transforms.close()

	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return recorder.graph(), fmt.Errorf("mocktest: listening for the program: %w", err)
	}
	server := grpc.NewServer(grpc.MaxRecvMsgSize(maxMessage))
	pulumirpc.RegisterResourceMonitorServer(server, &monitor{
		recorder: recorder, transforms: transforms, address: listener.Addr().String(),
	})
	pulumirpc.RegisterEngineServer(server, &engine{recorder: recorder})
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()

	var programErr error
	runErr := pulumi.RunErr(func(ctx *pulumi.Context) error {
		programErr = program(ctx)
		return programErr
	}, func(info *pulumi.RunInfo) {
		*info = pulumi.RunInfo{
			Project:     s.project,
			Stack:       s.stack,
			Config:      s.qualifiedConfig(),
			DryRun:      s.preview,
			MonitorAddr: listener.Addr().String(),
			EngineAddr:  listener.Addr().String(),
		}
	})
	server.Stop()
	if runErr == nil {
		recorder.finish()
	}
	err = joined(programErr, recorder.refusals(), runErr)
	if serveErr := <-served; serveErr != nil {
		err = errors.Join(err, fmt.Errorf("mocktest: serving the program: %w", serveErr))
	}
	return recorder.graph(), err
}

func (s settings) qualifiedConfig() map[string]string {
	config := make(map[string]string, len(s.config))
	for key, value := range s.config {
		if !strings.Contains(key, ":") {
			key = s.project + ":" + key
		}
		config[key] = value
	}
	return config
}

// joined returns each error once. The same failure can arrive in three ways, each time with more text around it:
// refused by the recorder, returned by the program, and reported by the SDK.
func joined(program error, refused []error, run error) error {
	var parts []error
	if program != nil {
		parts = append(parts, program)
	}
	for _, err := range refused {
		if program == nil || !strings.Contains(program.Error(), err.Error()) {
			parts = append(parts, err)
		}
	}
	if run != nil && !mentionsAny(run, append(parts, refused...)) {
		parts = append(parts, run)
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return errors.Join(parts...)
}

func mentionsAny(err error, others []error) bool {
	for _, other := range others {
		if strings.Contains(err.Error(), other.Error()) {
			return true
		}
	}
	return false
}
