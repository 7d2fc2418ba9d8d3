//go:build unix

package disk

import (
	"io/fs"
	"os"
	"syscall"
)

// ownerOf returns the ID of the user that a file belongs to.
func ownerOf(info fs.FileInfo) (uid int, known bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(stat.Uid), true
}

// keepOwner gives a file the owner and the group of the one that it replaces. Only the administrator may give files away.
func keepOwner(f *os.File, of fs.FileInfo) {
	if stat, ok := of.Sys().(*syscall.Stat_t); ok && f.Chown(int(stat.Uid), int(stat.Gid)) != nil {
		_ = f.Chown(-1, int(stat.Gid)) // a user may change to a group of theirs
	}
}

// exposed reports whether other users can read a file or a directory.
func exposed(info fs.FileInfo) bool { return info.Mode().Perm()&0o077 != 0 }
