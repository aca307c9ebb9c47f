/** Splits JSON into rows while it arrives: lists of cells, or objects with named cells. */
import { cellOf } from './cells.ts';
import { columnsOfHeader } from './columns.ts';
import { BadRecording, LINE_BYTES_MAX, type TableRow } from './recorded.ts';

export const JSON_SHAPES =
  'JSON holds [[time, open, high, low, close, volume], …] or ' +
  '[{"timestamp": …, "price": …, "amount": …, "side": …}, …]';

/** The names of cells in a list. */
const LIST_NAMES = ['time', 'open', 'high', 'low', 'close', 'volume'];

type Fields = Readonly<Record<string, unknown>>;

/** The names of an object's cells. ccxt omits the id and the side where they are not known. */
function namesOf(fields: Fields): readonly string[] {
  const names = Object.keys(fields);
  const places = columnsOfHeader(names)?.places;
  const missing = (['id', 'side'] as const).filter((word) => places?.[word] === undefined);
  return [...names, ...missing];
}

/** A cell of an object. An object within it, such as `info` of ccxt, is not read. */
function fieldCell(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

class JsonRows {
  /** The brackets that are open: one around all rows, one around a row, others within an object. */
  #depth = 0;
  #row = '';
  #line = 1;
  #item = 0;
  #isOver = false;
  #inText = false;
  #isEscaped = false;
  /** The bracket that each row begins with, as the first row does. */
  #bracket: string | undefined;
  #names: readonly string[] | undefined;

  get isWhole(): boolean {
    return this.#isOver;
  }

  take(text: string): TableRow[] {
    const rows: TableRow[] = [];
    let from = 0;
    for (let at = 0; at < text.length; at++) {
      const sign = text[at]!;
      if (sign === '\n') this.#line++;
      if (this.#inText) this.#passText(sign);
      else if (sign === '[' || sign === '{') {
        this.#open(sign);
        if (this.#depth === 2) from = at;
      } else if (sign === ']' || sign === '}') {
        if (this.#depth === 2) this.#end(this.#row + text.slice(from, at + 1), rows);
        this.#close();
      } else if (this.#depth < 2 && !/[\s,]/.test(sign)) throw this.#fault();
      else if (sign === '"') this.#inText = true;
    }
    if (this.#depth >= 2) this.#row += text.slice(from);
    if (this.#row.length > LINE_BYTES_MAX) throw this.#fault();
    return rows;
  }

  #passText(sign: string): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (sign === '\\') this.#isEscaped = true;
    else if (sign === '"') this.#inText = false;
  }

  #open(sign: string): void {
    this.#depth++;
    if (this.#isOver || (this.#depth === 1 && sign === '{')) throw this.#fault();
    if (this.#depth === 2) this.#bracket ??= sign;
    if (this.#depth === 2 && sign !== this.#bracket) throw this.#fault();
    if (this.#depth > 2 && this.#bracket === '[') throw this.#fault();
  }

  #close(): void {
    this.#depth--;
    if (this.#depth < 0) throw this.#fault();
    this.#isOver = this.#depth === 0;
  }

  /** Adds a row, and above the first one the names of its cells. */
  #end(text: string, rows: TableRow[]): void {
    this.#row = '';
    const fields = this.#bracket === '{' ? this.#fieldsOf(text) : undefined;
    this.#item++;
    const place = { line: this.#line, item: this.#item };
    if (this.#names === undefined) {
      this.#names = fields === undefined ? LIST_NAMES : namesOf(fields);
      rows.push({ ...place, isNames: true, cells: this.#names });
    }
    const cells =
      fields === undefined
        ? text.slice(1, -1).split(',').map(cellOf)
        : this.#names.map((name) => fieldCell(fields[name]));
    rows.push({ ...place, cells });
  }

  #fieldsOf(text: string): Fields {
    try {
      return JSON.parse(text) as Fields;
    } catch {
      throw this.#fault();
    }
  }

  #fault(): BadRecording {
    return new BadRecording(`line ${this.#line}, row ${this.#item + 1}: ${JSON_SHAPES}`);
  }
}

export async function* jsonRows(text: AsyncIterable<string>): AsyncGenerator<TableRow[]> {
  const rows = new JsonRows();
  for await (const part of text) yield rows.take(part);
  if (!rows.isWhole) throw new BadRecording(`the file ends within a row: ${JSON_SHAPES}`);
}
