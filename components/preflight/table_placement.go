package preflight

var placementRules = []Rule{}
