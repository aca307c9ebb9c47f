/**
 * Bundles code before measuring it. Running sources directly wraps every function, and users run a
 * bundle.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from '../test/programme/server.ts';
import type { Measurement, OptionsOf } from './bundled-main.ts';
import type { Measured } from './rows.ts';

const BUNDLE = fileURLToPath(new URL('../dist/bench/bundled-main.js', import.meta.url));
const OUTPUT_BYTES_MAX = 1 << 20;

/** Measures in a new process. */
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
