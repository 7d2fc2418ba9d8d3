package arm

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/azuresim/machine"
	"github.com/mixedkube/mixedkube/internal/azuresim/machine/machinetest"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
)

// newAuthority returns the certificate of an authority, in PEM.
func newAuthority(t *testing.T) string {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "kubernetes"}, NotAfter: time.Unix(1<<33, 0),
		IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
}

// discovering returns a worker on a network interface that finds its cluster with a file, and trusts the authorities in
// it.
func discovering(nic, name, address, trusted string) Body {
	const dir = "/etc/mixedkube/kubeadm/"
	discovery := `apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "https://10.1.0.4:6443", certificate-authority: ` + dir + `ca.crt}}]
users: [{name: u, user: {token: ` + testToken + `}}]
contexts: [{name: c, context: {cluster: c, user: u}}]
current-context: c
`
	configuration := `apiVersion: kubeadm.k8s.io/v1beta4
kind: JoinConfiguration
discovery: {file: {kubeConfigPath: ` + dir + `discovery.yaml}}
nodeRegistration: {name: ` + name + `, taints: [], kubeletExtraArgs: [{name: node-ip, value: ` + address + `}]}
patches: {directory: ` + dir + `patches}
`
	files := append(machinetest.Linux("join"), machinetest.LinuxConfiguration(configuration),
		bootstrap.File{Path: dir + "discovery.yaml", Content: discovery, Secret: true},
		bootstrap.File{Path: dir + "ca.crt", Content: trusted})
	return onNIC(nic, name, linuxMachine(map[string]any{
		"properties.osProfile.customData": encodedText(bootstrap.CloudConfig(files)),
	}))
}

const (
	thirdVMID = computeID + "virtualMachines/three"
	nic3ID    = nicID + "3"
	nic4ID    = nicID + "4"
)

// twoServers has a control plane of the machines one and two, with keys.
func twoServers(t *testing.T, n *nodes, keys map[string]string) *Cloud {
	t.Helper()
	cloud := machineRoom(t, n.options())
	putAll(t, cloud, nic3ID, nicBody(nil), nic4ID, nicBody(nil))
	mustPut(t, cloud, vmID, linuxMachine(map[string]any{
		"properties.osProfile.customData": withKeys("init", initText, keys),
	}))
	mustPut(t, cloud, otherVMID, onNIC(nic2ID, "two", linuxMachine(map[string]any{
		"properties.osProfile.customData": withKeys("join", joinText("two", "10.1.0.5", "controlPlane: {}\n"), keys),
	})))
	return cloud
}

// lost returns the machines that have lost their cluster, and why.
func lost(t *testing.T, c *Cloud) map[string]string {
	t.Helper()
	why := map[string]string{}
	for _, m := range mustMachines(t, c) {
		if m.Lost != "" {
			why[m.Node] = m.Lost
		}
	}
	return why
}

func wantLost(t *testing.T, step string, c *Cloud, n *nodes, want map[string]string) {
	t.Helper()
	if diff := cmp.Diff(want, lost(t, c)); diff != "" {
		t.Errorf("%s: lost (-want +got):\n%s", step, diff)
	}
	reasons := map[string]string{}
	for _, name := range n.deleted {
		reasons[name] = want[name]
	}
	if len(n.deleted) != len(want) || len(reasons) != len(want) {
		t.Errorf("%s: the cluster was notified of the nodes %v, want those of %v", step, n.deleted, want)
	}
}

// The replacement of an authority in three steps
// (https://kubernetes.io/docs/tasks/tls/manual-rotation-of-ca-certificates/), on one machine of the control plane after
// the other. A node has lost its cluster if it reaches no machine of the control plane.
func TestNodesThatLoseTheirClusterDuringARotation(t *testing.T) {
	t.Parallel()
	before, after := newAuthority(t), newAuthority(t)
	n := &nodes{}
	cloud := twoServers(t, n, keysOf("old", before))
	putAll(t, cloud, thirdVMID, discovering(nic3ID, "three", "10.1.0.6", before),
		computeID+"virtualMachines/four", discovering(nic4ID, "four", "10.1.0.7", before+after))
	if n.names() != "one two three four" {
		t.Fatalf("joined %s", n.names())
	}
	give := func(id, step string, certificates ...string) {
		t.Helper()
		mustPut(t, cloud, id+"/runCommands/"+step, runCommand(keysOf(step, certificates...), nil))
	}
	wantNone := map[string]string{}
	for _, id := range []string{vmID, otherVMID} {
		give(id, "trust", before, after)
		wantLost(t, "trust", cloud, n, wantNone)
	}
	give(vmID, "promote", after, before)
	wantLost(t, "promote one", cloud, n, wantNone)
	// The node three no longer trusts the certificate of any API server.
	give(otherVMID, "promote", after, before)
	three := map[string]string{"three": "x509: certificate signed by unknown authority: the kubelet does not trust " +
		"the authority that has signed the certificate of the API server"}
	wantLost(t, "promote", cloud, n, three)
	give(vmID, "distrust", after)
	wantLost(t, "distrust one", cloud, n, three)
	// No API server still trusts the certificate of the node four.
	give(otherVMID, "distrust", after)
	three["four"] = "the API server answers Unauthorized: it does not trust the authority that has signed the " +
		"certificate of the kubelet"
	wantLost(t, "distrust", cloud, n, three)
	// Machines that join now get certificates of the other authority, and stay.
	mustDelete(t, cloud, thirdVMID)
	mustPut(t, cloud, thirdVMID, discovering(nic3ID, "three", "10.1.0.6", after))
	give(vmID, "again", after)
	delete(three, "three")
	if diff := cmp.Diff(three, lost(t, cloud)); diff != "" {
		t.Errorf("lost in the end (-want +got):\n%s", diff)
	}
}

