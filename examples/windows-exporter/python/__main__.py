"""Serves the metrics of each Windows node on its port 9182, for Prometheus."""

import mixedkube
import pulumi

mixedkube.hostprocess.WindowsExporter(
    "windows-exporter",
    # The defaults and the connections of each node.
    # service_monitor=True lets the Prometheus operator find all.
    collectors=["[defaults]", "container", "tcp"],
)

# Components do not return their resources: this is the name of the Service in Kubernetes.
pulumi.export("service", "windows-exporter")
