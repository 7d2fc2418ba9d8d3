package arm

import (
	"slices"
	"strings"
)

// kindFeature is a feature of a subscription, a preview for example. It is not a resource: its only action is register.
const kindFeature = "Microsoft.Features/providers/features"

// knownFeatures are the features that have an effect here.
var knownFeatures = []string{FeatureEncryptionAtHost, FeatureResize}

// registered reports whether the subscription has registered for a feature.
func (r *request) registered(feature string) bool {
	return slices.Contains(r.cloud.options.Features, feature) || slices.Contains(r.state.Features, feature)
}

// parseFeature reads the ID of a feature, which has two providers:
// /subscriptions/ID/providers/Microsoft.Features/providers/NAMESPACE/features/NAME.
func parseFeature(text string, parts []string) (armID, bool) {
	if len(parts) != 8 || !strings.EqualFold(parts[3], "Microsoft.Features") ||
		!strings.EqualFold(parts[6], "features") {
		return armID{}, false
	}
	return armID{text: text, kind: kindFeature, names: []string{parts[5] + "/" + parts[7]}}, true
}

// feature returns the feature of a request as the API shows it.
func (r *request) feature() (Body, error) {
	namespace, name, _ := strings.Cut(r.id.name(), "/")
	i := slices.IndexFunc(knownFeatures, func(known string) bool { return strings.EqualFold(known, r.id.name()) })
	if i < 0 {
		// The text is from MicrosoftDocs/azure-docs#70599.
		return nil, notFound("FeatureNotFound", "The feature '%s' could not be found.", name)
	}
	state := "NotRegistered"
	if r.registered(knownFeatures[i]) {
		state = "Registered"
	}
	return Body{
		"id": "/subscriptions/" + subscription + "/providers/Microsoft.Features/providers/" + namespace + "/features/" +
			name,
		"name": knownFeatures[i], "type": kindFeature, "properties": Body{"state": state},
	}, nil
}

// register registers the subscription for a feature. The answer is Azure's, which takes some minutes; here the feature
// is registered afterwards.
func (r *request) register() (Body, error) {
	body, err := r.feature()
	if err != nil || at(body, "properties.state") == "Registered" {
		return body, err
	}
	r.state.Features = append(r.state.Features, textAt(body, "name"))
	setAt(body, "properties.state", "Registering")
	return body, writeFile(r.cloud.stateFile(), r.state)
}
