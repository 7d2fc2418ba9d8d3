import * as mixedkube from "@mixedkube/mixedkube";

new mixedkube.runtimeclass.Set("windows", {
    topology: { pools: [{ name: "win22", platform: "windows-2021" }] },
});
