#!/bin/sh
// 2>/dev/null; exec node --enable-source-maps --max-semi-space-size=64 "$0" "$@"
/**
 * What npm links as `rialto`: a shell reads the line above and gives its place to Node, with the flags that `npm start` has; Node reads what is below.
 * Not `env -S`, which the `env` of Alpine does not know. Two slashes are a comment here, and for the shell a folder that cannot be run.
 */
import '../dist/ops/cli.js';
