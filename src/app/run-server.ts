/**
 * The verb `start`: an exchange in this process, from the first line it prints to its clean end.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Log, openLog } from '../gateway/log.ts';
import type { Timestamp } from '../kernel/time.ts';
import { isInstalled } from './called-by.ts';
import { changedLimits } from './changed-limits.ts';
import { disablePretenuring } from './disable-pretenuring.ts';
import { type Exchange, startExchange } from './exchange.ts';
import { ADDRESS_FILE, journalFolder } from './files.ts';
import { tryAddresses } from './free-addresses.ts';
import { collectRarely } from './rare-collections.ts';
import { type GivenSettings, readSettings, type Settings } from './settings.ts';
import { refusalText, StartRefused } from './start-refusals.ts';
import { readyLine, USUAL_TRADER, welcomeText } from './welcome.ts';
import { BadWorld } from './world/bad-world.ts';
import { whyNoWorld } from './world/rehearse-world.ts';
import { readWorldFile } from './world/world-file.ts';

async function start(settings: Settings, log: Log): Promise<Exchange> {
  try {
    return await startExchange({
      settings,
      log,
      onFatal: (fatality) => {
        log.error(fatality, 'the engine has stopped and acknowledges nothing more');
        process.exit(1);
      },
    });
  } catch (error) {
    const text = refusalText(error, settings);
    throw text === undefined ? error : new StartRefused(text);
  }
}

/**
 * The file of a world that is there already is only read: what it names, files of prices for one,
 * may be gone.
 */
async function checkWorld(settings: Settings): Promise<void> {
  const { world, data, startTime } = settings;
  if (world === 'demo' || world === 'empty') return;
  try {
    readWorldFile(world);
  } catch (error) {
    throw error instanceof BadWorld ? new StartRefused(error.message) : error;
  }
  const wrong = existsSync(journalFolder(data))
    ? undefined
    : await whyNoWorld(settings, (startTime ?? Date.now()) as Timestamp);
  if (wrong !== undefined) throw new StartRefused(wrong);
}

/**
 * A start that is refused for where it would serve leaves nothing behind. Of a folder that is in
 * use it is said first that it is: whoever has it has its ports as well.
 */
async function checkAddresses(settings: Settings): Promise<void> {
  try {
    await tryAddresses(settings);
  } catch (error) {
    if (
      (error as NodeJS.ErrnoException).code === 'EADDRINUSE' &&
      existsSync(journalFolder(settings.data))
    )
      return;
    throw new StartRefused(refusalText(error, settings) ?? String(error));
  }
}

/**
 * Asked again while it stops, by npm beside the terminal for one, it goes on stopping: whoever will
 * not wait has SIGKILL.
 */
const askedToStop = (): Promise<'asked'> =>
  new Promise((resolve) => {
    process.on('SIGTERM', () => resolve('asked'));
    process.on('SIGINT', () => resolve('asked'));
  });

/**
 * For the command line. A disk without room for so little is no reason to end an exchange that
 * serves.
 */
function writeAddress({ data }: Settings, { publicUrl, operatorUrl }: Exchange, log: Log): void {
  try {
    writeFileSync(join(data, ADDRESS_FILE), `${JSON.stringify({ publicUrl, operatorUrl })}\n`);
  } catch (error) {
    log.warn(
      { err: error },
      `${ADDRESS_FILE} cannot be written: the command line will not find this exchange`,
    );
  }
}

export async function runServer(flags: GivenSettings): Promise<void> {
  // Whoever has read enough may go: what is printed is a courtesy, and the exchange is not.
  process.stdout.on('error', () => undefined);
  collectRarely();
  disablePretenuring();
  const settings = readSettings(flags, process.env);
  const asked = askedToStop();
  // Before the data folder is touched: a wrong file changes nothing.
  await checkWorld(settings);
  changedLimits(settings);
  await checkAddresses(settings);
  const log = openLog(settings.log);
  const exchange = await Promise.race([start(settings, log), asked]);
  // Nothing was promised yet, and whatever was begun the next start finishes, as after a crash.
  if (exchange === 'asked') process.exit(0);
  const { publicUrl, operatorUrl, credentials, isFirst } = exchange;
  writeAddress(settings, exchange, log);
  const firstTrader = exchange.traderOr(USUAL_TRADER);
  const { data, json } = settings;
  const welcome = { publicUrl, operatorUrl, credentials, data, isInstalled, isFirst, firstTrader };
  const text = `${welcomeText(welcome)}ready ${publicUrl} operator ${operatorUrl}\n`;
  process.stdout.write(json === 'on' ? readyLine(welcome) : text);

  await asked;
  await exchange.stop();
}
