#!/bin/sh
# Fills in nginx.conf.template from the environment and becomes nginx.
#   API_SERVERS, ADMIN_SERVERS       servers of an upstream, e.g. "server api-1:4000; server api-2:4000;"
#   PROXY_LISTEN, PROXY_API_LISTEN   where it listens for everybody, and for the console
#   PROXY_WORKERS                    processes that pass on; one for each processor of the machine unless given
#   PROXY_DIR                        the one folder that it writes to
set -eu
: "${API_SERVERS:?expected the servers of the API}" "${ADMIN_SERVERS:?expected the servers of the console}"
: "${PROXY_LISTEN:=8080}" "${PROXY_API_LISTEN:=8081}" "${PROXY_WORKERS:=auto}" "${PROXY_DIR:=/tmp/nginx}"
STREAM_SERVERS=$(printf '%s' "$API_SERVERS" | sed 's/;/ max_fails=0;/g')
mkdir -p "$PROXY_DIR"
sed \
  -e "s|\${API_SERVERS}|$API_SERVERS|g" \
  -e "s|\${STREAM_SERVERS}|$STREAM_SERVERS|g" \
  -e "s|\${ADMIN_SERVERS}|$ADMIN_SERVERS|g" \
  -e "s|\${PROXY_LISTEN}|$PROXY_LISTEN|g" \
  -e "s|\${PROXY_API_LISTEN}|$PROXY_API_LISTEN|g" \
  -e "s|\${PROXY_WORKERS}|$PROXY_WORKERS|g" \
  -e "s|\${PROXY_DIR}|$PROXY_DIR|g" \
  "$(dirname "$0")/nginx.conf.template" >"$PROXY_DIR/nginx.conf"
exec "${NGINX_PATH:-nginx}" -e stderr -p "$PROXY_DIR" -c "$PROXY_DIR/nginx.conf" -g 'daemon off;'
