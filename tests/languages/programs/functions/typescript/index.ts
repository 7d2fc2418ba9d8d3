import * as mixedkube from "@mixedkube/mixedkube";
import * as pulumi from "@pulumi/pulumi";

const config = new pulumi.Config();
const { Platform } = mixedkube.platform;

export const image = mixedkube.platform.fromImage({
    image: config.get("container") ?? "example.com/shop:1.0-ltsc2022",
});
export const tolerations = mixedkube.topology.tolerationsOutput({
    topology: {
        kubernetesVersion: "1.36",
        pools: [
            { name: "sys", platform: Platform.Linux },
            {
                name: "win22",
                platform: Platform.WindowsServer2022,
                taints: ["os=windows:NoSchedule", "gpu:NoExecute"],
            },
        ],
    },
    platform: config.get<mixedkube.platform.Platform>("platform") ?? Platform.WindowsServer2022,
}).tolerations;

const endpoint = "api.example.com:6443";
const nodeCIDR = "10.240.0.0/24";
const { Kind } = mixedkube.bootstrap;
const ofCalico = { network: { kind: Kind.CalicoVXLAN, nodeCIDR }, endpoint };
const ofAntrea = { network: { kind: Kind.Antrea, nodeCIDR }, endpoint };

export const calico = mixedkube.bootstrap.calicoObjectsOutput(ofCalico).objects;
export const chart = mixedkube.bootstrap.calicoValuesOutput(ofCalico).values;
export const antrea = mixedkube.bootstrap.antreaConfigOutput(ofAntrea);
export const manifests = mixedkube.bootstrap.antreaManifests({
    ...ofAntrea,
    manifests: `kind: ConfigMap
metadata: {name: antrea-windows-config}
data: {antrea-agent.conf: "antreaProxy: {enable: true}"}
`,
}).then(made => made.yaml);
export const policies = mixedkube.bootstrap.egressPoliciesOutput({
    network: { kind: Kind.Antrea, nodeCIDR, blockedEgress: [{ cidr: "203.0.113.0/24", tcpPorts: [80] }] },
}).policies;
