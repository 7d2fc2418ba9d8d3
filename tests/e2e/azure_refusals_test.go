package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/azuresim/armclient"
	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/internal/testkit/casetest"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
)

// TestAzureRefusals sends requests that Azure refuses, those of the program in
// internal/azuresim/azurenative/testdata/refusals. It uses azure-native's own types, because the components would
// refuse them first.
func TestAzureRefusals(t *testing.T) {
	t.Parallel()
	l := newAzureLab(t)
	// The lab needs a stack in Azure to start. The stack is not deployed.
	l.configure(t, "1.36", []string{"name: sys, platform: linux, mode: System, size: Standard_D4s_v5"})
	l.start(t)
	changed := filepath.Join(t.TempDir(), "Pulumi.dev.yaml")
	check(t, os.WriteFile(changed, []byte("config:\n  refusals:changed: true\n"), 0o600))

	// refused compares the errors of Azure in a run of Pulumi with the expected ones.
	refused := func(t *testing.T, config, dir string,
		run func(*deploy.Stack, context.Context, ...string) error, args ...string,
	) {
		t.Helper()
		stack := l.project(t, "internal/azuresim/azurenative/testdata/refusals", "dev", config)
		// The program creates all pools in parallel, and has no hook that retries. So operations must end immediately.
		atOnce := *stack.Azure
		atOnce.Environ = []string{armclient.OperationVariable + "=0s"}
		stack.Azure = &atOnce
		events, logging := labtest.EventLog(t)
		err := run(stack, t.Context(),
			slices.Concat(logging, []string{"--skip-preview", "--continue-on-error"}, args)...)
		labtest.Failed(t, "the run", err)
		checkRefusals(t, expectedRefusals(t, dir), refusals(t, events))
	}

	t.Run("every wrong creation fails with Azure's code", func(t *testing.T) {
		refused(t, "", "new", (*deploy.Stack).Up)
	})
	first := resourcesInAzure(t, l.AzureDir())
	t.Run("Azure has created only the valid resources", func(t *testing.T) {
		if diff := cmp.Diff(acceptedNew, slices.Sorted(maps.Keys(first))); diff != "" {
			t.Errorf("in Azure (-want +have):\n%s", diff)
		}
	})
	t.Run("every wrong change fails with Azure's code", func(t *testing.T) {
		refused(t, changed, "changes", (*deploy.Stack).Up)
	})
	second := resourcesInAzure(t, l.AzureDir())
	t.Run("Azure has made only the valid changes", func(t *testing.T) {
		if diff := cmp.Diff(acceptedChanges, differ(first, second)); diff != "" {
			t.Errorf("changed in Azure (-want +have):\n%s", diff)
		}
	})
	t.Run("a wrong deletion fails with Azure's code", func(t *testing.T) {
		last := "urn:pulumi:dev::refusals::azure-native:containerservice:AgentPool::last"
		refused(t, changed, "removal", (*deploy.Stack).Destroy, "--target", last)
		if changed := differ(second, resourcesInAzure(t, l.AzureDir())); len(changed) > 0 {
			t.Errorf("changed in Azure: %q", changed)
		}
	})
}

// expectedRefusals returns Azure's answers by the resource, "CODE: PART OF THE MESSAGE". The files of a run have them
// below the reason: the subject of a rule of AKS, or the ID of a rule in the components' catalog.
//
// In testdata/azure_refusals/new is each rule that a new cluster or pool can break, except those that no request can
// break: that each cluster has a Windows profile (Azure refuses the request for the first Windows pool), the defaults,
// disableOutboundNat before Kubernetes 1.26, which is no longer available, containerd itself, and the use of volumes.
// Nor is there an answer to requests that Azure accepts: Image Cleaner, certificate authorities and Istio in the
// cluster shop, which has a Windows pool. The API version that azure-native uses has no property for artifact
// streaming.
func expectedRefusals(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, answers := range casetest.Cases[map[string]string](t, "testdata/azure_refusals/"+dir) {
		for resource, answer := range answers {
			if all[resource] != "" {
				t.Errorf("%s has another answer", resource)
			}
			all[resource] = answer
		}
	}
	return all
}

