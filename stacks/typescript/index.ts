// Deploys RuntimeClasses and the workloads of a stack's configuration, as the program in Go does, into a
// cluster that it creates on AKS, or into the cluster of the default kubeconfig.
import * as k8s from "@pulumi/kubernetes";
import * as mixedkube from "@mixedkube/mixedkube";
import * as pulumi from "@pulumi/pulumi";

type Pool = mixedkube.types.input.topology.PoolArgs;

// The configuration. Its keys are the arguments of the components.
interface Described {
    kubernetesVersion: string;
    pools: Pool[];
    missingFeatures?: mixedkube.topology.Feature[];
}

interface AKS {
    clusterName?: string;
    resourceGroupName?: string;
    location?: string;
    network?: mixedkube.types.input.aks.NetworkArgs;
    windowsAdmin?: Omit<mixedkube.types.input.aks.WindowsAdminArgs, "password">;
    login?: mixedkube.types.input.aks.LoginArgs;
    azureCLI?: boolean;
    unprotected?: boolean;
}

const config = new pulumi.Config();
const described = config.requireObject<Described>("cluster");
const onAKS = config.getObject<AKS>("aks");
const workloads = config.requireObject<string[]>("workloads");

let topology: pulumi.Input<mixedkube.types.input.topology.TopologyArgs> = described;
let provider: k8s.Provider | undefined;
if (onAKS) {
    const { clusterName, windowsAdmin, ...rest } = onAKS;
    const cluster = new mixedkube.aks.Cluster(clusterName ?? pulumi.getStack(), {
        kubernetesVersion: described.kubernetesVersion,
        pools: described.pools,
        windowsAdmin: { ...windowsAdmin, password: config.requireSecret("windowsPassword") },
        ...rest,
    });
    topology = cluster.topology;
    provider = new k8s.Provider("cluster", { kubeconfig: cluster.kubeconfig });
}
// A component takes its provider from providers, a resource from provider.
const inCluster: pulumi.ComponentResourceOptions = provider ? { providers: [provider] } : {};

const classes = new mixedkube.runtimeclass.Set("windows", { topology }, inCluster);

// deployIIS deploys Internet Information Services onto a Windows platform, named after it, as in iis-2019.
function deployIIS(platform: mixedkube.platform.Platform): string {
    const release = platform.replace("windows-", "");
    const name = `iis-${release}`;
    const labels = { app: name };
    new mixedkube.workload.Deployment(name, {
        topology,
        platform,
        metadata: { name, labels },
        spec: {
            replicas: 2,
            selector: { matchLabels: labels },
            template: {
                metadata: { labels },
                spec: {
                    containers: [{
                        name: "iis",
                        image: `mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc${release}`,
                        resources: {
                            limits: { cpu: "1", memory: "800Mi" },
                            requests: { cpu: "0.1", memory: "300Mi" },
                        },
                        ports: [{ containerPort: 80 }],
                    }],
                },
            },
        },
    }, { ...inCluster, dependsOn: [classes] });
    const balanced = !described.missingFeatures?.includes("load-balancers");
    new k8s.core.v1.Service(name, {
        metadata: { name, labels },
        spec: {
            type: balanced ? "LoadBalancer" : "NodePort",
            ports: [{ protocol: "TCP", port: 80 }],
            selector: labels,
        },
    }, { provider });
    return name;
}

// deployLinuxWeb deploys a Deployment that does not name a platform: the taints of the Windows pools keep it
// on Linux.
function deployLinuxWeb(): string {
    const name = "linux-web";
    const labels = { app: name };
    new k8s.apps.v1.Deployment(name, {
        metadata: { name, labels },
        spec: {
            replicas: 2,
            selector: { matchLabels: labels },
            template: {
                metadata: { labels },
                spec: { containers: [{ name: "web", image: "nginx:1.28-alpine" }] },
            },
        },
    }, { provider });
    return name;
}

const windows = new Set(described.pools.map(pool => `${pool.platform}`).filter(p => p.startsWith("windows-")));
const deployed: string[] = [];
for (const workload of workloads) {
    switch (workload) {
        case "iis":
            for (const platform of windows) {
                deployed.push(deployIIS(platform as mixedkube.platform.Platform));
            }
            break;
        case "linux-web":
            deployed.push(deployLinuxWeb());
            break;
        default:
            throw new pulumi.RunError(`mixedkube:workloads: ${workload}: this program deploys iis and linux-web`);
    }
}

export { deployed as workloads };
