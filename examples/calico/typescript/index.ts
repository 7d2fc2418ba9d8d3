// Installs Calico with the Helm chart of its operator, in a cluster on machines of your own.
import * as kubernetes from "@pulumi/kubernetes";
import * as mixedkube from "@mixedkube/mixedkube";
import * as pulumi from "@pulumi/pulumi";

const { Kind } = mixedkube.bootstrap;
const { Platform } = mixedkube.platform;

const calico = mixedkube.bootstrap.calicoValuesOutput({
    network: { kind: Kind.CalicoVXLAN, nodeCIDR: "192.168.10.0/24" },
    endpoint: "192.168.10.10:6443",
});

const namespace = new kubernetes.core.v1.Namespace("tigera-operator", {
    metadata: { name: "tigera-operator" },
});

new mixedkube.manifest.Chart("calico", {
    chart: { // the arguments of helm.v4.Chart
        chart: new pulumi.Config().get("chart") ?? "../tigera-operator", // a copy of Calico's chart
        namespace: "tigera-operator",
        values: calico.values,
    },
    topology: {
        pools: [
            { name: "linux", platform: Platform.Linux },
            { name: "win22", platform: Platform.WindowsServer2022 },
        ],
    },
}, { dependsOn: [namespace] });
