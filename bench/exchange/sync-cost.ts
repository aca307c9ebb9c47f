/**
 * Measures the processor time of writing and syncing: one server under one load, whose disk is
 * switched on and off several times per second.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { invariant } from '../../src/kernel/invariant.ts';
import { temporaryFolder } from '../../test/programme/server.ts';
import { type Measured, median } from '../rows.ts';
import { COMPILE_MS, COMPILE_TURNS, type LoadClient, LoadedServer } from './loaded-server.ts';
import { BATCHES, type RequestKind, SINGLES } from './order-requests.ts';

export interface SyncCostOptions {
  readonly repetitions: number;
  readonly measureMs: number;
}

/** As the server prints it. */
interface Slot {
  readonly isWritten: boolean;
  readonly cpuMicroseconds: number;
  readonly answers: number;
}

const SWITCHED_DISK = fileURLToPath(new URL('./switched-disk.mjs', import.meta.url));

interface Load {
  readonly name: string;
  readonly kind: RequestKind;
  /** More than the server can do, in requests per second. */
  readonly rateMax: number;
}

const LOADS: readonly Load[] = [
  { name: '20 signed orders', kind: BATCHES, rateMax: 5_000 },
  { name: '1 signed order', kind: SINGLES, rateMax: 30_000 },
];
const QUAD = 4;
const LOOK_AGAIN_MS = 20;
const TELLING_MS_MAX = 30_000;

const costOf = (slots: readonly Slot[]): number =>
  slots.reduce((sum, { cpuMicroseconds }) => sum + cpuMicroseconds, 0) /
  slots.reduce((sum, { answers }) => sum + answers, 0);

/** Groups two successive slots of each mode. */
const quadsOf = (slots: readonly Slot[]): readonly (readonly Slot[])[] =>
  Array.from({ length: Math.floor(slots.length / QUAD) }, (_, at) =>
    slots.slice(at * QUAD, (at + 1) * QUAD),
  );

interface Comparison {
  readonly written: number;
  readonly promised: number;
}

/** Of slots under full load: before it starts and after it ends the server is idle. */
function comparisons(slots: readonly Slot[]): readonly Comparison[] {
  const full = median(slots.map(({ answers }) => answers).filter((answers) => answers > 0)) / 2;
  return quadsOf(slots)
    .filter((quad) => quad.every(({ answers }) => answers >= full))
    .map((quad) => ({
      written: costOf(quad.filter((slot) => slot.isWritten)),
      promised: costOf(quad.filter((slot) => !slot.isWritten)),
    }));
}

/** The server writes them later, in one piece. */
async function takeSlots(file: string): Promise<readonly Slot[]> {
  const late = performance.now() + TELLING_MS_MAX;
  while (!existsSync(file) && performance.now() < late) await pause(LOOK_AGAIN_MS);
  const slots = JSON.parse(readFileSync(file, 'utf8')) as readonly Slot[];
  rmSync(file);
  return slots;
}

/** Signed requests take memory: several short loads in succession hold fewer at a time. */
async function compare(
  server: LoadedServer,
  file: string,
  { kind, rateMax }: Load,
  options: SyncCostOptions,
): Promise<readonly Comparison[]> {
  const all: Comparison[] = [];
  for (let turn = 0; turn < COMPILE_TURNS; turn++)
    await server.turn('disk switched', kind, COMPILE_MS, { rateMax });
  for (let repetition = 0; repetition < options.repetitions; repetition++) {
    await server.whileSwitching(() =>
      server.turn('disk switched', kind, options.measureMs, { rateMax }),
    );
    all.push(...comparisons(await takeSlots(file)));
  }
  invariant(all.length > 0, 'slots under load were compared');
  return all;
}

function rowsOf(name: string, compared: readonly Comparison[]): Measured[] {
  const added = median(compared.map(({ written, promised }) => written / promised)) - 1;
  return [
    {
      name: `${name} a request, the journal only promised`,
      value: median(compared.map(({ promised }) => promised)),
      unit: 'µs CPU/request',
      lessIsBetter: true,
    },
    {
      name: `${name} a request, durable: what writing and syncing adds`,
      value: added * 100,
      unit: '% CPU',
      lessIsBetter: true,
    },
  ];
}

export async function measureSyncCost(
  client: LoadClient,
  options: SyncCostOptions,
): Promise<Measured[]> {
  const file = join(temporaryFolder(), 'slots.json');
  const server = await LoadedServer.start(client, {
    NODE_OPTIONS: `--import ${SWITCHED_DISK}`,
    BENCH_SLOTS: file,
  });
  const rows: Measured[] = [];
  for (const load of LOADS)
    rows.push(...rowsOf(load.name, await compare(server, file, load, options)));
  await server.end();
  return rows;
}
