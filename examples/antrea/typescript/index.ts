// Installs Antrea with its Helm chart, and with its manifests for Windows, on machines of your own.
import * as fs from "fs";
import * as mixedkube from "@mixedkube/mixedkube";
import * as pulumi from "@pulumi/pulumi";

const { Kind } = mixedkube.bootstrap;
const { Platform } = mixedkube.platform;

const config = new pulumi.Config();
const network = { kind: Kind.Antrea, nodeCIDR: "192.168.10.0/24" };
const endpoint = "192.168.10.10:6443";
const topology = {
    pools: [
        { name: "linux", platform: Platform.Linux },
        { name: "win22", platform: Platform.WindowsServer2022 },
    ],
};

const linux = new mixedkube.manifest.Chart("antrea", {
    chart: { // the arguments of helm.v4.Chart
        chart: config.get("chart") ?? "../antrea", // a copy of Antrea's chart
        namespace: "kube-system",
        values: mixedkube.bootstrap.antreaConfigOutput({ network, endpoint }).linux,
    },
    topology,
});

const manifests = fs.readFileSync(config.get("windows") ?? "../antrea-windows-with-ovs.yml", "utf8");
mixedkube.bootstrap.antreaManifests({ network, endpoint, manifests }).then(windows =>
    new mixedkube.manifest.Group("antrea-windows", { yaml: windows.yaml, topology }, { dependsOn: [linux] }));
