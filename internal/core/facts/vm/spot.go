package vm

// SpotMaxPrice returns the maximum price of a spot machine as Azure writes it: -1 instead of 0 for any price up to that
// of an ordinary machine (https://learn.microsoft.com/azure/virtual-machines/spot-vms#pricing).
func SpotMaxPrice(price float64) float64 {
	if price == 0 {
		return -1
	}
	return price
}
