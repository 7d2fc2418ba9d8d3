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
		Cloud:         akstest.Azure(),
		Guarded:       true,
		MissingOutput: `the mock of azure-native:resources:ResourceGroup must give the output "name"`,
		Preview:       exampletest.UnknownSecret,
	}.Run(t)
}
