// Runs Internet Information Services on the Windows nodes of a mixed cluster.
import * as kubernetes from "@pulumi/kubernetes";
import * as mixedkube from "@mixedkube/mixedkube";

const { Platform } = mixedkube.platform;

const classes = new mixedkube.runtimeclass.Set("windows", {
    topology: {
        pools: [
            { name: "sys", platform: Platform.Linux },
            { name: "win22", platform: Platform.WindowsServer2022 },
        ],
    },
});

const labels = { app: "iis" };
const metadata = { name: "iis", labels };

const service = new kubernetes.core.v1.Service("iis", {
    metadata,
    spec: { type: "LoadBalancer", selector: labels, ports: [{ protocol: "TCP", port: 80 }] },
});

// The component adds the fields that place the pods on Windows nodes.
new mixedkube.workload.Deployment("iis", {
    platform: Platform.WindowsServer2022,
    metadata,
    spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: {
            metadata: { labels },
            spec: {
                containers: [{
                    name: "iis",
                    image: "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022",
                    resources: {
                        limits: { cpu: "1", memory: "800Mi" },
                        requests: { cpu: "0.1", memory: "300Mi" },
                    },
                    ports: [{ containerPort: 80 }],
                }],
            },
        },
    },
}, { dependsOn: classes }); // pods are rejected until their RuntimeClass exists

export const ingress = service.status.loadBalancer.ingress;
