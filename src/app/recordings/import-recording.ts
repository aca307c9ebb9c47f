/** Imports a recording: stores its file, and writes its use into the journal. */

import { rmSync } from 'node:fs';
import { namedRejection } from '../../contract/field-names.ts';
import { type WireRejection, wireRejection } from '../../contract/wire-rejections.ts';
import type { State } from '../../core/state/state.ts';
import { isPricedInDollars, listingFault, recordingPlan } from '../../core/world/recordings.ts';
import type { Reply } from '../../gateway/handlers/handler.ts';
import type { ImportedRecording, RecordingRequest } from '../../gateway/handlers/parts.ts';
import type { Submit } from '../../gateway/submit.ts';
import { isDiskFull } from '../../journal/disk.ts';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import { given } from '../../kernel/given.ts';
import { moneyText, type Price } from '../../kernel/money.ts';
import { ok, type Refused, refuse } from '../../kernel/result.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { CommandOf } from '../../messages/commands.ts';
import type { Instrument } from '../../messages/listings.ts';
import type { MadeRecording } from './make-recording.ts';
import { BadRecording, RecordingsClosed } from './recorded.ts';
import type { RecordingFile } from './recording-file.ts';

export interface ImportParts {
  readonly state: () => State;
  readonly submit: Submit;
  readonly recordings: {
    make(task: {
      readonly path: string;
      readonly name?: string;
      readonly columns?: string;
    }): Promise<MadeRecording>;
    file(hash: string): RecordingFile;
    forget(hash: string): void;
    /** Stores a table as a file, and returns its path. */
    receive(upload: AsyncIterable<Uint8Array>): Promise<string>;
    inLine<Value>(run: () => Promise<Value>): Promise<Value>;
  };
}

/** A path has nothing before its first row, and a past has nothing after its last row. */
function divideOf(
  { use, divideAt }: RecordingRequest,
  { from, to }: MadeRecording['head'],
): Timestamp {
  if (divideAt !== undefined) return divideAt;
  return (use === 'past' ? to : from) as Timestamp;
}

/** The recorded price at a time: that of the last candle before it, or else of the first candle. */
function priceAt(file: RecordingFile, time: number): DecimalText {
  const before = file.candles.firstFrom(time) - 1;
  const price = before < 0 ? file.candles.row(0).open : file.candles.row(before).close;
  return moneyText(price as Price) as DecimalText;
}

async function made(
  parts: ImportParts,
  { path, name, columns }: RecordingRequest,
): Promise<Reply<MadeRecording>> {
  try {
    return ok(await parts.recordings.make({ path, ...given({ name, columns }) }));
  } catch (error) {
    if (error instanceof BadRecording)
      return refuse(wireRejection('fieldInvalid', 'file', error.message));
    if (isDiskFull(error) || error instanceof RecordingsClosed)
      return refuse(wireRejection('notServing'));
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR')
      return refuse(wireRejection('fieldInvalid', 'file', message));
    throw error;
  }
}

/** Checks that need no look into the file. */
function earlyFault(state: State, request: RecordingRequest): Refused<WireRejection> | undefined {
  const fault = listingFault(state, request);
  if (fault !== undefined) return refuse(namedRejection(fault.refusal, 'operator'));
  if (request.use === 'both' && request.divideAt === undefined)
    return refuse(wireRejection('fieldMissing', 'divide'));
  if (request.use !== 'past' && !state.marketOn && !request.marketComes)
    return refuse(wireRejection('marketOff', 'as'));
  return undefined;
}

/**
 * The price is that of the recording at this time, so that it does not jump between past and
 * present.
 */
function pricing({ category, symbol }: Instrument, index: DecimalText): CommandOf<'setPrices'> {
  return {
    type: 'setPrices',
    prices: [{ category, symbol, index, releaseMark: false, force: true }],
  };
}

export async function importRecording(
  parts: ImportParts,
  request: RecordingRequest,
): Promise<Reply<ImportedRecording>> {
  const early = earlyFault(parts.state(), request);
  if (early !== undefined) return early;
  // One import at a time, so that an import does not use what another one removes.
  return await parts.recordings.inLine(async () => {
    const kept = await made(parts, request);
    if (!kept.ok) return kept;
    const used = await useRecording(parts, request, kept.value);
    const { hash } = kept.value;
    if (!parts.state().recordings.has(hash)) parts.recordings.forget(hash);
    return used;
  });
}

/** A request that will be refused is refused before its table is received. */
export async function importUpload(
  parts: ImportParts,
  upload: AsyncIterable<Uint8Array>,
  request: Omit<RecordingRequest, 'path'>,
): Promise<Reply<ImportedRecording>> {
  const { name = 'body' } = request;
  const early = earlyFault(parts.state(), { ...request, path: '' });
  if (early !== undefined) return early;
  const path = await parts.recordings.receive(upload).catch((error: unknown) => {
    if (isDiskFull(error) || error instanceof RecordingsClosed) return undefined;
    throw error;
  });
  if (path === undefined) return refuse(wireRejection('notServing'));
  try {
    const imported = await importRecording(parts, { ...request, path, name });
    if (imported.ok || imported.refusal.field !== 'file') return imported;
    return refuse(wireRejection(imported.refusal.reason, 'body', imported.refusal.detail));
  } finally {
    rmSync(path, { force: true });
  }
}

async function useRecording(
  { state, submit, recordings }: ImportParts,
  request: RecordingRequest,
  { hash, bytes, head, rows, findings }: MadeRecording,
): Promise<Reply<ImportedRecording>> {
  const { kind, intervalMs, candles, trades } = head;
  const { symbol, category, use } = request;
  const [from, to] = [head.from as Timestamp, head.to as Timestamp];
  const command = {
    ...({
      type: 'importRecording',
      hash,
      bytes,
      candles,
      trades,
      kind,
      intervalMs,
      from,
      to,
    } as const),
    ...{ symbol, category, use, divideAt: divideOf(request, head) },
  };
  const plan = recordingPlan(state(), command);
  if (!plan.ok) return refuse(namedRejection(plan.refusal, 'operator'));
  const price = priceAt(recordings.file(hash), command.divideAt);
  const priced = plan.value.find(isPricedInDollars);
  const input = priced === undefined ? undefined : submit(pricing(priced, price));
  const [done] = await Promise.all([submit(command), input]);
  if (!done.ok) return refuse(namedRejection(done.refusal, 'operator'));
  return ok({
    hash,
    kind,
    rows,
    intervalMs,
    from,
    to,
    divideAt: command.divideAt,
    price,
    findings,
  });
}
