package machine

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/azuresim/machine/machinetest"
	"github.com/mixedkube/mixedkube/internal/testkit/payload"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
)

// otherKeys are keys that a run command brings.
func otherKeys() map[string]string {
	keys := map[string]string{}
	for _, name := range keyFiles {
		keys[name] = "another " + name + "\n"
	}
	return keys
}

func keysCommand(payload string) RunCommand {
	return RunCommand{
		Name: "keys-1", Script: bootstrap.KeysScript(), Parameters: map[string]string{"ATTEMPT": "1"},
		Protected: map[string]string{bootstrap.KeysParameter: payload},
	}
}

// controlPlane returns a machine of the control plane with keys that can be replaced if program is
// true.
func controlPlane(t *testing.T, program bool) (Machine, *Bootstrap) {
	t.Helper()
	c := certificates(t)
	join := testJoin
	join.Certificates = c
	files := filesOf(t, testCluster(), "cp-1", join)
	public := slices.DeleteFunc(some(files, false), func(f bootstrap.File) bool { return f.Path == keysProgram })
	public = append(public, testKey.File(platform.Linux))
	if program {
		public = append(public, machinetest.ReplaceKeys())
	}
	m := linux(bootstrap.CloudConfig(public), scriptExtension(bootstrap.LinuxScript(some(files, true), testKey)))
	m.Address = testCluster().Nodes[0].Address
	b, err := Boot(m)
	if err != nil || b == nil {
		t.Fatalf("the machine does not boot: %v", err)
	}
	return m, b
}

func TestKeysReplacedByARunCommand(t *testing.T) {
	t.Parallel()
	m, b := controlPlane(t, true)
	command := keysCommand(machinetest.KeysPayload(testKey, otherKeys()))
	if err := command.Check(); err != nil {
		t.Fatal(err)
	}
	before := maps.Clone(b.Keys)
	keys, why := m.Run(command, b)
	if diff := cmp.Diff(otherKeys(), keys); diff != "" || why != nil {
		t.Errorf("error %v, keys (-want +got):\n%s", why, diff)
	}
	if diff := cmp.Diff(before, b.Keys); diff != "" {
		t.Errorf("the bootstrap is another one (-want +got):\n%s", diff)
	}
}

func TestRunCommandsThatAreNotUnderstood(t *testing.T) {
	t.Parallel()
	good := machinetest.KeysPayload(testKey, otherKeys())
	for name, c := range map[string]struct {
		change func(*RunCommand)
		want   string
	}{
		"another script": {
			func(c *RunCommand) { c.Script = edited(t, c.Script, "/bin/bash", "/bin/zsh") },
			"source.script: line 1 is not understood: bootstrap.KeysScript is the only script",
		},
		"one line more": {
			func(c *RunCommand) { c.Script += "reboot\n" },
			fmt.Sprintf("source.script: line %d is not understood: bootstrap.KeysScript is the only script",
				strings.Count(bootstrap.KeysScript(), "\n")+1),
		},
		"no script": {
			func(c *RunCommand) { c.Script = "" },
			"source.script: line 1 is not understood: bootstrap.KeysScript is the only script",
		},
		"the payload in public": {
			func(c *RunCommand) { c.Parameters, c.Protected = c.Protected, nil },
			"parameters: MIXEDKUBE_PAYLOAD is not understood: set it in protectedParameters",
		},
		"another protected parameter": {
			func(c *RunCommand) { c.Protected["PATH"] = "/tmp" },
			`protectedParameters: "PATH" is not understood: bootstrap.KeysScript reads only MIXEDKUBE_PAYLOAD`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			command := keysCommand(good)
			c.change(&command)
			err := command.Check()
			if err == nil || err.Error() != c.want {
				t.Errorf("got %v\nwant %s", err, c.want)
			}
			if err != nil && strings.Contains(err.Error(), good) {
				t.Error("the error shows the payload")
			}
		})
	}
}

