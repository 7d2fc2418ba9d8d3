import * as mixedkube from "@mixedkube/mixedkube";

new mixedkube.workload.Pod("web", { spec: { containers: [{ name: "web", image: "nginx:1.29" }] } });
