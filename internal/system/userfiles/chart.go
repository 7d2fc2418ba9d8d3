package userfiles

import (
	"io/fs"

	"github.com/mixedkube/mixedkube/internal/system/disk"
)

// Chart returns the files of a chart in a directory of this machine, for [helmchart.Check]. It opens nothing before it
// is read.
func Chart(dir string) fs.FS { return new(disk.Access).FS(dir) }
