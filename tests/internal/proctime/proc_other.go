//go:build !linux

package proctime

import "time"

type stat struct {
	key
	parent      int
	name        string
	own, waited time.Duration
}

// running returns nothing: there is no /proc.
func running() []stat { return nil }

func describe(stat) Process { return Process{} }
