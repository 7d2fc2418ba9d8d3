# The system and the administrators, by their well-known identifiers: their names are
# translated.
$Owners = @('S-1-5-18', 'S-1-5-32-544')

# Test-Link reports whether a file or directory leads to another place, as a symbolic link or a
# junction.
function Test-Link {
    param([string]$Path)
    return [bool]([IO.File]::GetAttributes($Path) -band [IO.FileAttributes]::ReparsePoint)
}

# Add-Owner gives everything about a file or directory to the system and the administrators,
# and nothing to anyone else.
function Add-Owner {
    param($Acl, [string]$Inheritance)
    $Acl.SetAccessRuleProtection($true, $false)
    $Acl.SetOwner((New-Object Security.Principal.SecurityIdentifier('S-1-5-32-544')))
    foreach ($owner in $Owners) {
        $account = New-Object Security.Principal.SecurityIdentifier($owner)
        $Acl.AddAccessRule((New-Object Security.AccessControl.FileSystemAccessRule(
            $account, 'FullControl', $Inheritance, 'None', 'Allow')))
    }
}

# Confirm-Owner fails if a file or directory leads elsewhere, or if another user has created it:
# whom it belongs to may change what is in it at any time.
function Confirm-Owner {
    param([string]$Path)
    if (Test-Link $Path) {
        throw "$Path leads elsewhere: remove it"
    }
    $kind = [IO.File]
    if ([IO.Directory]::Exists($Path)) {
        $kind = [IO.Directory]
    }
    $acl = $kind::GetAccessControl($Path, [Security.AccessControl.AccessControlSections]::Owner)
    $owner = $acl.GetOwner([Security.Principal.SecurityIdentifier]).Value
    if ($Owners -notcontains $owner) {
        throw "$Path belongs to $owner, neither to the system nor to the administrators: remove it"
    }
}

# Confirm-Content does that for all that is in a directory.
function Confirm-Content {
    param([string]$Path)
    foreach ($entry in [IO.Directory]::GetFileSystemEntries($Path)) {
        Confirm-Owner $entry
        if ([IO.Directory]::Exists($entry)) {
            Confirm-Content $entry
        }
    }
}

# New-OwnedDirectory creates a directory, and those above it, with the rights of a descriptor, or with those of
# the directory above if it is $null. An existing directory stays as it is, and is refused if another user has
# created it: every user may create directories at the top of the disk, and may rename later what is in them.
# Only the system and the administrators can write below Program Files.
function New-OwnedDirectory {
    param([string]$Path, $Acl)
    $above = Split-Path -Parent $Path
    if (($above -eq '') -or ($Path -eq $env:ProgramFiles)) {
        return
    }
    New-OwnedDirectory $above $Acl
    # It has its owner and its rights immediately, or is left unchanged.
    $null = [IO.Directory]::CreateDirectory($Path, $Acl)
    Confirm-Owner $Path
}
