package azcli

import (
	"context"

	"github.com/mixedkube/mixedkube/internal/azuresim/armclient"
)

func featureID(g flagValues) string {
	return "/subscriptions/" + armclient.SubscriptionID + "/providers/Microsoft.Features/providers/" +
		g.one(namespace) + "/features/" + g.one(name)
}

func showFeature(ctx context.Context, client *armclient.Client, g flagValues) (any, error) {
	return found(client.Get(ctx, featureID(g)))
}

func registerFeature(ctx context.Context, client *armclient.Client, g flagValues) (any, error) {
	return found(client.Post(ctx, featureID(g), "register", nil))
}

// found returns nothing to print if there is an error.
func found(body map[string]any, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return body, nil
}
