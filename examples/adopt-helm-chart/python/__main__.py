"""Deploys a chart whose author thought of one operating system only, on a mixed cluster."""

import mixedkube
from mixedkube.platform import Platform

# The pods get node selectors and tolerations by what their images are for.
mixedkube.manifest.Chart(
    "shop",
    chart={"chart": "../chart"},  # the arguments of helm.v4.Chart, in the words of its schema
    topology={
        "pools": [
            {"name": "linux", "platform": Platform.LINUX, "count": 2},
            {"name": "win22", "platform": Platform.WINDOWS_SERVER2022, "count": 2},
        ],
    },
)
