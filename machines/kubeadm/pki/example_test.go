package pki_test

import (
	"encoding/base64"
	"fmt"
	"time"

	"github.com/mixedkube/mixedkube/machines/kubeadm/pki"
)

// The same secret and name of a cluster give the same keys each time.
func Example() {
	// A program generates the secret at random, and stores it.
	generated := base64.StdEncoding.EncodeToString(make([]byte, pki.GeneratedBytes))
	created := time.Date(2026, time.January, 15, 0, 0, 0, 0, time.UTC)
	keys := func(cluster string) (pki.Keys, error) {
		secret, err := pki.Generated(generated, cluster)
		return pki.Keys{Generations: []pki.Generation{{Secret: secret, Created: created}}}, err
	}
	fingerprint := func(cluster string) string {
		k, err := keys(cluster)
		if err != nil {
			return err.Error()
		}
		prints, err := k.Fingerprints(0)
		if err != nil {
			return err.Error()
		}
		return prints[pki.ClusterCA]
	}
	first := fingerprint("shop")
	fmt.Println("again:", fingerprint("shop") == first)
	fmt.Println("another cluster:", fingerprint("blog") == first)

	shop, err := keys("shop")
	if err != nil {
		fmt.Println(err)
		return
	}
	certificates, err := shop.Certificates()
	if err != nil {
		fmt.Println(err)
		return
	}
	authority, _, err := certificates.CA.ParseCA()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(authority.Subject.CommonName, "is valid until", authority.NotAfter.Format(time.DateOnly))
	// Output:
	// again: true
	// another cluster: false
	// kubernetes is valid until 2036-01-14
}
