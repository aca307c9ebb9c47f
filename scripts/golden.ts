/**
 * `npm run golden`: runs the golden story again and stores it as the golden journal. If the old
 * journal no longer gives the same results, behaviour has changed, which needs a new engine
 * version. `-- --unreleased` states that no journal of the present version is in use yet.
 */
import { parseArgs } from 'node:util';
import { DivergedReplay } from '../src/journal/failures.ts';
import { ENGINE_VERSION } from '../src/journal/version.ts';
import { expectedEnd, replayGolden, writeGolden } from '../test/simulation/golden-journal.ts';

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** True if the golden journal of this version no longer gives the same results. */
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
  say('or run `npm run golden -- --unreleased` if no program of this version has been released');
  process.exitCode = 1;
} else {
  const { engineVersion, sequence, digest } = await writeGolden();
  say(`golden journal of engine version ${engineVersion}: ${sequence} commands, digest ${digest}`);
}
