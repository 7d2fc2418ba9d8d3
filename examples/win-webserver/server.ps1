$listener = New-Object System.Net.HttpListener
$listener.Prefixes.Add('http://*:80/')
$listener.Start()
Write-Host 'Listening at http://*:80/'
$others = Get-NetIPAddress -AddressFamily IPv4 | Where-Object IPAddress -ne '127.0.0.1'
$own = ($others | Select-Object -First 1).IPAddress
$callerCounts = @{}
while ($listener.IsListening) {
  $context = $listener.GetContext()
  $caller = $context.Request.RemoteEndPoint.Address.ToString()
  $callerCounts[$caller] = 1 + $callerCounts[$caller]
  Write-Host "> $($context.Request.Url)"
  $page = '<html><body><h1>Windows Container Web Server</h1>'
  foreach ($ip in $callerCounts.Keys) { $page += "<p>IP $own, called by $ip $($callerCounts[$ip]) times</p>" }
  $page += '</body></html>'
  $bytes = [System.Text.Encoding]::UTF8.GetBytes($page)
  $context.Response.ContentLength64 = $bytes.Length
  $context.Response.OutputStream.Write($bytes, 0, $bytes.Length)
  Write-Host "< $($context.Response.StatusCode)"
  $context.Response.Close()
}
