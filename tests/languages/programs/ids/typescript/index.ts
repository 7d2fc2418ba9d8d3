import * as mixedkube from "@mixedkube/mixedkube";
import * as pulumi from "@pulumi/pulumi";

const { Platform } = mixedkube.platform;

const size = "Standard_D4s_v5";
const shop = new mixedkube.aks.Cluster("shop", {
    kubernetesVersion: "1.36",
    pools: [{ name: "sys", platform: Platform.Linux, mode: mixedkube.topology.Mode.System, count: 1, size }],
    windowsAdmin: { password: new pulumi.Config().requireSecret("windowsPassword") },
    unprotected: true,
});
const win25 = new mixedkube.aks.NodePool("win25", {
    resourceGroupName: shop.resourceGroupName,
    clusterName: shop.clusterName,
    kubernetesVersion: "1.36",
    pool: { name: "win25", platform: Platform.WindowsServer2025, count: 1, size, fips: true },
    tags: { cluster: shop.clusterID },
});

export const cluster = shop.clusterID;
export const pool = win25.poolID;
export const name = win25.name;
