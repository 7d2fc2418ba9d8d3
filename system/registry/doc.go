// Package registry gets the facts about images from registries: their systems, Windows releases and processors, the
// user that they run as, their commands, and the sizes of their layers. It reads the index, the manifests and the
// configurations, never a layer, with the credentials that docker login has stored.
//
//	client := registry.Client{}
//	for _, r := range client.LookUp(ctx, []string{"nginx:1.27"}, nil) {
//		...
//	}
//
// The answers of a registry are not trusted: the size of an answer, the number of answers, the platforms of an index
// and the time are limited, see the constants. The connection is encrypted, unless the registry is on the machine
// itself. The failure of an image is an [Error]. Its text contains nothing that the registry has sent, because that
// could repeat a token.
package registry
