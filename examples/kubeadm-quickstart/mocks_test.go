package main

import (
	"testing"

	"github.com/mixedkube/mixedkube/components/kubeadm/kubeadmtest"
	"github.com/mixedkube/mixedkube/examples/internal/exampletest"
)

func TestUnderTheMocksOfTheSDK(t *testing.T) {
	t.Parallel()
	exampletest.Mocked{
		Program: program,
		Config:  configuration(t, func(map[string]string) {}),
		Guarded: true,
		Cloud:   kubeadmtest.Azure(),
		MissingOutput: "the mock of azure-native:network:NetworkInterface must give the output " +
			`"ipConfigurations[0].privateIPAddress"`,
		Preview: exampletest.UnknownSecret,
	}.Run(t)
}
