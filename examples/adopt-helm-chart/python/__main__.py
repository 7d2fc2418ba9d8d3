"""Deploys a chart that was written for a single operating system, on a mixed cluster."""

import mixedkube
from mixedkube.platform import Platform

# The pods get node selectors and tolerations for the platforms of their images.
mixedkube.manifest.Chart(
    "shop",
    chart={"chart": "../chart"},  # the arguments of helm.v4.Chart, spelled as in its schema
    topology={
        "pools": [
            {"name": "linux", "platform": Platform.LINUX, "count": 2},
            {"name": "win22", "platform": Platform.WINDOWS_SERVER2022, "count": 2},
        ],
    },
)
