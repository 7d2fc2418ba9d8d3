package azure

import "regexp"

var clusterNameFormat = regexp.MustCompile(`^[A-Za-z0-9]([-_A-Za-z0-9]{0,61}[A-Za-z0-9])?$`)

func (c *check) clusterName(name string) {
	if name != "" && !clusterNameFormat.MatchString(name) {
		c.report("MK709", problem{
			path: "clusterName", value: name,
			detail: "a cluster's name has 1 to 63 letters, digits, hyphens and underscores, with a letter or digit at both ends",
			fix:    "give another one, for example shop",
		})
	}
}
