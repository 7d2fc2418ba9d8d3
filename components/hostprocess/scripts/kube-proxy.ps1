# Runs the kube-proxy of the node. The configuration is the same for all nodes. This script adds
# the settings that differ: the name of the node, its source address in an overlay, and the
# feature gate that an older kube-proxy needs.

. (Join-Path $PSScriptRoot 'node.ps1')

$Program = 'C:\k\kube-proxy.exe'
$HostLocal = 'C:\opt\cni\bin\host-local.exe'
# The directory in which host-local stores the assigned addresses, by the name of the network.
$Reservations = 'C:\var\lib\cni\networks'
$Directory = 'C:\mixedkube\kube-proxy'
$Owner = 'mixedkube-kube-proxy'

# ConvertTo-Number returns an IPv4 address as a number.
function ConvertTo-Number {
    param([string]$Address)
    $bytes = [Net.IPAddress]::Parse($Address).GetAddressBytes()
    return (([long]$bytes[0] * 256 + $bytes[1]) * 256 + $bytes[2]) * 256 + $bytes[3]
}

# Test-InRange reports whether an address is in a range.
function Test-InRange {
    param([string]$Address, [string]$Range)
    $first, $bits = $Range -split '/'
    $size = [Math]::Pow(2, 32 - [int]$bits)
    return [Math]::Floor((ConvertTo-Number $Address) / $size) -eq [Math]::Floor((ConvertTo-Number $first) / $size)
}

# Find-Reservation returns the address that was reserved for kube-proxy before. Host-local has
# a file for each address, named after the address, with the owner in the first line.
function Find-Reservation {
    param([string]$Network, [string]$Range)
    $directory = Join-Path $Reservations $Network
    if (-not (Test-Path -LiteralPath $directory)) {
        return
    }
    foreach ($path in [IO.Directory]::GetFiles($directory)) {
        $name = Split-Path -Leaf $path
        if ($name -notmatch '^\d+\.\d+\.\d+\.\d+$') {
            continue
        }
        $lines = [IO.File]::ReadAllText($path) -split "`r?`n"
        if (($lines[0].Trim() -ceq $Owner) -and (Test-InRange $name $Range)) {
            return $name
        }
    }
}

# New-Reservation reserves an address of the network with host-local, as for a pod of the
# network, so that no pod gets it.
function New-Reservation {
    param([string]$Network, [string]$Range)
    $request = @{
        cniVersion = '1.0.0'
        name       = $Network
        ipam       = @{ type = 'host-local'; ranges = @(, @(@{ subnet = $Range })) }
    }
    $in = Join-Path $Directory 'host-local.json'
    Save-Text $in (ConvertTo-Json $request -Depth 10 -Compress)
    # The shell passes the file unchanged: the input that .NET writes to a program may begin
    # with a byte order mark. None of the paths has spaces.
    $start = New-Object Diagnostics.ProcessStartInfo
    $start.FileName = Join-Path $env:SystemRoot 'System32\cmd.exe'
    $start.Arguments = "/d /c $HostLocal < $in"
    $start.UseShellExecute = $false
    $start.RedirectStandardOutput = $true
    $start.EnvironmentVariables['CNI_COMMAND'] = 'ADD'
    $start.EnvironmentVariables['CNI_CONTAINERID'] = $Owner
    $start.EnvironmentVariables['CNI_NETNS'] = 'none'
    $start.EnvironmentVariables['CNI_IFNAME'] = 'eth0'
    $start.EnvironmentVariables['CNI_PATH'] = Split-Path -Parent $HostLocal
    $process = [Diagnostics.Process]::Start($start)
    $answer = $process.StandardOutput.ReadToEnd()
    $process.WaitForExit()
    if ($process.ExitCode -ne 0) {
        throw "host-local has given no address: $answer"
    }
    $ips = @(Get-Property (ConvertFrom-Json $answer) 'ips')
    return ($ips[0].address -split '/')[0]
}

# Get-SourceVip returns an address of the node's range that no pod has.
function Get-SourceVip {
    param($Settings, $Network)
    if ($Settings.sourceVIPEndpoint -ne '') {
        $endpoint = Wait-HnsObject '/endpoints/' $Settings.sourceVIPEndpoint
        return Get-Property $endpoint 'IPAddress'
    }
    $subnet = @(Get-Property $Network 'Subnets') | Select-Object -First 1
    $range = Get-Property $subnet 'AddressPrefix'
    $name = Get-Property $Network 'Name'
    $address = Find-Reservation $name $range
    if ($null -ne $address) {
        return $address
    }
    return New-Reservation $name $range
}

$settings = Read-Json (Join-Path $PSScriptRoot 'settings.json')
$config = Read-Json (Join-Path $PSScriptRoot 'config.json')
$config.hostnameOverride = $env:NODE_NAME
$version = Get-ProgramVersion $Program
if ($version -lt [Version]$settings.winDSRSince) {
    $config.featureGates = @{ WinDSR = $true }
    Write-Log "kube-proxy $version gets the feature gate WinDSR"
}
# Without the network, kube-proxy itself would wait indefinitely and log nothing.
$network = Wait-HnsObject '/networks/' $config.winkernel.networkName
if ($settings.needsSourceVIP) {
    $config.winkernel.sourceVip = Get-SourceVip $settings $network
    Write-Log "the source address is $($config.winkernel.sourceVip)"
}
$file = Join-Path $Directory 'config.json'
Save-Text $file (ConvertTo-Json $config -Depth 10)

$process = Start-Program $Program @("--config=$file")
$process.WaitForExit()
exit $process.ExitCode
