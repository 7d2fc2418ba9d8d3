// Adds a Windows pool to an existing AKS cluster, and runs IIS on it.
import * as kubernetes from "@pulumi/kubernetes";
import * as mixedkube from "@mixedkube/mixedkube";
import * as pulumi from "@pulumi/pulumi";

const { Platform } = mixedkube.platform;
const { Scheduling } = mixedkube.workload;

const cluster = new mixedkube.aks.ExistingCluster("shop", {
    resourceGroupName: new pulumi.Config().require("resourceGroup"),
    pools: {
        // The pool takes the other settings from the cluster: version, network and tags.
        win22: {
            pool: { name: "win22", platform: Platform.WindowsServer2022, count: 1, size: "Standard_D4s_v5" },
        },
    },
});

// Components do not return their provider: create one from the kubeconfig.
const provider = new kubernetes.Provider("shop", { kubeconfig: cluster.kubeconfig });

new mixedkube.workload.Pod("iis", {
    platform: Platform.WindowsServer2022,
    scheduling: Scheduling.BySelector,
    topology: cluster.topology, // with the new pool
    spec: {
        containers: [{
            name: "iis",
            image: "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022",
        }],
    },
}, { providers: [provider], dependsOn: cluster });
