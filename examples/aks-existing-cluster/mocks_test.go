package main

import (
	"testing"

	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/examples/internal/exampletest"
)

func TestUnderTheMocksOfTheSDK(t *testing.T) {
	t.Parallel()
	exampletest.Mocked{
		Program:       program,
		Config:        configuration,
		Cloud:         akstest.Azure(shop),
		MissingOutput: `the mock of azure-native:containerservice:getManagedCluster must give the output "name"`,
		LooksUp:       true,
	}.Run(t)
}
