import * as mixedkube from "@mixedkube/mixedkube";

const { Platform } = mixedkube.platform;
const { Scheduling, User } = mixedkube.workload;

// #region pools
const labels = { "mixedkube.dev/platform": "windows-2022" };
const cluster = {
    pools: [
        { name: "linux", platform: Platform.Linux, count: 1 },
        { name: "win22", platform: Platform.WindowsServer2022, labels, autoscaling: { min: 0, max: 5 } },
        { name: "wi22b", platform: Platform.WindowsServer2022, labels, count: 2 },
    ],
};
// #endregion pools

// #region classes
new mixedkube.runtimeclass.Set("windows", { topology: cluster, scaleFromZero: true });
// #endregion classes

const image = "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022";

// #region container
const amount = { cpu: "500m", memory: "800Mi" };
const iis = { name: "iis", image, resources: { requests: amount, limits: amount } };
// #endregion container

// #region platform
new mixedkube.workload.Deployment("web", {
    platform: Platform.WindowsServer2022,
    scheduling: Scheduling.BySelector,
    // #region omitted
    topology: cluster,
    spec: {
        selector: { matchLabels: { app: "web" } },
        template: { metadata: { labels: { app: "web" } }, spec: { containers: [iis] } },
    },
    // #endregion omitted
});
// #endregion platform

// #region user
new mixedkube.workload.Pod("run-as-username-pod-demo", {
    platform: Platform.WindowsServer2022,
    scheduling: Scheduling.BySelector,
    user: User.ContainerUser,
    // #region omitted
    topology: cluster,
    spec: { containers: [{ name: "app", image: "mcr.microsoft.com/windows/servercore:ltsc2022" }] },
    // #endregion omitted
});
// #endregion user

// #region volume
const volume = { name: "content", hostPath: { path: "C:\\data\\shop", type: "DirectoryOrCreate" } };
const mount = { name: volume.name, mountPath: "C:\\shop", readOnly: true };
// #endregion volume

new mixedkube.workload.Pod("content", {
    platform: Platform.WindowsServer2022,
    scheduling: Scheduling.BySelector,
    topology: cluster,
    spec: { containers: [{ name: "iis", image, volumeMounts: [mount] }], volumes: [volume] },
});

// #region chart
new mixedkube.manifest.Chart("csi-driver-smb", {
    chart: { // repository and version as its charts/README.md says
        chart: "csi-driver-smb",
        namespace: "kube-system",
        values: { windows: { enabled: true, useHostProcessContainers: true } },
    },
    topology: cluster,
});
// #endregion chart
