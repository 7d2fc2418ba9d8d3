"""Runs Internet Information Services as a group managed service account of Active Directory."""

import mixedkube
import pulumi
import pulumi_kubernetes as kubernetes
from mixedkube.platform import Platform
from mixedkube.workload import Scheduling

# The kind GMSACredentialSpec. Each cluster has it once.
kind = mixedkube.gmsa.crd_output()
crd = kubernetes.apiextensions.v1.CustomResourceDefinition(
    "gmsa", metadata=kind.metadata, spec=kind.spec
)

# cert-manager, which must be in the cluster, issues the certificate of the webhook.
webhook = mixedkube.gmsa.Webhook(
    "gmsa-webhook",
    chart=pulumi.Config().get("chart"),  # by default the project's chart, or a copy of it
    cert_manager_installed=True,
    opts=pulumi.ResourceOptions(depends_on=[crd]),
)

account = mixedkube.gmsa.CredentialSpec(
    "webapp01",
    account="WebApp01",
    domain={  # what Get-ADDomain shows
        "dns_name": "contoso.com",
        "net_bios_name": "CONTOSO",
        "sid": "S-1-5-21-2126449477-2524075714-3094792973",
        "guid": "244818ae-87ac-4fcd-92ec-e79e5252348a",
    },
    opts=pulumi.ResourceOptions(depends_on=[crd]),
)

# Without the webhook the pod would start without an identity.
mixedkube.workload.Pod(
    "iis",
    platform=Platform.WINDOWS_SERVER2022,
    scheduling=Scheduling.BY_SELECTOR,
    credential_spec=account.name,
    spec={
        "containers": [{
            "name": "iis",
            "image": "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022",
        }],
    },
    opts=pulumi.ResourceOptions(depends_on=[webhook]),
)
