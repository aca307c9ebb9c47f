#!/usr/bin/env bash
# The first order with nothing but curl and openssl. Takes the address and a key from the environment.
set -euo pipefail
URL=${RIALTO_URL:-http://127.0.0.1:8080}
call() { # METHOD PATH [BODY]
  local at sign
  at=$(date +%s000)
  sign=$(printf '%s' "$at$1$2${3:-}" | openssl dgst -sha256 -hmac "$RIALTO_SECRET" -binary | base64)
  curl -sS -X "$1" "$URL$2" -H "ACCESS-KEY: $RIALTO_KEY" -H "ACCESS-SIGN: $sign" -H "ACCESS-TIMESTAMP: $at" \
    -H "ACCESS-PASSPHRASE: $RIALTO_PASSPHRASE" -H 'Content-Type: application/json' ${3:+-d "$3"}
  echo
}
call POST /api/v3/trade/place-order '{"category":"USDT-FUTURES","symbol":"BTCUSDT","side":"buy","orderType":"market","qty":"0.01"}'
call GET '/api/v3/position/current-position?category=USDT-FUTURES'
