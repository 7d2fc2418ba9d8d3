// Package registry asks registries what images are: for which systems, releases of Windows and
// processors, which user they run as, what starts, and how large their layers are. It reads the
// index, the manifests and the configurations, never a layer, with the credentials that docker
// login has stored.
//
//	client := registry.Client{}
//	for _, r := range client.LookUp(ctx, []string{"nginx:1.27"}, nil) {
//		...
//	}
//
// What a registry sends is a stranger's: the size of an answer, the number of answers, the
// platforms of an index and the time are limited, see the constants. The connection is encrypted,
// unless the registry is on the machine itself. What goes wrong with an image is a [Error], whose
// text has nothing of the registry's, as that could repeat a token.
package registry
