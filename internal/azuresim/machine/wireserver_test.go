package machine

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/netip"
	"regexp"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/testkit/payload"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

const (
	guardPath = "/etc/mixedkube/egress.nft"
	guardUnit = "/etc/systemd/system/guard.service"
	dropIn    = "/etc/systemd/system/kubelet.service.d/20-egress.conf"
	loads     = "[Service]\nExecStartPre=/usr/sbin/nft --file " + guardPath + "\n"
	// guard keeps pods from the WireServer and from the metadata service.
	guard = `table ip guard
delete table ip guard
table ip guard {
	chain blocked {
		ip daddr 168.63.0.0/16 udp dport 80 drop
		ct direction reply accept
		ip daddr 168.63.129.16/32 tcp dport { 80, 32526 } drop
		ip daddr 169.254.169.254/32 drop
	}
	chain forward {
		type filter hook forward priority filter; policy accept;
		jump blocked
	}
	chain output {
		type filter hook output priority filter; policy accept;
		fib saddr type != local jump blocked
	}
}
`
	blockACL = `{"name": "EndpointPolicy", "value": {"Type": "ACL", "Settings": {"Protocols": "6", ` +
		`"Action": "Block", "Direction": "Out", "RemoteAddresses": "168.63.129.16/32", ` +
		`"RemotePorts": "PORT", "RuleType": "Switch", "Priority": 200}}}`
	allowACL = `{"name": "EndpointPolicy", "value": {"Type": "ACL", "Settings": {"Action": "Allow", ` +
		`"Direction": "Out", "Priority": 65500}}}`
	otherPolicy = `{"name": "EndpointPolicy", "value": {"Type": "OutBoundNAT", ` +
		`"Settings": {"Exceptions": ["10.0.0.0/8"]}}}`
)

// guarded returns a Linux machine with further files, pairs of path and content.
func guarded(files ...string) Machine {
	var list []bootstrap.File
	for i := 0; i < len(files); i += 2 {
		list = append(list, bootstrap.File{Path: files[i], Content: files[i+1]})
	}
	return linux(bootstrap.CloudConfig(list), scriptExtension(bootstrap.LinuxScript(nil, testKey)))
}

// withPolicies returns a Windows machine whose pods have policies.
func withPolicies(t *testing.T, policies ...string) Machine {
	t.Helper()
	text := `{"plugins": [{"type": "win-overlay", "delegate": {"policies": [` + strings.Join(policies, ",") + `]}}]}`
	script := bootstrap.WindowsScript([]bootstrap.File{{Path: "C:/etc/cni/net.d/10-x.conflist", Content: text}})
	return windows(script, windowsExtension(commandFor(t, script, nil)))
}

func onPort(policy, port string) string { return strings.Replace(policy, "PORT", port, 1) }

// changedGuard returns a machine whose kubelet loads the guard with one text replaced.
func changedGuard(old, replacement string) Machine {
	return guarded(guardPath, strings.Replace(guard, old, replacement, 1), dropIn, loads)
}

func TestPodsThatReachTheWireServer(t *testing.T) {
	t.Parallel()
	const loadsGuard = "ExecStart=/usr/sbin/nft --file " + guardPath + "\n"
	both := []string{otherPolicy, onPort(blockACL, "80"), onPort(blockACL, "32526"), allowACL}
	allowedBefore := strings.Replace(allowACL, "65500", "100", 1)
	incoming := strings.Replace(onPort(blockACL, "80"), "Out", "In", 1)
	required := guarded(guardPath, guard, dropIn, "[Unit]\nRequires=a.service guard.service\n", guardUnit, loadsGuard)
	wider := changedGuard("168.63.129.16/32 tcp dport { 80, 32526 }", "168.63.0.0/16")
	accepted := changedGuard("\t\tip daddr", "\t\tip daddr 168.63.129.16 accept\n\t\tip daddr")
	host := Pod{HostNetwork: true}
	for name, c := range map[string]struct {
		machine Machine
		pod     Pod
		answers bool
	}{
		"Linux without rules":         {guarded(), Pod{}, true},
		"Linux with the rules":        {changedGuard("", ""), Pod{}, false},
		"rules that are not loaded":   {guarded(guardPath, guard), Pod{}, true},
		"the host's network":          {changedGuard("", ""), host, true},
		"a unit that is required":     {required, Pod{}, false},
		"a unit that is not required": {guarded(guardPath, guard, guardUnit, loadsGuard), Pod{}, true},
		"only one of the ports":       {changedGuard("80, 32526", "80"), Pod{}, true},
		"another address":             {changedGuard("168.63.129.16/32", "168.63.129.0/29"), Pod{}, true},
		"a wider range, all ports":    {wider, Pod{}, false},
		"accepted before":             {accepted, Pod{}, true},
		"without the jump":            {changedGuard("\t\tjump blocked\n", ""), Pod{}, true},
		"at another hook":             {changedGuard("hook forward", "hook input"), Pod{}, true},
		"everything is dropped":       {changedGuard("policy accept", "policy drop"), Pod{}, false},

		"Windows without policies":   {withPolicies(t), Pod{}, true},
		"Windows with others":        {withPolicies(t, otherPolicy), Pod{}, true},
		"Windows with the policies":  {withPolicies(t, both...), Pod{}, false},
		"one of the ports only":      {withPolicies(t, onPort(blockACL, "80"), allowACL), Pod{}, true},
		"policies without an allow":  {withPolicies(t, onPort(blockACL, "80")), Pod{}, false},
		"an allow before":            {withPolicies(t, onPort(blockACL, "80"), allowedBefore), Pod{}, true},
		"the other direction":        {withPolicies(t, incoming, allowACL), Pod{}, true},
		"a host-process container":   {withPolicies(t, both...), host, true},
		"Windows without customData": {windows(""), Pod{}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			state, err := c.machine.Ask(c.pod)
			switch {
			case c.answers && (err != nil || len(state.Extensions) != len(c.machine.Extensions)):
				t.Errorf("got %+v, %v, want an answer", state, err)
			case !c.answers && (!errors.Is(err, ErrNoAnswer) || state.Extensions != nil):
				t.Errorf("got %+v, %v, want %v", state, err, ErrNoAnswer)
			}
		})
	}
}

