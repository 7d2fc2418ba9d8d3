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
