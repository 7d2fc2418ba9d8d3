package azcli

import (
	"context"
	"errors"
	"fmt"

	"github.com/mixedkube/mixedkube/internal/azuresim/armclient"
)

func clusterID(g flagValues, name flag) string {
	return fmt.Sprintf("/subscriptions/%s/resourceGroups/%s/providers/Microsoft.ContainerService/managedClusters/%s",
		armclient.SubscriptionID, g.one(resourceGroup), g.one(name))
}

func showCluster(ctx context.Context, client *armclient.Client, g flagValues) (any, error) {
	body, err := client.Get(ctx, clusterID(g, name))
	return shown(body, g), err
}

// errNoTerminal is the answer if az would prompt.
var errNoTerminal = errors.New( //nolint:staticcheck // az's words
	"Unable to prompt for confirmation as no tty available. Use --yes.",
)

// updateCluster gets the cluster, changes its Windows profile, and puts all of it back.
func updateCluster(ctx context.Context, client *armclient.Client, g flagValues) (any, error) {
	if err := checkUpdate(g); err != nil {
		return nil, err
	}
	id := clusterID(g, name)
	body, err := client.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	properties, _ := body["properties"].(map[string]any)
	profile, ok := properties["windowsProfile"].(map[string]any)
	if !ok {
		return nil, errors.New( //nolint:staticcheck // az's words
			"Encounter an unexpected error while getting windows profile from the cluster in the process of update.",
		)
	}
	switch {
	case g.has(enableAHUB):
		profile["licenseType"] = "Windows_Server"
	case g.has(disableAHUB):
		profile["licenseType"] = "None"
	}
	if g.has(password) {
		profile["adminPassword"] = g.one(password)
	}
	switch {
	case g.has(enableGMSA) && g.has(gmsaServer):
		profile["gmsaProfile"] = map[string]any{
			"enabled": true, "dnsServer": g.one(gmsaServer),
			"rootDomainName": g.one(gmsaDomain),
		}
	case g.has(enableGMSA):
		profile["gmsaProfile"] = map[string]any{"enabled": true}
	case g.has(disableGMSA):
		profile["gmsaProfile"] = map[string]any{"enabled": false}
	}
	answer, err := client.Put(ctx, id, body)
	return shown(answer, g), err
}

// checkUpdate refuses flags that exclude each other.
func checkUpdate(g flagValues) error {
	switch {
	case g.has(enableAHUB) && g.has(disableAHUB):
		return errors.New( //nolint:staticcheck // az's words
			`Cannot specify "--enable-ahub" and "--disable-ahub" at the same time`,
		)
	case g.has(enableGMSA) && g.has(disableGMSA):
		return errors.New( //nolint:staticcheck // az's words
			"You should not set --disable-windows-gmsa with setting --enable-windows-gmsa.",
		)
	case (g.has(gmsaServer) || g.has(gmsaDomain)) && g.has(disableGMSA):
		return errors.New( //nolint:staticcheck // az's words
			"You should not set --gmsa-dns-server nor --gmsa-root-domain-name when setting --disable-windows-gmsa.",
		)
	case (g.has(gmsaServer) || g.has(gmsaDomain)) && !g.has(enableGMSA):
		return errors.New( //nolint:staticcheck // az's words
			"You only can set --gmsa-dns-server and --gmsa-root-domain-name when setting --enable-windows-gmsa.",
		)
	case g.has(gmsaServer) != g.has(gmsaDomain):
		return errors.New( //nolint:staticcheck // az's words
			"You must set or not set --gmsa-dns-server and --gmsa-root-domain-name at the same time.",
		)
	case g.has(enableGMSA) && !g.has(gmsaServer) && !g.has(yes):
		// az prompts whether the network's DNS server knows the domain.
		return errNoTerminal
	case !g.has(password) && !g.has(enableAHUB) && !g.has(disableAHUB) && !g.has(enableGMSA) && !g.has(disableGMSA) &&
		!g.has(yes):
		// az prompts whether to reconcile the cluster to its settings.
		return errNoTerminal
	}
	return nil
}