// Everything else stays open, including DNS of the WireServer.
func TestDestinationsReachableFromPods(t *testing.T) {
	t.Parallel()
	onWindows := withPolicies(t, onPort(blockACL, "80"), onPort(blockACL, "32526"), allowACL)
	for to, want := range map[string]bool{
		"168.63.129.16:80": false, "168.63.129.16:32526": false, "168.63.129.16:53": true, "168.63.129.17:80": true,
		"10.96.0.1:443": true,
	} {
		for _, m := range []Machine{guarded(guardPath, guard, dropIn, loads), onWindows} {
			if got, err := m.PodReaches(netip.MustParseAddrPort(to)); err != nil || got != want {
				t.Errorf("%s from Windows %t: %t, %v, want %t", to, m.Windows, got, err, want)
			}
		}
	}
}

// The files of nodes are understood, in networks with and without an overlay.
func TestDestinationsReachableWithTheFilesOfNodes(t *testing.T) {
	t.Parallel()
	for _, kind := range network.Kinds() {
		open := testCluster()
		open.Network.Kind = kind
		blocking := open
		blocking.Network = open.Network.Block(
			network.Destination{CIDR: netip.PrefixFrom(WireServer, 32), TCPPorts: []int{80, 32526}})
		for name, c := range map[string]struct {
			cluster bootstrap.Cluster
			want    error
		}{"without": {open, nil}, "with": {blocking, ErrNoAnswer}} {
			machines := []Machine{delivered(filesOf(t, c.cluster, "linux-1", testJoin))}
			if kind.Planned() || kind == network.FlannelVXLAN {
				machines = append(machines, deliveredOnWindows(t, filesOf(t, c.cluster, "win-1", testJoin)))
			}
			for _, m := range machines {
				if _, err := m.Ask(Pod{}); !errors.Is(err, c.want) {
					t.Errorf("%s, %s blocked egress, Windows %t: got %v, want %v", kind, name, m.Windows, err, c.want)
				}
				if got, err := m.PodReaches(netip.AddrPortFrom(WireServer, 53)); err != nil || !got {
					t.Errorf("%s, %s blocked egress, Windows %t: DNS: %t, %v", kind, name, m.Windows, got, err)
				}
			}
		}
	}
}

