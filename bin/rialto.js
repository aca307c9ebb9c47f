#!/bin/sh
// 2>/dev/null; exec node --enable-source-maps --max-semi-space-size=64 "$0" "$@"
/**
 * The program that npm links as `rialto`. A shell runs the line above: it replaces itself with Node
 * and the flags of `npm start`. Node ignores that line and runs this file.
 *
 * `env -S` would be shorter, but the `env` of Alpine does not have it. For Node the two slashes
 * start a comment; for the shell they are a folder, which it cannot execute.
 */
import '../dist/ops/cli.js';
