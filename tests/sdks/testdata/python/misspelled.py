import mixedkube

mixedkube.runtimeclass.Set(
    "windows",
    topology={"pools": [{"name": "win22", "platform": "windows-2022", "sise": "Standard_D4s_v5"}]},
)