// Rules that are not understood are an error: they may be the ones that decide.
func TestPacketFiltersThatAreNotUnderstood(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		machine Machine
		want    string
	}{
		"no file": {guarded(dropIn, loads), guardPath + ": the kubelet needs it, but customData does not bring it"},
		"another match": {
			changedGuard("ip daddr 168.63.129.16/32", "ip saddr 10.0.0.0/8"),
			guardPath + `: the rule "ip saddr 10.0.0.0/8 tcp dport { 80, 32526 } drop" is not understood: it is read ` +
				"as ip daddr, tcp dport or udp dport, and a verdict",
		},
		"no address": {
			changedGuard("168.63.129.16/32", "wireserver"),
			guardPath + `: the rule "ip daddr wireserver tcp dport { 80, 32526 } drop" is not understood: ` +
				`ParseAddr("wireserver"): unable to parse IP`,
		},
		"a jump to nowhere": {
			changedGuard("jump blocked", "jump other"),
			guardPath + `: the rule "jump other" leads nowhere`,
		},
		"a jump to itself": {
			changedGuard("jump blocked", "jump forward"),
			guardPath + `: the rule "jump forward" leads nowhere`,
		},
		"a set": {
			changedGuard("\tchain blocked", "\tset x {\n\t}\n\tchain blocked"),
			guardPath + ": line 4 is not understood: it is read as a table with chains",
		},
		"another policy": {
			withPolicies(t, strings.Replace(allowACL, `"Action"`, `"Id": "x", "Action"`, 1)),
			`C:/etc/cni/net.d/10-x.conflist: the policy ` +
				`{"Action":"Allow","Direction":"Out","Id":"x","Priority":65500} ` +
				`is not understood: json: unknown field "Id"`,
		},
		"a policy for a port of the pod": {
			withPolicies(t, strings.Replace(allowACL, `"Action"`, `"LocalPorts": "80", "Action"`, 1)),
			`C:/etc/cni/net.d/10-x.conflist: a policy for "", "80" of a pod is not understood`,
		},
		"customData": {linux("#!/bin/sh\n"), `line 1 is not "#cloud-config": ` + cloudConfigFormat},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := c.machine.Ask(Pod{}); err == nil || err.Error() != c.want {
				t.Errorf("got %v\nwant %s", err, c.want)
			}
		})
	}
}

var encodedRun = regexp.MustCompile(`[A-Za-z0-9+/]{16,}={0,2}`)

// unfolded returns a text with everything in it decoded from base64, gzip and UTF-16.
func unfolded(text string) string {
	var all strings.Builder
	all.WriteString(text)
	for _, run := range encodedRun.FindAllString(text, -1) {
		data, err := base64.StdEncoding.DecodeString(run)
		if err != nil {
			continue
		}
		if z, err := gzip.NewReader(bytes.NewReader(data)); err == nil {
			data, _ = io.ReadAll(z)
		} else if len(data) > 1 && data[1] == 0 {
			data = bytes.ReplaceAll(data, []byte{0}, nil) // ASCII
		}
		all.WriteString("\n" + unfolded(string(data)))
	}
	return all.String()
}

// A client that has only an answer of the WireServer has no secret of the machine.
func TestAnswersOfTheWireServer(t *testing.T) {
	t.Parallel()
	c := certificates(t)
	hash, err := c.CA.CACertHash()
	if err != nil {
		t.Fatal(err)
	}
	secrets := map[string]string{"the token": strings.Split(testToken, ".")[1]}
	for name, pair := range map[string]bootstrap.KeyPair{
		"CA": c.CA, "etcd's CA": c.EtcdCA, "front proxy's CA": c.FrontProxyCA, "service accounts": c.ServiceAccount,
	} {
		secrets["the key of the "+name] = strings.Split(pair.PrivateKey, "\n")[1]
	}
	join := bootstrap.Join{Token: testToken, CACertHashes: []string{hash}, Certificates: c}
	for name, m := range map[string]Machine{
		"Linux":   delivered(filesOf(t, testCluster(), "cp-2", join)),
		"Windows": deliveredOnWindows(t, nodeFiles(t, "win-1")),
	} {
		state, err := m.Ask(Pod{HostNetwork: true})
		if err != nil {
			t.Fatal(err)
		}
		answer, err := json.Marshal(state)
		if err != nil || len(answer) < 1000 {
			t.Fatalf("%d bytes, %v", len(answer), err)
		}
		stolen, data := unfolded(string(answer)), unfolded(string(m.CustomData))
		for of, text := range map[string]string{"the answer": stolen, "the customData": data} {
			for secret, value := range secrets {
				if strings.Contains(text, value) || strings.Contains(text, base64Of(value)) {
					t.Errorf("%s: %s is in %s", name, secret, of)
				}
			}
		}
		// With both it has the secrets, so the search above would have found them.
		p := platform.Linux
		if m.Windows {
			p = platform.WindowsServer2022
		}
		plain, err := payload.Decrypt(payload.In(stolen), testKey.File(p).Content)
		if err != nil {
			t.Fatal(err)
		}
		both := unfolded(base64.StdEncoding.EncodeToString(plain))
		for secret, value := range secrets {
			if m.Windows && secret != "the token" {
				continue
			}
			if !strings.Contains(both, value) {
				t.Errorf("%s: %s is not in what was decrypted", name, secret)
			}
		}
	}
}

func FuzzPodReaches(f *testing.F) {
	f.Add(guard, "168.63.129.16:80")
	f.Add("table ip x {\nchain a {\njump a\n}\n}\n", "[::1]:1")
	f.Fuzz(func(t *testing.T, rules, to string) {
		address, err := netip.ParseAddrPort(to)
		if err != nil {
			return
		}
		read, err := readNFT(rules)
		if err != nil {
			return
		}
		if through, err := read.forwards(address); err != nil && through {
			t.Errorf("goes through with the error %v", err)
		}
	})
}
