package images

// Find reads the lock file of a path. Without a path it is [DefaultFile] in the working directory, if
// there is one; otherwise the lock is nil, and knows nothing. A path that is given must be there.
func Find(path string) (*Lock, error) {
	if path != "" {
		return Read(path)
	}
	lock, err := Read(DefaultFile)
	if NotExist(err) {
		return nil, nil //nolint:nilnil // a nil lock knows nothing
	}
	return lock, err
}