func TestRunCommandsThatFail(t *testing.T) {
	t.Parallel()
	m, b := controlPlane(t, true)
	without, _ := controlPlane(t, false)
	worker := delivered(nodeFiles(t, "linux-1"))
	some := otherKeys()
	delete(some, "etcd/ca.key")
	good := machinetest.KeysPayload(testKey, otherKeys())
	changed := strings.Replace(good, "v1.", "v1.AAAA", 1)
	const noKey = "error: there is no /etc/mixedkube/payload.key on this machine: it was not created with keys that " +
		"can be replaced\n"
	for name, c := range map[string]struct {
		machine   Machine
		bootstrap *Bootstrap
		payload   string
		want      ScriptFailure
	}{
		"another machine's": {
			m, b, machinetest.KeysPayload(bootstrap.NewPayloadKey([]byte("another machine's")), otherKeys()),
			*ScriptFails(1, "error: %v", payload.ErrMAC),
		},
		"changed in transit": {m, b, changed, *ScriptFails(1, "error: %v", payload.ErrCiphertext)},
		"cut off":            {m, b, good[:len(good)-1], *ScriptFails(1, "error: %v", payload.ErrForm)},
		"nothing":            {m, b, "", *ScriptFails(1, "error: %v", payload.ErrForm)},
		"too long": {
			m, b, strings.Repeat("A", 128<<10),
			ScriptFailure{Message: "failed to execute command: fork/exec /bin/bash: argument list too long"},
		},
		"an incomplete pair": {
			m, b, machinetest.KeysPayload(testKey, some),
			*ScriptFails(1, "error: the payload does not bring /etc/mixedkube/new-keys.part/etcd/ca.key: "+
				"bootstrap.KeysPayload has all four pairs"),
		},
		"a machine of an older release": {
			without, b, good,
			ScriptFailure{
				"command terminated with exit status=127", 127,
				"/opt/mixedkube/replace-keys.sh: No such file or directory\n",
			},
		},
		"a worker": {worker, linuxNode, good, ScriptFailure{"command terminated with exit status=1", 1, noKey}},
		"no node":  {m, nil, good, ScriptFailure{"command terminated with exit status=1", 1, noKey}},
		"keys that kubeadm made": {
			m, &Bootstrap{Init: true, ControlPlane: true, Keys: map[string]string{"ca.crt": "x", "ca.key": "x"}}, good,
			ScriptFailure{"command terminated with exit status=1", 1, noKey},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			keys, why := c.machine.Run(keysCommand(c.payload), c.bootstrap)
			if why == nil || keys != nil {
				t.Fatalf("got %v, %v", keys, why)
			}
			if diff := cmp.Diff(c.want, *why); diff != "" {
				t.Errorf("another failure (-want +got):\n%s", diff)
			}
		})
	}
}

// The machine has the keys that machines/bootstrap writes into the payload.
func TestTheKeysOfTheBootstrapAreReplaced(t *testing.T) {
	t.Parallel()
	m, b := controlPlane(t, true)
	c := certificates(t)
	c.CA.Certificate += authority(t, "kubernetes").Certificate
	secret := base64Of(strings.Repeat("k", 32))
	text, err := bootstrap.KeysPayload(bootstrap.APIServerOptions{}, c, []string{secret}, testKey)
	if err != nil {
		t.Fatal(err)
	}
	keys, why := m.Run(keysCommand(text), b)
	want := map[string]string{
		"ca.crt": c.CA.Certificate, "ca.key": c.CA.PrivateKey,
		"etcd/ca.crt": c.EtcdCA.Certificate, "etcd/ca.key": c.EtcdCA.PrivateKey,
		"front-proxy-ca.crt": c.FrontProxyCA.Certificate, "front-proxy-ca.key": c.FrontProxyCA.PrivateKey,
		"sa.pub": c.ServiceAccount.Certificate, "sa.key": c.ServiceAccount.PrivateKey,
	}
	if diff := cmp.Diff(want, keys); diff != "" || why != nil {
		t.Errorf("error %v, keys (-want +got):\n%s", why, diff)
	}
}

// The program comes with the machine, and the key of its payload stays there.
func TestBootstrapInstallsTheProgramThatReplacesKeys(t *testing.T) {
	t.Parallel()
	join := testJoin
	join.Certificates = certificates(t)
	files := filesOf(t, testCluster(), "cp-1", join)
	if i := index(files, keysProgram); i < 0 || !files[i].Executable || files[i].Secret {
		t.Errorf("%s is not one of the public programs", keysProgram)
	}
}
