package pulumicommand

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/blang/semver"
	"github.com/google/go-cmp/cmp"
	p "github.com/pulumi/pulumi-go-provider"
	"github.com/pulumi/pulumi-go-provider/integration"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

const commandURN = "urn:pulumi:dev::project::command:local:Command::run"

func newServer(t *testing.T) integration.Server {
	t.Helper()
	server, err := integration.NewServer(t.Context(), "command", semver.MustParse(Version),
		integration.WithProvider(New()))
	if err != nil {
		t.Fatal(err)
	}
	return server
}

type inputs = map[string]property.Value

func props(m inputs) property.Map { return property.NewMap(m) }

func str(s string) property.Value { return property.New(s) }

func list(values ...string) property.Value {
	var all []property.Value
	for _, v := range values {
		all = append(all, str(v))
	}
	return property.New(all)
}

func TestCreateRunsACommand(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, x := range []struct {
		name           string
		inputs         inputs
		stdout, stderr string
		secret         bool
	}{
		{name: "in a shell", inputs: inputs{"create": str("echo a; echo b; echo c >&2")}, stdout: "a\nb", stderr: "c"},
		{name: "nothing", inputs: inputs{"update": str("echo a")}},
		{
			name: "with an interpreter", inputs: inputs{"create": str("$x"), "interpreter": list("echo", "-n")},
			stdout: "$x",
		},
		{name: "in a directory", inputs: inputs{"create": str("pwd -P"), "dir": str(dir)}, stdout: dir},
		{
			name: "with an environment", stdout: "b",
			inputs: inputs{"create": str("echo $A"), "environment": property.New(inputs{"A": str("b")})},
		},
		{name: "with an input", inputs: inputs{"create": str("cat"), "stdin": str("a")}, stdout: "a"},
		{
			name:   "with a secret input",
			inputs: inputs{"create": str("cat >/dev/null; echo done"), "stdin": str("a").WithSecret(true)},
			stdout: "done", secret: true,
		},
		{name: "without an input", inputs: inputs{"create": str("cat")}},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			answer, err := newServer(t).Create(p.CreateRequest{Urn: commandURN, Properties: props(x.inputs)})
			if err != nil {
				t.Fatal(err)
			}
			want := props(x.inputs).Set("stdout", str(x.stdout).WithSecret(x.secret)).Set("stderr",
				str(x.stderr).WithSecret(x.secret))
			if !answer.Properties.Equals(want) {
				t.Errorf("outputs %v, want %v", answer.Properties, want)
			}
			if !regexp.MustCompile(`^run[0-9a-f]{8}$`).MatchString(answer.ID) {
				t.Errorf("the ID is %s", answer.ID)
			}
		})
	}
}

func TestUpdateRunsUpdateOrElseCreate(t *testing.T) {
	t.Parallel()
	state := props(inputs{"stdout": str("before"), "stderr": str("err")})
	for _, x := range []struct {
		name   string
		inputs inputs
		stdout string
	}{
		{"update", inputs{"create": str("echo create"), "update": str("echo update")}, "update"},
		{"create", inputs{"create": str("echo create"), "delete": str("echo delete")}, "create"},
		{"none", inputs{"delete": str("echo delete")}, "before"},
		{
			"what it printed before",
			inputs{"update": str("echo $PULUMI_COMMAND_STDOUT $PULUMI_COMMAND_STDERR")},
			"before err",
		},
		{
			"not what it printed before",
			inputs{
				"update":                 str("echo x$PULUMI_COMMAND_STDOUT$PULUMI_COMMAND_STDERR"),
				"addPreviousOutputInEnv": property.New(false),
			},
			"x",
		},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			answer, err := newServer(t).Update(p.UpdateRequest{
				Urn: commandURN, ID: "run", Inputs: props(x.inputs),
				State: state,
			})
			if err != nil {
				t.Fatal(err)
			}
			if have := answer.Properties.Get("stdout").AsString(); have != x.stdout {
				t.Errorf("it printed %q, want %q", have, x.stdout)
			}
		})
	}
}

func TestDeleteRunsDelete(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "ran")
	server := newServer(t)
	for _, state := range []inputs{
		{"create": str("exit 1")},
		{"create": str("exit 1"), "delete": str("echo $PULUMI_COMMAND_STDOUT >" + file), "stdout": str("x")},
	} {
		if err := server.Delete(p.DeleteRequest{Urn: commandURN, ID: "run", Properties: props(state)}); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(file); string(text) != "x\n" {
		t.Errorf("it wrote %q, %v", text, err)
	}
}

func TestAPreviewRunsNothing(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "ran")
	server := newServer(t)
	in := props(inputs{"create": str("touch " + file), "stdin": str("a").WithSecret(true)})
	created, err := server.Create(p.CreateRequest{Urn: commandURN, Properties: in, DryRun: true})
	if err != nil {
		t.Fatal(err)
	}
	updated, err := server.Update(p.UpdateRequest{Urn: commandURN, ID: "run", Inputs: in, DryRun: true})
	if err != nil {
		t.Fatal(err)
	}
	unknown := property.New(property.Computed)
	want := in.Set("stdout", unknown).Set("stderr", unknown)
	for verb, have := range map[string]property.Map{"create": created.Properties, "update": updated.Properties} {
		if !have.Equals(want) {
			t.Errorf("%s gives %v, want %v", verb, have, want)
		}
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("the command was run")
	}
}

