// Makes a mixed cluster on AKS whose nodes pull images from a private registry.
import * as kubernetes from "@pulumi/kubernetes";
import * as mixedkube from "@mixedkube/mixedkube";
import * as pulumi from "@pulumi/pulumi";

const { Platform } = mixedkube.platform;
const { Mode } = mixedkube.topology;
const { Scheduling } = mixedkube.workload;

const config = new pulumi.Config();

const cluster = new mixedkube.aks.Cluster("shop", {
    kubernetesVersion: "1.35",
    pools: [
        { name: "sys", platform: Platform.Linux, mode: Mode.System, count: 3, size: "Standard_D4s_v5" },
        { name: "win22", platform: Platform.WindowsServer2022, count: 2, size: "Standard_D4s_v5" },
    ],
    windowsAdmin: { password: config.requireSecret("windowsPassword") },
});

// The package @pulumi/azure-native has this class too, as authorization.RoleAssignment.
class RoleAssignment extends pulumi.CustomResource {
    constructor(name: string, args: pulumi.Inputs, opts?: pulumi.CustomResourceOptions) {
        super("azure-native:authorization:RoleAssignment", name, args, opts);
    }
}

const pull = new RoleAssignment("pull", {
    principalId: cluster.kubeletIdentity.objectID,
    principalType: "ServicePrincipal",
    // AcrPull: https://learn.microsoft.com/azure/role-based-access-control/built-in-roles/containers#acrpull
    roleDefinitionId: "/providers/Microsoft.Authorization/roleDefinitions/7f951dda-4ed3-4680-a7ca-43fe172d538d",
    scope: config.require("registryID"),
});

// Components do not return their provider: create one from the kubeconfig.
const provider = new kubernetes.Provider("shop", { kubeconfig: cluster.kubeconfig });

new mixedkube.workload.Pod("web", {
    platform: Platform.WindowsServer2022,
    scheduling: Scheduling.BySelector,
    topology: cluster.topology,
    spec: { containers: [{ name: "web", image: config.require("image") }] },
}, { providers: [provider], dependsOn: [pull] });
