// Deploys a chart that was written for a single operating system, on a mixed cluster.
import * as mixedkube from "@mixedkube/mixedkube";

const { Platform } = mixedkube.platform;

// The pods get node selectors and tolerations for the platforms of their images.
new mixedkube.manifest.Chart("shop", {
    chart: { chart: "../chart" }, // the arguments of helm.v4.Chart
    topology: {
        pools: [
            { name: "linux", platform: Platform.Linux, count: 2 },
            { name: "win22", platform: Platform.WindowsServer2022, count: 2 },
        ],
    },
});
