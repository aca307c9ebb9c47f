/** The verb `start`: runs an exchange in this process until it is stopped. */
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
import { worldRefusal } from './world/rehearse-world.ts';
import { readWorldFile } from './world/world-file.ts';

async function start(settings: Settings, log: Log): Promise<Exchange> {
  try {
    return await startExchange({
      settings,
      log,
      onFatal: (fatality) => {
        log.error(fatality, 'the engine has stopped and accepts no more commands');
        process.exit(1);
      },
    });
  } catch (error) {
    const text = refusalText(error, settings);
    throw text === undefined ? error : new StartRefused(text);
  }
}

/**
 * Files named by an existing seed file are not checked here, because they may have been deleted
 * since.
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
    : await worldRefusal(settings, (startTime ?? Date.now()) as Timestamp);
  if (wrong !== undefined) throw new StartRefused(wrong);
}

/**
 * A start whose addresses are taken changes no file. If the folder is in use, that is reported
 * instead: its owner has the ports too.
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
 * A second signal during the stop is ignored, for example one from npm and one from the terminal.
 * SIGKILL ends the program at once.
 */
const askedToStop = (): Promise<'asked'> =>
  new Promise((resolve) => {
    process.on('SIGTERM', () => resolve('asked'));
    process.on('SIGINT', () => resolve('asked'));
  });

/** For the command line. A full disk does not end an exchange that serves. */
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
  // A reader that closes the pipe early must not end the exchange.
  process.stdout.on('error', () => undefined);
  collectRarely();
  disablePretenuring();
  const settings = readSettings(flags, process.env);
  const asked = askedToStop();
  // Checked before the data folder is touched: a wrong file changes nothing.
  await checkWorld(settings);
  changedLimits(settings);
  await checkAddresses(settings);
  const log = openLog(settings.log);
  const exchange = await Promise.race([start(settings, log), asked]);
  // No call has been answered yet, and the next start finishes what this one began, as after a
  // crash.
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
