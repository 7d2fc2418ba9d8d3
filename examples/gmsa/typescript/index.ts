// Runs Internet Information Services as a group managed service account of Active Directory.
import * as kubernetes from "@pulumi/kubernetes";
import * as mixedkube from "@mixedkube/mixedkube";
import * as pulumi from "@pulumi/pulumi";

const { Platform } = mixedkube.platform;
const { Scheduling } = mixedkube.workload;

// The kind GMSACredentialSpec. Each cluster has it once.
const kind = mixedkube.gmsa.crdOutput();
const crd = new kubernetes.apiextensions.v1.CustomResourceDefinition("gmsa", {
    metadata: kind.metadata,
    spec: kind.spec,
});

// cert-manager, which must be in the cluster, issues the certificate of the webhook.
const webhook = new mixedkube.gmsa.Webhook("gmsa-webhook", {
    chart: new pulumi.Config().get("chart"), // by default the project's chart, or a copy of it
    certManagerInstalled: true,
}, { dependsOn: crd });

const account = new mixedkube.gmsa.CredentialSpec("webapp01", {
    account: "WebApp01",
    domain: { // what Get-ADDomain shows
        dnsName: "contoso.com",
        netBIOSName: "CONTOSO",
        sid: "S-1-5-21-2126449477-2524075714-3094792973",
        guid: "244818ae-87ac-4fcd-92ec-e79e5252348a",
    },
}, { dependsOn: crd });

// Without the webhook the pod would start without an identity.
new mixedkube.workload.Pod("iis", {
    platform: Platform.WindowsServer2022,
    scheduling: Scheduling.BySelector,
    credentialSpec: account.name,
    spec: {
        containers: [{
            name: "iis",
            image: "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022",
        }],
    },
}, { dependsOn: webhook });
