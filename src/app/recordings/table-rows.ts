/** Splits the text of a table into rows while it arrives: lines of cells, or rows of JSON. */
import { BadRecording, LINE_BYTES_MAX, UNPACKED_BYTES_MAX } from './recorded.ts';

/** One row and its place in the file. */
export interface TableRow {
  readonly line: number;
  /** The number of a row of JSON, because several may share a line. */
  readonly item?: number;
  readonly cells: string[];
}

/** Decodes bytes in parts of any length, without splitting a character. */
async function* textOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8');
  let bytes = 0;
  for await (const part of source) {
    bytes += part.length;
    if (bytes > UNPACKED_BYTES_MAX)
      throw new BadRecording(`a file unpacks to at most ${UNPACKED_BYTES_MAX} bytes`);
    yield decoder.decode(part, { stream: true });
  }
  yield decoder.decode();
}

async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string[]> {
  let rest = '';
  for await (const part of text) {
    const lines = (rest + part).split('\n');
    rest = lines.pop()!;
    if (rest.length > LINE_BYTES_MAX)
      throw new BadRecording(`a line has at most ${LINE_BYTES_MAX} characters`);
    yield lines;
  }
  if (rest !== '') yield [rest];
}

const QUOTED = /^\s*"?([^"]*)"?\s*$/;
const cellOf = (cell: string): string => QUOTED.exec(cell)?.[1]?.trim() ?? cell.trim();

/** Most files use commas. */
const separatorOf = (line: string): string =>
  [',', ';', '\t'].find((each) => line.includes(each)) ?? ',';

/** Rows of lines, in groups, without empty lines. */
async function* csvRows(text: AsyncIterable<string>): AsyncGenerator<TableRow[]> {
  let line = 0;
  let separator: string | undefined;
  for await (const lines of linesOf(text)) {
    const rows: TableRow[] = [];
    for (const each of lines) {
      line++;
      if (each.trim() === '') continue;
      separator ??= separatorOf(each);
      rows.push({ line, cells: each.split(separator).map(cellOf) });
    }
    yield rows;
  }
}

const JSON_SHAPE = 'JSON holds rows as [[time, open, high, low, close, volume], …]';

/** Rows of JSON in the format of ccxt and freqtrade, read as a stream. */
class JsonRows {
  #depth = 0;
  #row = '';
  #line = 1;
  #item = 0;
  #isOver = false;

  get isWhole(): boolean {
    return this.#isOver;
  }

  take(text: string): TableRow[] {
    const rows: TableRow[] = [];
    let from = 0;
    for (let at = 0; at < text.length; at++) {
      const sign = text[at]!;
      if (sign === '\n') this.#line++;
      if (sign === '[') from = this.#open(at);
      else if (sign === ']') {
        if (this.#depth === 2) rows.push(this.#rowOf(text.slice(from, at)));
        this.#close();
      } else if (this.#depth < 2 && !/[\s,]/.test(sign)) throw this.#fault();
    }
    if (this.#depth === 2) this.#row += text.slice(from);
    if (this.#row.length > LINE_BYTES_MAX) throw this.#fault();
    return rows;
  }

  #open(at: number): number {
    this.#depth++;
    if (this.#depth > 2 || this.#isOver) throw this.#fault();
    this.#row = '';
    return at + 1;
  }

  #close(): void {
    this.#depth--;
    if (this.#depth < 0) throw this.#fault();
    this.#isOver = this.#depth === 0;
  }

  #rowOf(rest: string): TableRow {
    const cells = (this.#row + rest).split(',').map(cellOf);
    this.#row = '';
    this.#item++;
    return { line: this.#line, item: this.#item, cells };
  }

  #fault(): BadRecording {
    return new BadRecording(`line ${this.#line}, row ${this.#item + 1}: ${JSON_SHAPE}`);
  }
}

async function* jsonRows(text: AsyncIterable<string>): AsyncGenerator<TableRow[]> {
  const rows = new JsonRows();
  for await (const part of text) yield rows.take(part);
  if (!rows.isWhole) throw new BadRecording(`the file ends within a row: ${JSON_SHAPE}`);
}

async function* joined(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}

export interface Table {
  readonly isJson: boolean;
  readonly rows: AsyncIterable<TableRow[]>;
}

/** The first character decides whether a table is JSON or lines. */
export async function tableOf(source: AsyncIterable<Uint8Array>): Promise<Table> {
  const text = textOf(source);
  let first = '';
  while (first.trim() === '') {
    const part = await text.next();
    if (part.done === true) throw new BadRecording('the file is empty');
    first += part.value;
  }
  const isJson = /^\s*[[{]/.test(first);
  const whole = joined(first, text);
  return { isJson, rows: isJson ? jsonRows(whole) : csvRows(whole) };
}
