package preflight

var imageRules = []Rule{}
