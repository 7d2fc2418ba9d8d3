// Command etcd is the etcd server, built from its library because the module
// that holds etcd's own main cannot be required at a release version.
package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() {
	etcdmain.Main(os.Args)
}
