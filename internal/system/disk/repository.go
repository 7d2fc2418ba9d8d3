package disk

import (
	"io/fs"
	"os"
	"path/filepath"
)

// gitDirectory makes a directory a repository. In a worktree and in a submodule it is a file, and tools for many
// repositories make it a link.
const gitDirectory = ".git"

// hasRepository reports whether a directory is the root of a git repository. As for git, the repository of another user
// does not count, unless the directory itself belongs to the same user: a neighbor on this machine could make one of /tmp.
func hasRepository(dir string) bool {
	git, err := os.Lstat(filepath.Join(dir, gitDirectory))
	if err != nil {
		return false
	}
	info, err := os.Stat(dir)
	return err == nil && (own(git) || sameOwner(git, info))
}

// Repository returns the root of the git repository that has a directory, or the directory itself.
func Repository(dir string) string {
	for at := dir; at != filepath.Dir(at); at = filepath.Dir(at) {
		if hasRepository(at) {
			return at
		}
	}
	return dir
}

// own reports whether a file belongs to this user or to the administrator.
func own(info fs.FileInfo) bool {
	uid, known := ownerOf(info)
	return !known || uid == 0 || uid == os.Getuid()
}

func sameOwner(a, b fs.FileInfo) bool {
	one, _ := ownerOf(a)
	other, _ := ownerOf(b)
	return one == other
}
