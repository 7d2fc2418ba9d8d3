package userfiles_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/mixedkube/mixedkube/core/images"
	"github.com/mixedkube/mixedkube/internal/system/userfiles"
)

// Package images knows what is in a lock file, and this package where it is.
func Example() {
	dir, err := os.MkdirTemp("", "userfiles")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }()
	file := filepath.Join(dir, images.DefaultFile)

	var lock images.Lock
	err = lock.Set("shop.example.com/shop:1.4", nil)
	if err == nil {
		err = userfiles.Write(file, lock.Encode)
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	read, err := userfiles.Decode(file, images.Decode)
	fmt.Println(read.References(), err)
	// Output:
	// [shop.example.com/shop:1.4] <nil>
}
