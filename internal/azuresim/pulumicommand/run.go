package pulumicommand

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	p "github.com/pulumi/pulumi-go-provider"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

// The previous output of a command.
const (
	previousStdout = "PULUMI_COMMAND_STDOUT"
	previousStderr = "PULUMI_COMMAND_STDERR"
)

type runner struct {
	// life ends when the engine cancels.
	life context.Context //nolint:containedctx // the context of the process
}

// request returns a context that ends with the request or with the provider.
func (r *runner) request(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(r.life, func() { cancel(context.Cause(r.life)) })
	return ctx, func() {
		stop()
		cancel(nil)
	}
}

// result is the output of a command.
type result struct{ stdout, stderr string }

func resultOf(state property.Map) result {
	var r result
	if s := text(state, "stdout"); s != nil {
		r.stdout = *s
	}
	if s := text(state, "stderr"); s != nil {
		r.stderr = *s
	}
	return r
}

// in adds the result to the inputs. It is secret if any input is, because each output depends on each of them.
func (r result) in(inputs property.Map) property.Map {
	secret := property.New(inputs).HasSecrets()
	return inputs.Set("stdout", property.New(r.stdout).WithSecret(secret)).Set("stderr",
		property.New(r.stderr).WithSecret(secret))
}

// run runs a command. Without a command, it returns the previous result.
func (r *runner) run(ctx context.Context, command *string, inputs property.Map, before result) (result, error) {
	if command == nil {
		return before, nil
	}
	ctx, cancel := r.request(ctx)
	defer cancel()
	args := append(interpreter(inputs), *command)
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	// Processes that the command has started may continue, and hold its output open.
	cmd.WaitDelay = 5 * time.Second
	cmd.Env = environment(inputs, before)
	if dir := text(inputs, "dir"); dir != nil {
		cmd.Dir = *dir
	}
	if stdin := text(inputs, "stdin"); stdin != nil {
		cmd.Stdin = strings.NewReader(*stdin)
	}
	var stdout, stderr bytes.Buffer
	both := &shared{}
	cmd.Stdout, cmd.Stderr = io.MultiWriter(&stdout, both), io.MultiWriter(&stderr, both)
	err := cmd.Run()

	hide := hider(inputs)
	log(ctx, inputs, hide, stdout.String(), stderr.String())
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = errors.Join(err, cause)
		}
		return before, fmt.Errorf("%w: running %q:\n%s", err, hide.Replace(*command), hide.Replace(both.String()))
	}
	return result{strings.TrimSuffix(stdout.String(), "\n"), strings.TrimSuffix(stderr.String(), "\n")}, nil
}

// shared is a buffer that two goroutines write to.
type shared struct {
	mutex sync.Mutex
	bytes.Buffer
}

func (s *shared) Write(b []byte) (int, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.Buffer.Write(b)
}

func interpreter(inputs property.Map) []string {
	var args []string
	if v, ok := inputs.GetOk("interpreter"); ok && v.IsArray() {
		for _, arg := range v.AsArray().All {
			if arg.IsString() {
				args = append(args, arg.AsString())
			}
		}
	}
	switch {
	case len(args) > 0:
		return args
	case runtime.GOOS == "windows":
		return []string{"cmd", "/C"}
	default:
		return []string{"/bin/sh", "-c"}
	}
}

func environment(inputs property.Map, before result) []string {
	env := os.Environ()
	if v, ok := inputs.GetOk("environment"); ok && v.IsMap() {
		for name, value := range v.AsMap().AllStable {
			if value.IsString() {
				env = append(env, name+"="+value.AsString())
			}
		}
	}
	if add, ok := inputs.GetOk("addPreviousOutputInEnv"); ok && add.IsBool() && !add.AsBool() {
		return env
	}
	if before.stdout != "" {
		env = append(env, previousStdout+"="+before.stdout)
	}
	if before.stderr != "" {
		env = append(env, previousStderr+"="+before.stderr)
	}
	return env
}

// log logs the output of a command, if the inputs enable it.
func log(ctx context.Context, inputs property.Map, hide *strings.Replacer, stdout, stderr string) {
	logging := "stdoutAndStderr"
	if s := text(inputs, "logging"); s != nil {
		logging = *s
	}
	for _, stream := range []struct{ name, printed string }{{"stdout", stdout}, {"stderr", stderr}} {
		if stream.printed != "" && (logging == stream.name || logging == "stdoutAndStderr") {
			p.GetLogger(ctx).Info(hide.Replace(strings.TrimSuffix(stream.printed, "\n")))
		}
	}
}

// hider replaces the standard input and secrets, line by line.
func hider(inputs property.Map) *strings.Replacer {
	var hidden []string
	if stdin := text(inputs, "stdin"); stdin != nil {
		hidden = append(hidden, *stdin)
	}
	hidden = append(hidden, secrets(property.New(inputs), false)...)
	hidden = strings.Split(strings.Join(hidden, "\n"), "\n")
	// The longest first: a shorter one may be a part of it.
	slices.SortFunc(hidden, func(a, b string) int { return len(b) - len(a) })
	var pairs []string
	for _, s := range hidden {
		if s = strings.TrimSpace(s); s != "" {
			pairs = append(pairs, s, "[secret]")
		}
	}
	return strings.NewReplacer(pairs...)
}

// secrets returns the strings in a value that are secret.
func secrets(v property.Value, inSecret bool) []string {
	inSecret = inSecret || v.Secret()
	var found []string
	switch {
	case v.IsMap():
		for _, below := range v.AsMap().AllStable {
			found = append(found, secrets(below, inSecret)...)
		}
	case v.IsArray():
		for _, below := range v.AsArray().All {
			found = append(found, secrets(below, inSecret)...)
		}
	case v.IsString() && inSecret:
		found = append(found, v.AsString())
	}
	return found
}
