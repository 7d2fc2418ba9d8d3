# Creates the bridge that the pods of the node are on, and the routes to those of others.
#
# The network stays over a restart of the machine; the host's own endpoint in it does
# not, so that a task runs this at each start, before the kubelet, and every quarter of an
# hour in case it fails then. If everything exists, it only looks, and leaves the kubelet
# alone: it starts one that is stopped, unless an administrator has disabled the service.

param([switch]$StartKubelet)

. (Join-Path $PSScriptRoot 'common.ps1')
$LogFile = Join-Path $Root 'log\network.log'

# The addresses where clouds have the metadata of a machine, and Azure its platform: the
# host networking service loses their routes when it creates a network
# (https://github.com/microsoft/hcsshim/issues/299).
$PlatformPrefixes = @('169.254.169.254/32', '168.63.129.16/32')

# The host networking service's own interface. The PowerShell modules for it differ
# between releases of Windows; this function is in all of them.
$HnsSource = @'
using System;
using System.Runtime.InteropServices;

public static class MixedkubeHns
{
    [DllImport("vmcompute.dll", EntryPoint = "HNSCall", CharSet = CharSet.Unicode, ExactSpelling = true)]
    private static extern int HNSCall(string method, string path, string request, out IntPtr response);

    public static string Call(string method, string path, string request)
    {
        IntPtr response;
        int status = HNSCall(method, path, request, out response);
        if (status < 0)
        {
            Marshal.ThrowExceptionForHR(status);
        }
        if (response == IntPtr.Zero)
        {
            return "";
        }
        try
        {
            return Marshal.PtrToStringUni(response);
        }
        finally
        {
            Marshal.FreeCoTaskMem(response);
        }
    }
}
'@

# Invoke-Hns asks the host networking service, and gives its answer.
function Invoke-Hns {
    param([string]$Method, [string]$Path, $Request)
    $body = ''
    if ($null -ne $Request) {
        $body = ConvertTo-Json $Request -Depth 10 -Compress
    }
    $text = [MixedkubeHns]::Call($Method, $Path, $body)
    if ($text -eq '') {
        return
    }
    $response = ConvertFrom-Json $text
    if (-not (Get-Property $response 'Success')) {
        throw "the host networking service refuses $Method ${Path}: $(Get-Property $response 'Error')"
    }
    $output = Get-Property $response 'Output'
    foreach ($item in @($output)) {
        if ($null -ne $item) {
            $item
        }
    }
}

# Find-HnsObject finds a network or an endpoint by its name.
function Find-HnsObject {
    param([string]$Path, [string]$Name)
    return Invoke-Hns 'GET' $Path $null | Where-Object { (Get-Property $_ 'Name') -ceq $Name } | Select-Object -First 1
}

# Get-NodeInterface is the network interface that has an address.
function Get-NodeInterface {
    param([string]$Address)
    return Get-NetIPAddress -IPAddress $Address -AddressFamily IPv4 -ErrorAction SilentlyContinue |
        Where-Object { $_.AddressState -eq 'Preferred' } |
        Select-Object -First 1
}

# Wait-NodeInterface waits for it: it goes away for a moment when a network is created on it.
function Wait-NodeInterface {
    param([string]$Address)
    $found = Wait-Condition 180 { $null -ne (Get-NodeInterface $Address) }
    if (-not $found) {
        throw "no network interface has the address $Address"
    }
    return Get-NodeInterface $Address
}

# Test-HnsNetwork reports whether a network is the desired one.
function Test-HnsNetwork {
    param($Network, $Wanted)
    $subnet = @(Get-Property $Network 'Subnets') | Select-Object -First 1
    $sameType = (Get-Property $Network 'Type') -eq $Wanted.type
    $samePrefix = (Get-Property $subnet 'AddressPrefix') -eq $Wanted.subnet
    return $sameType -and $samePrefix -and ((Get-Property $subnet 'GatewayAddress') -eq $Wanted.gateway)
}

# New-HnsBridge creates the network on the interface of the node.
function New-HnsBridge {
    param($Wanted, [string]$NodeAddress)
    $request = @{
        Name    = $Wanted.network
        Type    = $Wanted.type
        Subnets = @(@{ AddressPrefix = $Wanted.subnet; GatewayAddress = $Wanted.gateway })
    }
    $interface = Wait-NodeInterface $NodeAddress
    # An interface that is already a virtual one has its switch: the service finds it.
    if (-not $interface.InterfaceAlias.StartsWith('vEthernet')) {
        $request.NetworkAdapterName = $interface.InterfaceAlias
    }
    Write-Log "the network $($Wanted.network) is created, for $($Wanted.subnet)"
    $null = Invoke-Hns 'POST' '/networks/' $request
    $null = Wait-NodeInterface $NodeAddress
}

