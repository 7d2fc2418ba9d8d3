"""Shows the logs of Internet Information Services in kubectl logs.

The image comes from the Dockerfile.
"""

import mixedkube
from mixedkube.logmonitor import FileArgs
from mixedkube.platform import Platform
from mixedkube.workload import Scheduling

# The log of the application is added to the logs of IIS.
logs = mixedkube.logmonitor.Config(
    "iis",
    sources=[
        *mixedkube.logmonitor.iis().sources,
        FileArgs(type="File", directory=r"C:\shop\logs", filter="*.log"),
    ],
)

labels = {"app": "iis"}
log_monitor = [
    r"C:\LogMonitor\LogMonitor.exe",
    "/CONFIG",
    r"C:\mounts\logmonitor\LogMonitorConfig.json",
]
mixedkube.workload.Deployment(
    "iis",
    platform=Platform.WINDOWS_SERVER2022,
    scheduling=Scheduling.BY_SELECTOR,
    spec={
        "selector": {"match_labels": labels},
        "template": {
            "metadata": {"labels": labels},
            "spec": {
                "containers": [{
                    "name": "iis",
                    "image": "registry.example.com/iis-logmonitor:ltsc2022",
                    # LogMonitor starts IIS.
                    "command": [*log_monitor, *mixedkube.logmonitor.iis_command().command],
                    "resources": {"limits": {"memory": "800Mi"}},
                    "volume_mounts": [
                        {"name": "logmonitor-config", "mount_path": "/mounts/logmonitor"},
                    ],
                }],
                "volumes": [{"name": "logmonitor-config", "config_map": {"name": logs.name}}],
            },
        },
    },
)
