package images

// Find reads the lock file at a path. If the path is "", it reads [DefaultFile] in the working directory; if that does
// not exist, the lock is nil and has no facts. An explicit path must exist.
func Find(path string) (*Lock, error) {
	if path != "" {
		return Read(path)
	}
	lock, err := Read(DefaultFile)
	if NotExist(err) {
		return nil, nil //nolint:nilnil // a nil lock has no facts
	}
	return lock, err
}
