import * as mixedkube from "@mixedkube/mixedkube";

new mixedkube.workload.Pod("web", {
    platform: mixedkube.platform.Platform.Linux,
    spec: { containers: [{ name: "web", image: "nginx:1.29", port: 80 }] },
});
