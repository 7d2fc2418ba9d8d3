# Answers every request for / on port 80 with the text ANSWER.
directory=$(mktemp -d)
printf '%s' "$ANSWER" > "$directory/index.html"
exec httpd -f -p 80 -h "$directory"
