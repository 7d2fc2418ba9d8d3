package preflight

var runtimeClassRules = []Rule{}
