/**
 * What runs sources as they are wraps every function that is made on the way; the program is a
 * bundle, and so is what is measured in one process.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from '../test/programme/server.ts';
import type { Measurement, OptionsOf } from './bundled-main.ts';
import type { Measured } from './rows.ts';

const BUNDLE = fileURLToPath(new URL('../dist/bench/bundled-main.js', import.meta.url));
const OUTPUT_BYTES_MAX = 1 << 20;

/** Measures in a process of its own, which has done nothing else before. */
export function measureBundled<Name extends Measurement>(
  name: Name,
  options: OptionsOf<Name>,
): Measured[] {
  const written = execFileSync(
    process.execPath,
    [...NODE_FLAGS, BUNDLE, name, JSON.stringify(options)],
    {
      encoding: 'utf8',
      maxBuffer: OUTPUT_BYTES_MAX,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  return JSON.parse(written) as Measured[];
}
