# Answers every request for / on port 80 with the text ANSWER.
mkdir -p /tmp/www
printf '%s' "$ANSWER" > /tmp/www/index.html
exec httpd -f -p 80 -h /tmp/www
