// Shows the logs of Internet Information Services in kubectl logs. The image comes from the Dockerfile.
import * as mixedkube from "@mixedkube/mixedkube";

const { Platform } = mixedkube.platform;
const { Scheduling } = mixedkube.workload;

export = async () => {
    const iis = await mixedkube.logmonitor.iis();
    const start = await mixedkube.logmonitor.iisCommand();

    // The log of the application is added to the logs of IIS.
    const logs = new mixedkube.logmonitor.Config("iis", {
        sources: [...iis.sources, { type: "File", directory: "C:\\shop\\logs", filter: "*.log" }],
    });

    const labels = { app: "iis" };
    const logMonitor = ["C:\\LogMonitor\\LogMonitor.exe", "/CONFIG", "C:\\mounts\\logmonitor\\LogMonitorConfig.json"];
    new mixedkube.workload.Deployment("iis", {
        platform: Platform.WindowsServer2022,
        scheduling: Scheduling.BySelector,
        spec: {
            selector: { matchLabels: labels },
            template: {
                metadata: { labels },
                spec: {
                    containers: [{
                        name: "iis",
                        image: "registry.example.com/iis-logmonitor:ltsc2022",
                        command: [...logMonitor, ...start.command], // LogMonitor starts IIS
                        resources: { limits: { memory: "800Mi" } },
                        volumeMounts: [{ name: "logmonitor-config", mountPath: "/mounts/logmonitor" }],
                    }],
                    volumes: [{ name: "logmonitor-config", configMap: { name: logs.name } }],
                },
            },
        },
    });
};
