$ErrorActionPreference = 'Stop'
Start-Service w32time
while ($true) {
  w32tm.exe /resync
  Start-Sleep -Seconds 3600
}
