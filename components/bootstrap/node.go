package bootstrap

// NodeFiles are the files of the node with a name, in the order of their paths. The
// error lists everything that is wrong with the cluster, and with how the node joins
// it, with paths below "cluster" and "join".
//
// The first node of the control plane needs no [Join]; it creates the cluster, with
// Join.Token as its first bootstrap token if there is one.
func NodeFiles(c Cluster, name string, j Join) ([]File, error) {
	m, err := c.machine(name, j)
	if err != nil {
		return nil, err
	}
	if m.pool.Platform.IsWindows() {
		return windowsFiles(m), nil
	}
	return linuxFiles(m), nil
}
