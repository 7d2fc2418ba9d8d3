import * as k8s from "@pulumi/kubernetes";

const labels = { app: "orders" };

const orders = new k8s.apps.v1.Deployment("orders", {
    metadata: { namespace: "default" },
    spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: {
            metadata: { labels },
            spec: {
                nodeSelector: { "kubernetes.io/os": "windows" },
                tolerations: [{ key: "os", operator: "Equal", value: "Windows", effect: "NoSchedule" }],
                securityContext: { fsGroup: 2000 },
                containers: [{
                    name: "orders",
                    image: "registry.example.com/orders:3.1-ltsc2022",
                    resources: { limits: { memory: "600Mi" } },
                }],
            },
        },
    },
});

export const name = orders.metadata.name;