# Set-HnsNetwork creates the network unless it exists.
function Set-HnsNetwork {
    param($Wanted, [string]$NodeAddress)
    $network = Find-HnsObject '/networks/' $Wanted.network
    if ($null -ne $network) {
        if (Test-HnsNetwork $network $Wanted) {
            return
        }
        Write-Log "the network $($Wanted.network) is another one, and is removed"
        $null = Invoke-Hns 'DELETE' "/networks/$(Get-Property $network 'ID')" $null
    }
    $routes = @(Get-PlatformRoute)
    New-HnsBridge $Wanted $NodeAddress
    Restore-PlatformRoute $routes $NodeAddress
}

# Get-PlatformRoute lists the routes that may get lost when a network is created.
function Get-PlatformRoute {
    foreach ($prefix in $PlatformPrefixes) {
        Get-NetRoute -DestinationPrefix $prefix -ErrorAction SilentlyContinue | Select-Object -First 1
    }
}

# Restore-PlatformRoute adds them again. They may go a while after the network was created.
function Restore-PlatformRoute {
    param($Routes, [string]$NodeAddress)
    if (@($Routes).Count -eq 0) {
        return
    }
    $end = [DateTime]::UtcNow.AddSeconds(60)
    while ([DateTime]::UtcNow -lt $end) {
        foreach ($lost in $Routes) {
            $there = Get-NetRoute -DestinationPrefix $lost.DestinationPrefix -ErrorAction SilentlyContinue
            if ($null -eq $there) {
                $interface = Wait-NodeInterface $NodeAddress
                Write-Log "the route to $($lost.DestinationPrefix) is added again"
                $null = New-NetRoute -DestinationPrefix $lost.DestinationPrefix `
                    -InterfaceIndex $interface.InterfaceIndex -NextHop $lost.NextHop -RouteMetric $lost.RouteMetric `
                    -PolicyStore ActiveStore
            }
        }
        Start-Sleep -Seconds 5
    }
}

# Test-HnsEndpoint reports whether an endpoint is the desired one, and attached.
function Test-HnsEndpoint {
    param($Endpoint, $Network, $Wanted)
    $sameNetwork = (Get-Property $Endpoint 'VirtualNetwork') -eq (Get-Property $Network 'ID')
    $sameAddress = (Get-Property $Endpoint 'IPAddress') -eq $Wanted.address
    return $sameNetwork -and $sameAddress -and ($null -ne (Get-NodeInterface $Wanted.address))
}

# Set-HnsEndpoint gives the host its own address in the network, unless it has it.
function Set-HnsEndpoint {
    param($Wanted)
    $network = Find-HnsObject '/networks/' $Wanted.network
    $endpoint = Find-HnsObject '/endpoints/' $Wanted.endpoint
    if ($null -ne $endpoint) {
        if (Test-HnsEndpoint $endpoint $network $Wanted) {
            return
        }
        $null = Invoke-Hns 'DELETE' "/endpoints/$(Get-Property $endpoint 'ID')" $null
    }
    Write-Log "the endpoint $($Wanted.endpoint) is created, with $($Wanted.address)"
    $request = @{
        Name           = $Wanted.endpoint
        VirtualNetwork = Get-Property $network 'ID'
        IPAddress      = $Wanted.address
        GatewayAddress = '0.0.0.0'
    }
    $endpoint = Invoke-Hns 'POST' '/endpoints/' $request | Select-Object -First 1
    # Compartment 1 is the host's own.
    $path = "/endpoints/$(Get-Property $endpoint 'ID')/attach"
    $null = Invoke-Hns 'POST' $path @{ SystemType = 'Host'; CompartmentId = 1 }
    $null = Wait-NodeInterface $Wanted.address
}

# Test-Forwarding reports whether the host forwards packets that an interface receives.
function Test-Forwarding {
    param([int]$Interface)
    return (Get-NetIPInterface -InterfaceIndex $Interface -AddressFamily IPv4).Forwarding -eq 'Enabled'
}

# Set-Forwarding lets the host forward between its interfaces.
function Set-Forwarding {
    param([int[]]$Interfaces)
    foreach ($interface in $Interfaces) {
        if (-not (Test-Forwarding $interface)) {
            Set-NetIPInterface -InterfaceIndex $interface -AddressFamily IPv4 -Forwarding Enabled
        }
    }
}

# Get-RouteKey returns what identifies a route: two of the same destination through
# different next hops or interfaces are two routes.
function Get-RouteKey {
    param($Route, [int]$Interface)
    return "$($Route.destination) $($Route.nextHop) $Interface"
}

# Get-RouteTable has the metrics of the machine's routes, by their keys.
function Get-RouteTable {
    $table = @{}
    foreach ($existing in @(Get-NetRoute -AddressFamily IPv4)) {
        $key = "$($existing.DestinationPrefix) $($existing.NextHop) $($existing.InterfaceIndex)"
        $table[$key] = [int]$existing.RouteMetric
    }
    return $table
}

