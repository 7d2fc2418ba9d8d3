# Repeats one request until the answer is the expected one, or until the timeout: the same as
# check.sh, in Windows PowerShell 5.1. See there for the variables.

Set-StrictMode -Version Latest
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
[Net.WebRequest]::DefaultWebProxy = $null
$Seconds = 5

# Get-Line turns a text into one short line.
function Get-Line {
    param([string]$Text)
    $line = ($Text -replace '\s+', ' ').Trim()
    return $line.Substring(0, [Math]::Min($line.Length, 200))
}

# Test-Name throws an error if the name is wrong. It clears the cache, which may still have an
# earlier answer, even one that the name does not exist.
function Test-Name {
    Clear-DnsClientCache
    $type = 'A'
    if ($env:DNS_ADDRESS.Contains(':')) {
        $type = 'AAAA'
    }
    $records = $null
    $text = 'no such record'
    try {
        $records = Resolve-DnsName -Name $env:DNS_NAME -Type $type -DnsOnly -NoHostsFile
    } catch {
        $text = Get-Line $_.Exception.Message
    }
    $found = @(
        $records | Where-Object { ($null -ne $_) -and ($_.Type -eq $type) } | ForEach-Object { $_.IPAddress }
    ) -join ' '
    if ($found -eq '') {
        throw "DNS has no address of $($env:DNS_NAME): $text"
    }
    if ($found -ne $env:DNS_ADDRESS) {
        throw "DNS says that $($env:DNS_NAME) is $found, not $($env:DNS_ADDRESS)"
    }
}

# Test-Answer throws an error if the answer is wrong. The content is in bytes if its type is not
# a text type.
function Test-Answer {
    $content = (Invoke-WebRequest -Uri $env:URL -UseBasicParsing -DisableKeepAlive -TimeoutSec $Seconds).Content
    if ($content -is [byte[]]) {
        $content = [Text.Encoding]::UTF8.GetString($content)
    }
    if (($env:ANSWER) -and ($content.TrimEnd("`r`n") -cne $env:ANSWER)) {
        throw "answered by another: `"$(Get-Line $content)`", not `"$($env:ANSWER)`""
    }
}

$end = [DateTime]::UtcNow.AddSeconds([int]$env:TIMEOUT_SECONDS)
while ($true) {
    try {
        if ($env:DNS_NAME) {
            Test-Name
        }
        Test-Answer
        [Console]::Out.WriteLine("$($env:CHECK) from $($env:FROM) to $($env:TO): ok: $($env:URL)")
        exit 0
    } catch {
        $problem = Get-Line $_.Exception.Message
    }
    if ([DateTime]::UtcNow -ge $end) {
        break
    }
    Start-Sleep -Seconds 1
}
[Console]::Out.WriteLine(
    "$($env:CHECK) from $($env:FROM) to $($env:TO): failed for $($env:TIMEOUT_SECONDS) seconds: $($env:URL): $problem")
exit 1