// A load balancer may lead to any machine of the control plane.
func TestAMachineJoinsIfItReachesAllAPIServers(t *testing.T) {
	t.Parallel()
	before, after := newAuthority(t), newAuthority(t)
	n := &nodes{}
	cloud := twoServers(t, n, keysOf("old", before))
	mustPut(t, cloud, vmID+"/runCommands/promote", runCommand(keysOf("new", after, before), nil))
	mustPut(t, cloud, thirdVMID, discovering(nic3ID, "three", "10.1.0.6", after))
	const want = "the API server of two: x509: certificate signed by unknown authority: the kubelet does not trust " +
		"the authority that has signed the certificate of the API server"
	for _, m := range mustMachines(t, cloud) {
		if m.Machine.ComputerName == "three" && m.NotJoined != want {
			t.Errorf("the machine has not joined: %q", m.NotJoined)
		}
	}
	mustPut(t, cloud, otherVMID+"/runCommands/promote", runCommand(keysOf("new", after, before), nil))
	mustPut(t, cloud, thirdVMID, discovering(nic3ID, "three", "10.1.0.6", after))
	if n.names() != "one two three" {
		t.Errorf("joined %s", n.names())
	}
}

// The keys that the control plane has now decide whether a machine can join.
func TestControlPlaneIsIdentifiedByItsNewKeys(t *testing.T) {
	t.Parallel()
	n := &nodes{}
	cloud := twoServers(t, n, keysOf("old"))
	mustPut(t, cloud, runCommandID, runCommand(keysOf("new"), nil))
	mustPut(t, cloud, thirdVMID, discovering(nic3ID, "three", "10.1.0.6", newAuthority(t)))
	joined := n.joins[len(n.joins)-1]
	if joined.Bootstrap.NodeName != "three" || joined.ControlPlane.Keys["sa.key"] != "new sa.key" ||
		!joined.ControlPlane.Init {
		t.Errorf("%s joined %+v", joined.Bootstrap.NodeName, joined.ControlPlane)
	}
	wantKeys(t, cloud, nic2ID, "old")
}

// Whatever interrupts a run command, the next request continues it.
func TestFaultsOfRunCommands(t *testing.T) {
	t.Parallel()
	stopped := conflict409("OperationNotAllowed", "", "Cannot modify extensions in the VM when the VM is not running.")
	for kind, c := range map[FaultKind]struct {
		want *Error
		keys string
		// state is the provisioning state afterwards, "" if there is none.
		state string
		// retried is true if the same request continues.
		retried bool
	}{
		Throttle:           {errThrottled, "old", "", true},
		Conflict:           {errBusy, "old", "", true},
		Fail:               {errCrashed, "old", "", true},
		Stopped:            {stopped, "old", "", true},
		FailAfter:          {errCrashed, "new", "Succeeded", true},
		FailedProvisioning: {errFailed, "new", "Failed", true},
		FailScript:         {nil, "old", "Failed", false},
	} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			cloud := keysRoom(t, Options{})
			mustFault(t, cloud, Fault{Method: "PUT", ID: "/runCommands/keys-1$", Kind: kind})
			_, err := cloud.Put(t.Context(), runCommandID, runCommand(keysOf("new"), attempt("1")))
			if c.want == nil {
				c.want = scriptFailure(t, cloud, runCommandID)
			}
			wantError(t, err, c.want)
			wantKeys(t, cloud, nicID, c.keys)
			stored, err := cloud.Get(t.Context(), runCommandID)
			if got := textAt(stored, "properties.provisioningState"); got != c.state {
				t.Errorf("the run command is %q (%v), want %q", got, err, c.state)
			}
			_, err = cloud.Put(t.Context(), runCommandID, runCommand(keysOf("new"), attempt("1")))
			if (err == nil) != c.retried {
				t.Errorf("the same request: %v", err)
			}
			if !c.retried {
				mustPut(t, cloud, runCommandID, runCommand(keysOf("new"), attempt("2")))
			}
			wantKeys(t, cloud, nicID, "new")
			wantAt(t, mustGet(t, cloud, runCommandID), map[string]any{"properties.provisioningState": "Succeeded"})
		})
	}
}

func TestAStoppedMachineKeepsItsExtensions(t *testing.T) {
	t.Parallel()
	stopped := conflict409("OperationNotAllowed", "", "Cannot modify extensions in the VM when the VM is not running.")
	cloud := keysRoom(t, Options{})
	mustPut(t, cloud, runCommandID, runCommand(keysOf("new"), nil))
	mustFault(t, cloud, Fault{ID: vmID, Kind: Stopped, Times: Always})
	wantError(t, cloud.Delete(t.Context(), runCommandID), stopped)
	_, err := cloud.Put(t.Context(), extensionID, linuxScript())
	wantError(t, err, stopped)
	mustGet(t, cloud, runCommandID)
	mustDelete(t, cloud, vmID)
}

func TestErrorsInTheInstanceView(t *testing.T) {
	t.Parallel()
	why := machine.ScriptFails(3, "%s", "begin "+strings.Repeat("x", 5000))
	e := executed(why, time.Unix(0, 0))
	if len(e.Error) != 4096 || !strings.HasSuffix(e.Error, "xx\n") || e.ExitCode != 3 ||
		e.Start != "1970-01-01T00:00:00Z" {
		t.Errorf("got %+v", e)
	}
}