# Set-Route adds a route of the node, or corrects it.
function Set-Route {
    param($Route, [int]$Interface, [hashtable]$Table)
    $metric = $Table[(Get-RouteKey $Route $Interface)]
    if ($metric -eq $Route.metric) {
        return
    }
    if ($null -ne $metric) {
        Set-NetRoute -DestinationPrefix $Route.destination -InterfaceIndex $Interface -NextHop $Route.nextHop `
            -RouteMetric $Route.metric
        return
    }
    Write-Log "the route to $($Route.destination) through $($Route.nextHop) is added"
    $null = New-NetRoute -DestinationPrefix $Route.destination -InterfaceIndex $Interface -NextHop $Route.nextHop `
        -RouteMetric $Route.metric -PolicyStore ActiveStore
}

# Remove-OldRoute removes earlier routes that are no longer needed: routes of nodes that were
# deleted, or that have other addresses now.
function Remove-OldRoute {
    param($Routes, [hashtable]$Interfaces, [hashtable]$Table)
    $keys = @($Routes | ForEach-Object { Get-RouteKey $_ $Interfaces[$_.interface] })
    foreach ($key in (Get-State 'routes') -split "`n") {
        if (($keys -notcontains $key) -and $Table.ContainsKey($key)) {
            $prefix, $nextHop, $index = $key -split ' '
            Write-Log "the route to $prefix through $nextHop is removed"
            Remove-NetRoute -DestinationPrefix $prefix -NextHop $nextHop -InterfaceIndex $index -Confirm:$false
        }
    }
    Save-State 'routes' ($keys -join "`n")
}

# Get-NetworkState changes with everything that the network is created from.
function Get-NetworkState {
    param($Settings)
    return Get-TextHash ($Settings.node.address + ' ' + (ConvertTo-Json $Settings.hns -Depth 10 -Compress))
}

# Test-NodeNetwork reports whether all of it exists, without a query to the host networking
# service: the bridge's address is removed with the endpoint, and the endpoint with the network.
function Test-NodeNetwork {
    param($Settings)
    if (((Get-ServiceState 'hns') -ne 'Running') -or ((Get-State 'network') -ne (Get-NetworkState $Settings))) {
        return $false
    }
    $bridge = Get-NodeInterface $Settings.hns.address
    $management = Get-NodeInterface $Settings.node.address
    if (($null -eq $bridge) -or ($null -eq $management)) {
        return $false
    }
    $interfaces = @{ bridge = $bridge.InterfaceIndex; management = $management.InterfaceIndex }
    foreach ($interface in $interfaces.Values) {
        if (-not (Test-Forwarding $interface)) {
            return $false
        }
    }
    $table = Get-RouteTable
    foreach ($route in $Settings.hns.routes) {
        if ($table[(Get-RouteKey $route $interfaces[$route.interface])] -ne $route.metric) {
            return $false
        }
    }
    return $true
}

# Set-NodeNetwork does all of it. Each part looks first whether it is done.
function Set-NodeNetwork {
    param($Settings)
    $hns = $Settings.hns
    $address = $Settings.node.address
    if ((Get-ServiceState 'hns') -ne 'Running') {
        Start-Service -Name 'hns'
    }
    $null = Wait-NodeInterface $address
    Set-HnsNetwork $hns $address
    Set-HnsEndpoint $hns
    $interfaces = @{
        bridge     = (Wait-NodeInterface $hns.address).InterfaceIndex
        management = (Wait-NodeInterface $address).InterfaceIndex
    }
    Set-Forwarding @($interfaces.Values)
    $table = Get-RouteTable
    Remove-OldRoute $hns.routes $interfaces $table
    foreach ($route in $hns.routes) {
        Set-Route $route $interfaces[$route.interface] $table
    }
    Save-State 'network' (Get-NetworkState $Settings)
}

# Start-StoppedKubelet starts the kubelet of a node that has joined, unless it runs or is
# disabled. Before, that is the bootstrap's part.
function Start-StoppedKubelet {
    param($Settings)
    $service = Get-Service -Name 'kubelet' -ErrorAction SilentlyContinue
    if (($null -eq $service) -or ($service.Status -ne 'Stopped') -or ($service.StartType -eq 'Disabled')) {
        return
    }
    if (Test-Path -LiteralPath $Settings.join.kubeconfig) {
        Write-Log 'the kubelet is started'
        Start-Service -Name 'kubelet'
    }
}

try {
    Invoke-Exclusive {
        $settings = Read-Settings
        if ($null -ne $settings.hns) {
            Invoke-WithRetry 'network' 4 15 {
                # The bootstrap checks everything, the task only parts that can disappear.
                if (-not ($StartKubelet -and (Test-NodeNetwork $settings))) {
                    Add-Type -TypeDefinition $HnsSource
                    Set-NodeNetwork $settings
                }
            }
        }
        if ($StartKubelet) {
            Start-StoppedKubelet $settings
        }
    }
} catch {
    Write-Log "the network failed: $_"
    throw
}
