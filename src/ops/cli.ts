#!/usr/bin/env node
/** Entry point of `npx rialto`. */
import { runCommandLine } from './program.ts';

await runCommandLine(process.argv);
