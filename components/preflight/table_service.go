package preflight

var serviceRules = []Rule{}