func TestAFailureShowsTheOutputButNoSecrets(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	_, err := server.Create(p.CreateRequest{Urn: commandURN, Properties: props(inputs{
		"create":      str(`read x; echo "wrong: $x" >&2; echo "and $TOKEN" >&2; exit 3`),
		"stdin":       str("Pass-word-1234\n").WithSecret(true),
		"environment": property.New(inputs{"TOKEN": str("abc-token").WithSecret(true)}),
	})})
	want := "exit status 3: running \"read x; echo \\\"wrong: $x\\\" >&2; echo \\\"and $TOKEN\\\" >&2; exit " +
		"3\":\nwrong: [secret]\nand [secret]\n"
	if err == nil || err.Error() != want {
		t.Errorf("the error is %q, want %q", err, want)
	}
	if err := server.Delete(p.DeleteRequest{
		Urn:        commandURN,
		Properties: props(inputs{"delete": str("exit 4")}),
	}); err == nil ||
		err.Error() != "exit status 4: running \"exit 4\":\n" {
		t.Errorf("the error is %q", err)
	}
}

func TestACanceledEngineEndsCommands(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	if err := server.Cancel(); err != nil {
		t.Fatal(err)
	}
	_, err := server.Create(p.CreateRequest{Urn: commandURN, Properties: props(inputs{"create": str("exec sleep 60")})})
	if err == nil || !strings.Contains(err.Error(), "context canceled") {
		t.Errorf("the error is %v", err)
	}
}

func TestOnlyTriggersReplace(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		name     string
		old, now inputs
		want     map[string]p.DiffKind
	}{
		{
			"nothing",
			inputs{"create": str("a"), "stdin": str("a").WithSecret(true)},
			inputs{"create": str("a"), "stdin": str("a")},
			nil,
		},
		{
			"commands",
			inputs{"create": str("a"), "delete": str("a")},
			inputs{"create": str("b"), "update": str("b")},
			map[string]p.DiffKind{"create": p.Update, "update": p.Add, "delete": p.Delete},
		},
		{
			"the input",
			inputs{"stdin": str("a").WithSecret(true)},
			inputs{"stdin": str("b").WithSecret(true)},
			map[string]p.DiffKind{"stdin": p.Update},
		},
		{"a new trigger", inputs{}, inputs{"triggers": list("a")}, map[string]p.DiffKind{"triggers": p.AddReplace}},
		{
			"another trigger",
			inputs{"triggers": list("a"), "update": str("u")},
			inputs{"triggers": list("b"), "update": str("u")},
			map[string]p.DiffKind{"triggers": p.UpdateReplace},
		},
		{"no trigger", inputs{"triggers": list("a")}, inputs{}, map[string]p.DiffKind{"triggers": p.DeleteReplace}},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			answer, err := newServer(t).Diff(p.DiffRequest{
				Urn: commandURN, OldInputs: props(x.old),
				Inputs: props(x.now),
			})
			if err != nil {
				t.Fatal(err)
			}
			var have map[string]p.DiffKind
			for key, change := range answer.DetailedDiff {
				if have == nil {
					have = map[string]p.DiffKind{}
				}
				have[key] = change.Kind
			}
			if diff := cmp.Diff(x.want, have); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
			if answer.HasChanges != (x.want != nil) || answer.DeleteBeforeReplace {
				t.Errorf("changes: %v, deleted before: %v", answer.HasChanges, answer.DeleteBeforeReplace)
			}
		})
	}
}

func TestCheckRefusesUnsupportedInputs(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	answer, err := server.Check(p.CheckRequest{Urn: commandURN, Inputs: props(inputs{
		"create": str("a"), "update": property.New(property.Computed), "delete": property.New(1.0),
		"assetPaths": list("a"), "archivePaths": list("a"), "logging": str("all"), "creates": str("b"),
	})})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]p.CheckFailure{
		{
			Property: "archivePaths",
			Reason:   "archivePaths has to be left out: the simulated command collects no archive",
		},
		{Property: "assetPaths", Reason: "assetPaths has to be left out: the simulated command collects no assets"},
		{
			Property: "creates",
			Reason: `command:local:Command has no input "creates": it has addPreviousOutputInEnv, archivePaths, ` +
				`assetPaths, create, delete, dir, environment, ` +
				`interpreter, logging, stdin, triggers, update`,
		},
		{Property: "delete", Reason: "delete has to be a string"},
		{Property: "logging", Reason: "logging has to be one of stdout, stderr, stdoutAndStderr, none"},
	}, answer.Failures); diff != "" {
		t.Errorf("failures (-want +got):\n%s", diff)
	}
	_, err = server.Check(p.CheckRequest{Urn: "urn:pulumi:dev::project::command:remote:Command::run"})
	if want := "command:remote:Command: the simulated pulumi-command has only command:local:Command"; err == nil ||
		err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}
