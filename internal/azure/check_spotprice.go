package azure

import (
	"fmt"
	"strconv"
	"strings"
)

func (c *check) spotPrice(p pool) {
	_, decimals, _ := strings.Cut(strconv.FormatFloat(p.SpotMaxPrice, 'f', -1, 64), ".")
	if p.SpotMaxPrice > 0 && len(decimals) > 5 {
		c.report("MK737", problem{
			path: p.at + "spotMaxPrice", value: p.SpotMaxPrice,
			detail: fmt.Sprintf("%d decimals, and Azure takes at most 5", len(decimals)), fix: "round it",
		})
	}
}
