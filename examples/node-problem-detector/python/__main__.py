"""Reports problems that containerd logs on Windows nodes as events of these nodes."""

import json

import mixedkube
from mixedkube.platform import Platform

# Finds containers that Windows does not start, and networks that it does not create, as the
# default does. AKS nodes have the log at another path than nodes of this library's bootstrap.
containerd = {
    "plugin": "filelog",
    "pluginConfig": {
        "message": 'msg="(.*)"',
        "timestamp": r'^time="(\S*)"',
        "timestampFormat": "2006-01-02T15:04:05.999999999-07:00",
    },
    "logPath": r"C:\k\containerd.log",
    "lookback": "5m",
    "bufferSize": 10,
    "source": "containerd",
    "conditions": [],
    "rules": [
        {
            "type": "temporary",
            "reason": "WindowsReleaseMismatch",
            "pattern": ".*container operating system does not match the host operating system.*",
        },
        {
            "type": "temporary",
            "reason": "ComputeSystemFailed",
            "pattern": ".*hcs::(CreateComputeSystem|System::Start).*",
        },
        {
            "type": "temporary",
            "reason": "HostNetworkingFailed",
            "pattern": ".*hnsCall failed in Win32.*",
        },
    ],
}

mixedkube.hostprocess.NodeProblemDetector(
    "node-problem-detector",
    # The API server's address: Windows nodes cannot reach its Service. For a cluster of kubeadm
    # in the same program, use cluster.endpoint.
    endpoint="api.example.com:6443",
    # Windows Server 2025 on AKS has containerd 2.0, which does not run the image.
    platforms=[Platform.WINDOWS_SERVER2022],
    log_monitors={"containerd.json": json.dumps(containerd, indent=2) + "\n"},
)
