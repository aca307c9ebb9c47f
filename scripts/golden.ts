/**
 * `npm run golden`: lives the golden story again and keeps it as the golden journal. Where the old
 * one no longer does what it did, behaviour has changed, and that needs a new engine version;
 * `-- --unreleased` says that nobody has a journal of the present one yet.
 */
import { parseArgs } from 'node:util';
import { DivergedReplay } from '../src/journal/failures.ts';
import { ENGINE_VERSION } from '../src/journal/version.ts';
import { expectedEnd, replayGolden, writeGolden } from '../test/simulation/golden-journal.ts';

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Whether the golden journal of this very version does something else than it did. */
async function hasDiverged(): Promise<boolean> {
  if (expectedEnd().engineVersion !== ENGINE_VERSION) return false;
  try {
    return (await replayGolden()).digest !== expectedEnd().digest;
  } catch (error) {
    if (!(error instanceof DivergedReplay)) throw error;
    say(error.message);
    return true;
  }
}

const { values } = parseArgs({ options: { unreleased: { type: 'boolean', default: false } } });
if (!values.unreleased && (await hasDiverged())) {
  say(
    `commands do something else than engine version ${ENGINE_VERSION} did: raise it in src/journal/version.ts,`,
  );
  say(
    'or say `npm run golden -- --unreleased` while no program of this version has been given away',
  );
  process.exitCode = 1;
} else {
  const { engineVersion, sequence, digest } = await writeGolden();
  say(`golden journal of engine version ${engineVersion}: ${sequence} commands, digest ${digest}`);
}
