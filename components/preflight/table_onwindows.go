package preflight

var windowsRules = []Rule{}
