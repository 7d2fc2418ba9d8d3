# Runs the flanneld of the node, and gives containerd the CNI configuration as soon as
# the network exists.

. (Join-Path $PSScriptRoot 'node.ps1')

$Program = 'C:\k\flanneld.exe'
$Plugin = 'C:\opt\cni\bin\flannel.exe'
$Configuration = 'C:\etc\cni\net.d\10-flannel.conflist'

# The addresses where clouds have the metadata of a machine, and Azure its platform: the
# host networking service loses their routes when it creates a network
# (https://github.com/microsoft/hcsshim/issues/299).
$PlatformPrefixes = @('169.254.169.254/32', '168.63.129.16/32')

# Get-PlatformRoute lists the routes that may get lost when a network is created.
function Get-PlatformRoute {
    foreach ($prefix in $PlatformPrefixes) {
        Get-NetRoute -DestinationPrefix $prefix -ErrorAction SilentlyContinue | Select-Object -First 1
    }
}

# Restore-PlatformRoute adds them again, to the interface that has the node's address
# now. They may go a while after the network was created.
function Restore-PlatformRoute {
    param($Routes, [string]$NodeAddress)
    $end = [DateTime]::UtcNow.AddSeconds(60)
    while ((@($Routes).Count -gt 0) -and ([DateTime]::UtcNow -lt $end)) {
        $interface = Get-NetIPAddress -IPAddress $NodeAddress -ErrorAction SilentlyContinue | Select-Object -First 1
        foreach ($lost in $Routes) {
            $there = Get-NetRoute -DestinationPrefix $lost.DestinationPrefix -ErrorAction SilentlyContinue
            if (($null -eq $there) -and ($null -ne $interface)) {
                Write-Log "the route to $($lost.DestinationPrefix) is added again"
                $null = New-NetRoute -DestinationPrefix $lost.DestinationPrefix `
                    -InterfaceIndex $interface.InterfaceIndex -NextHop $lost.NextHop -RouteMetric $lost.RouteMetric `
                    -PolicyStore ActiveStore
            }
        }
        Start-Sleep -Seconds 5
    }
}

# Set-Configuration writes it with Windows lines, as the bootstrap of the node does, and
# leaves a file alone that says the same.
function Set-Configuration {
    $text = [IO.File]::ReadAllText((Join-Path $PSScriptRoot 'cni-conf.json')).Replace("`n", "`r`n")
    if ((Test-Path -LiteralPath $Configuration) -and ([IO.File]::ReadAllText($Configuration) -ceq $text)) {
        return
    }
    Save-Text $Configuration $text
}

$settings = Read-Json (Join-Path $PSScriptRoot 'settings.json')
if (-not (Test-Path -LiteralPath $Plugin -PathType Leaf)) {
    throw "this node has no $Plugin, which its bootstrap should have downloaded"
}
$routes = @(Get-PlatformRoute)
$missing = $null -eq (Find-HnsObject '/networks/' $settings.network)
$process = Start-Program $Program @(
    '--kube-subnet-mgr',
    "--kubeconfig-file=$(Join-Path $PSScriptRoot 'kubeconfig.json')",
    "--net-config-path=$(Join-Path $PSScriptRoot 'net-conf.json')",
    "--iface=$env:HOST_IP"
)
try {
    $null = Wait-HnsObject '/networks/' $settings.network $process
    Set-Configuration
    if ($missing) {
        Restore-PlatformRoute $routes $env:HOST_IP
    }
    $process.WaitForExit()
} finally {
    if (-not $process.HasExited) {
        $process.Kill()
    }
}
exit $process.ExitCode
