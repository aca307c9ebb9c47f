/** `rialto inspect`: replays a command and prints the command, its answer and its events. */
import { createEngine } from '../core/engine.ts';
import { floorAmount, type Product } from '../formulas/exact.ts';
import type { Executed } from '../journal/machine.ts';
import { nodeDisk } from '../journal/node-disk.ts';
import { type JournaledCommand, listFolder, readCommands } from '../journal/reader.ts';
import { recoverUpTo } from '../journal/recovery.ts';
import { type Id, idText, type Sequence } from '../kernel/ids.ts';
import { type Amount, moneyText } from '../kernel/money.ts';
import { CliError } from './cli-error.ts';
import { existingJournal, readableUpTo } from './existing-journal.ts';
import { describeError } from './explained.ts';

interface InspectOptions {
  readonly data: string;
  readonly count?: string;
}

const SECRET_FIELDS = new Set(['sealedSecret', 'passphraseHash']);
/** `id`, `orderId`, `tradeId` …: shown as the wire shows them. */
const ID_FIELD = /^id$|Id$/;
/**
 * Shows money as decimals, a position's cost as an amount, and ids as on the wire; hides secrets.
 */
const shown = (key: string, value: unknown): unknown => {
  if (SECRET_FIELDS.has(key)) return '…';
  if (typeof value === 'number' && ID_FIELD.test(key)) return idText(value as Id);
  if (typeof value !== 'bigint') return value;
  return moneyText(key === 'cost' ? floorAmount(value as Product) : (value as Amount));
};
const json = (value: unknown): string => JSON.stringify(value, shown);

function report(
  { sequence, at, command }: JournaledCommand,
  { outcome, events }: Executed,
): string {
  const ended = outcome.ok
    ? ['accepted', json(outcome.value)].filter((part) => part !== undefined).join(' ')
    : `refused ${json(outcome.refusal)}`;
  return [
    `#${sequence} ${new Date(at).toISOString()} ${json(command)}`,
    `  ${ended}`,
    ...events.map((event) => `  → ${json(event)}`),
  ].join('\n');
}

async function lastSequence(folder: string): Promise<number> {
  let last = 0;
  for await (const { sequence } of readCommands(nodeDisk, folder)) last = sequence;
  return last;
}

/**
 * The oldest command that can be replayed: the first of all, or the first after the oldest snapshot
 * if earlier ones were pruned.
 */
async function oldestSequence(folder: string): Promise<number> {
  const { segments, snapshots } = await listFolder(nodeDisk, folder);
  const [first] = segments;
  return first === undefined || first.sequence === 1 ? 1 : (snapshots[0]?.sequence ?? 0) + 1;
}

async function inspectRange(folder: string, first: number, last: number): Promise<void> {
  const { machine } = await recoverUpTo(
    { disk: nodeDisk, folder, createMachine: createEngine },
    (first - 1) as Sequence,
  );
  for await (const journaled of readCommands(nodeDisk, folder, last as Sequence)) {
    if (journaled.sequence <= machine.sequence) continue;
    if (journaled.sequence > last) return;
    const executed = machine.execute(journaled.command, journaled.at);
    if (journaled.sequence >= first) process.stdout.write(`${report(journaled, executed)}\n`);
  }
}

/** Digits only; any other text is not a number. */
const wholeNumber = (text: string): number =>
  /^\d{1,15}$/.test(text) ? Number.parseInt(text, 10) : Number.NaN;

export async function inspect(
  sequence: string | undefined,
  options: InspectOptions,
): Promise<void> {
  const folder = existingJournal(options.data);
  const count = wholeNumber(options.count ?? (sequence === undefined ? '10' : '1'));
  if (!(count > 0)) throw new CliError(`--count is a positive number, not "${options.count}"`);
  if (sequence !== undefined && Number.isNaN(wholeNumber(sequence)))
    throw new CliError(
      `a command is selected by its sequence, a number such as 12, not by "${sequence}"`,
    );
  const last =
    (await describeError(readableUpTo(options.data))) ??
    (await describeError(lastSequence(folder)));
  if (last === 0) throw new CliError(`${folder} holds no commands`);
  const oldest = await describeError(oldestSequence(folder));
  const first = sequence === undefined ? Math.max(oldest, last - count + 1) : wholeNumber(sequence);
  if (!(first >= 1 && first <= last))
    throw new CliError(`there is no command ${sequence}; the last is ${last}`);
  if (first < oldest)
    throw new CliError(
      `command ${sequence} is no longer stored; the oldest that can be shown is ${oldest}`,
    );
  await describeError(inspectRange(folder, first, Math.min(last, first + count - 1)));
}