// acceptedNew lists the resources in Azure after the first run, acceptedChanges the changed resources after the second
// run.
var (
	acceptedNew = []string{
		"first-for-users", "first-for-users/sys2",
		"first-size", "first-size/sys3",
		"last-system", "last-system/last", "last-system/sys4",
		"network", "network/nodes", "network/other",
		"plain", "plain/sys1",
		"refusals",
		"second-pool", "second-pool/sys5",
		"shop", "shop/arm", "shop/changes", "shop/disksize", "shop/disktype", "shop/inplace", "shop/maxpods",
		"shop/maxpods10",
		"shop/maxpods250", "shop/ostype", "shop/priority", "shop/sixwin", "shop/spot", "shop/spotprice",
		"shop/spottaint",
		"shop/subnet", "shop/sys0", "shop/system", "shop/twelve123456", "shop/win0", "shop/win25", "shop/winnat",
		"shop/winsku",
		"version-back", "version-back/sys6",
		"version-skip", "version-skip/sys7",
	}
	acceptedChanges = []string{"last-system/sys4", "shop/changes"}
)

// checkRefusals compares all errors of a run, by resource.
func checkRefusals(t *testing.T, want, answers map[string]string) {
	t.Helper()
	for resource, answer := range want {
		code, part, found := strings.Cut(answer, ": ")
		if !found || part == "" {
			t.Errorf("%s has no part of the message", resource)
		}
		// If the message does not contain the part, the difference shows the whole message.
		if got, message, _ := strings.Cut(answers[resource], ": "); got == code && strings.Contains(message, part) {
			answers[resource] = answer
		}
	}
	if diff := cmp.Diff(want, answers); diff != "" {
		t.Errorf("errors of Azure (-want +have):\n%s", diff)
	}
}

// differ returns the keys with different values in two maps.
func differ(a, b map[string]string) []string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	maps.DeleteFunc(all, func(key, _ string) bool {
		before, was := a[key]
		after, is := b[key]
		return was && is && before == after
	})
	return slices.Sorted(maps.Keys(all))
}

var (
	azureAnswer = regexp.MustCompile(`(?s)^Status=\d+ Code="([^"]*)" Message="(.*)"\s*$`)
	// ownMessages matches the messages of the engine and the program about errors of their resources.
	ownMessages = regexp.MustCompile(`^update failed\s*$|waiting for RPCs: resource \S+ \[\S+\] failed to register\s*$`)
)

// refusals returns the errors of a run by resource: those of Azure as "Code: message", others unchanged. The key is ""
// for errors without a resource.
func refusals(t *testing.T, events string) map[string]string {
	t.Helper()
	file, err := os.Open(events)
	check(t, err)
	defer func() { _ = file.Close() }()
	found := map[string]string{}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var event struct {
			DiagnosticEvent *struct{ URN, Message, Severity string }
		}
		check(t, json.Unmarshal(lines.Bytes(), &event))
		diagnostic := event.DiagnosticEvent
		if diagnostic == nil || diagnostic.Severity != "error" ||
			diagnostic.URN == "" && ownMessages.MatchString(diagnostic.Message) {
			continue
		}
		name := diagnostic.URN[strings.LastIndex(diagnostic.URN, ":")+1:]
		if found[name] != "" {
			t.Errorf("%q has two errors, the first one is %s", name, found[name])
		}
		found[name] = azureAnswer.ReplaceAllString(diagnostic.Message, "$1: $2")
	}
	check(t, lines.Err())
	return found
}

// shortID reduces an ID to its names.
var shortID = strings.NewReplacer(
	"refusals/providers/Microsoft.ContainerService/managedClusters/", "", "/agentPools", "",
	"refusals/providers/Microsoft.Network/virtualNetworks/", "", "/subnets", "",
)

// resourcesInAzure returns the bodies of all resources in the simulated Azure by ID.
func resourcesInAzure(t *testing.T, dir string) map[string]string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "state.json"))
	check(t, err)
	var state struct {
		Resources map[string]struct {
			ID   string
			Body json.RawMessage
		}
	}
	check(t, json.Unmarshal(data, &state))
	all := map[string]string{}
	for _, r := range state.Resources {
		_, id, _ := strings.Cut(r.ID, "/resourceGroups/")
		all[shortID.Replace(id)] = string(r.Body)
	}
	return all
}
