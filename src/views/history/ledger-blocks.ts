/**
 * Ledger lines in the history file. A command posts dozens of them for a handful of owners, so they are kept in blocks: the lines of one command
 * on one owner's coin are one row, which costs a tenth of a row for each. Blocks of one owner's coin follow one another by id; those of one
 * command lie interleaved, which lists of everybody's lines have to mind.
 */
import type Database from 'libsql';
import type { Sequence } from '../../kernel/ids.ts';
import { goesNewer, pageOf } from '../pages.ts';
import { type LedgerQuery, type LedgerRow, ledgerLines } from './ledger-lines.ts';
import { type Column, type Columns, type Packed, SEQUENCE_PLACE } from './table.ts';

const WIDTH = ledgerLines.columnNames.length;
const placeOf = (column: string): number => ledgerLines.columnNames.indexOf(column);
const [ID, TIME, UID, COIN] = [placeOf('id'), placeOf('time'), placeOf('uid'), placeOf('coin')];

/** What differs between the lines of a block; the rest stands in its own columns, once. */
const LINE_COLUMNS = ['id', 'account', 'amount', 'balance', 'reason'] as const;
const LINE_PLACES = LINE_COLUMNS.map(placeOf);

interface NewBlock {
  readonly columns: readonly Column[];
  readonly lines: Column[];
}

/** A block as the file has it; `id` is that of its first line, `command_start` that of the first line its command posted. */
interface Block {
  readonly id: number;
  readonly command_start: number;
  readonly time: number;
  readonly sequence: number;
  readonly uid: number | null;
  readonly coin: string;
  readonly lines: string;
}

const OLDER = 'id < ? order by id desc limit ?';
const NEWER = 'id > ? order by id limit ?';
/** The block that a place lies in, if any does, and otherwise the one before it. */
const AT = 'id <= ? order by id desc limit 1';
const BETWEEN = 'id >= ? and id <= ?';

export class LedgerBlocks {
  readonly #database: Database.Database;
  readonly #statements = new Map<string, Database.Statement>();

  constructor(database: Database.Database) {
    this.#database = database;
  }

  /** Takes lines as they travel, whole commands in their order. Those at or below the applied sequence are there already. */
  insertAfter(applied: Sequence, values: readonly Packed[]): void {
    let sequence: Packed = 0;
    let blocks = new Map<string, NewBlock>();
    for (let at = 0; at < values.length; at += WIDTH) {
      const posted = values[at + SEQUENCE_PLACE]!;
      if ((posted as number) <= applied) continue;
      if (posted !== sequence) {
        this.#insert(blocks);
        blocks = new Map();
        sequence = posted;
      }
      this.#addLine(blocks, ledgerLines.columnsAt(values, at));
    }
    this.#insert(blocks);
  }

  #addLine(blocks: Map<string, NewBlock>, columns: readonly Column[]): void {
    const owner = `${columns[UID]} ${columns[COIN]}`;
    const known = blocks.get(owner);
    const block = known ?? { columns, lines: [] };
    if (known === undefined) blocks.set(owner, block);
    for (const place of LINE_PLACES) block.lines.push(columns[place]!);
  }

  #insert(blocks: ReadonlyMap<string, NewBlock>): void {
    let start: Column | undefined;
    const statement = this.#prepared(
      'insert into ledger_blocks (id, command_start, time, sequence, uid, coin, lines) values (?, ?, ?, ?, ?, ?, ?)',
    );
    for (const { columns, lines } of blocks.values()) {
      start ??= columns[ID]!;
      statement.run([columns[ID]!, start, columns[TIME]!, columns[SEQUENCE_PLACE]!, columns[UID]!, columns[COIN]!, JSON.stringify(lines)]);
    }
  }

  page(query: LedgerQuery): readonly LedgerRow[] {
    const { uid, coin } = query;
    if (uid === undefined) return pageOf(this.#ofEverybody(query).flatMap(linesOf), query);
    const coins = coin === undefined ? this.#coinsOf(uid) : [coin];
    return pageOf(coins.flatMap((each) => this.#ofOwner(uid, each, query)).flatMap(linesOf), query);
  }

  /** Every block has a line on the wanted side of the cursor, so that as many blocks as lines are wanted are enough. */
  #ofOwner(uid: number, coin: string, query: LedgerQuery): readonly Block[] {
    const owner = 'uid = ? and coin = ?';
    if (!goesNewer(query))
      return this.#select(`${owner} and ${OLDER}`, uid, coin, query.idLessThan ?? Number.MAX_SAFE_INTEGER, query.limit);
    const from = query.idGreaterThan!;
    return [...this.#select(`${owner} and ${AT}`, uid, coin, from), ...this.#select(`${owner} and ${NEWER}`, uid, coin, from, query.limit)];
  }

  /** The command that the page's far or near edge falls into is looked at whole: its blocks begin before that edge and reach beyond it. */
  #ofEverybody(query: LedgerQuery): readonly Block[] {
    const coin = query.coin ?? null;
    const filter = 'coin = coalesce(?, coin)';
    if (goesNewer(query)) {
      const from = query.idGreaterThan!;
      const [near] = this.#select(AT, from);
      const across = near === undefined ? [] : this.#select(`${filter} and ${BETWEEN}`, coin, near.command_start, from);
      return [...across, ...this.#select(`${filter} and ${NEWER}`, coin, from, query.limit)];
    }
    const found = this.#select(`${filter} and ${OLDER}`, coin, query.idLessThan ?? Number.MAX_SAFE_INTEGER, query.limit);
    const last = found.at(-1);
    return last === undefined ? [] : [...found, ...this.#select(`${filter} and ${BETWEEN}`, coin, last.command_start, last.id - 1)];
  }

  /** One step through the index for each coin, however many lines there are. */
  #coinsOf(uid: number): readonly string[] {
    const coins: string[] = [];
    const next = this.#prepared('select coin from ledger_blocks where uid = ? and coin > ? order by coin limit 1');
    while (true) {
      const found = next.get([uid, coins.at(-1) ?? '']) as { readonly coin: string } | undefined;
      if (found === undefined) return coins;
      coins.push(found.coin);
    }
  }

  #select(where: string, ...values: readonly Column[]): readonly Block[] {
    return this.#prepared(`select * from ledger_blocks where ${where}`).all([...values]) as readonly Block[];
  }

  #prepared(text: string): Database.Statement {
    const known = this.#statements.get(text);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(text);
    this.#statements.set(text, statement);
    return statement;
  }
}

function linesOf({ time, sequence, uid, coin, lines }: Block): readonly LedgerRow[] {
  const values = JSON.parse(lines) as readonly Column[];
  const rows: LedgerRow[] = [];
  for (let at = 0; at < values.length; at += LINE_COLUMNS.length) {
    const columns: Record<string, Column> = { time, sequence, uid, coin };
    LINE_COLUMNS.forEach((name, place) => {
      columns[name] = values[at + place]!;
    });
    rows.push(ledgerLines.fromColumns(columns as Columns));
  }
  return rows;
}
