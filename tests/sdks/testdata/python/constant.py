import mixedkube
from mixedkube.platform import Platform

mixedkube.runtimeclass.Set(
    "windows",
    topology={"pools": [{"name": "win22", "platform": Platform.WINDOWS_SERVER2021}]},
)
