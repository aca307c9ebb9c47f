/** Splits the text of a table into rows while it arrives: lines of cells, or rows of JSON. */
import { cellOf } from './cells.ts';
import { jsonRows } from './json-rows.ts';
import { BadRecording, LINE_BYTES_MAX, type TableRow, UNPACKED_BYTES_MAX } from './recorded.ts';

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
  let whole = 0;
  for await (const part of text) {
    const lines = (rest + part).split('\n');
    rest = lines.pop()!;
    whole += lines.length;
    if (rest.length > LINE_BYTES_MAX)
      throw new BadRecording(`line ${whole + 1}: a line has at most ${LINE_BYTES_MAX} characters`);
    yield lines;
  }
  if (rest !== '') yield [rest];
}

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

/** Blank characters before the first cell. */
const BLANK_MAX = LINE_BYTES_MAX;

async function* joined(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}

/** The rows of a table. The first character decides whether it is JSON or lines. */
export async function tableRowsOf(
  source: AsyncIterable<Uint8Array>,
): Promise<AsyncIterable<TableRow[]>> {
  const text = textOf(source);
  let first = '';
  while (first.trim() === '') {
    const part = await text.next();
    if (part.done === true) throw new BadRecording('the file is empty');
    first += part.value;
    // Each further part would trim the whole text again.
    if (first.length > BLANK_MAX && first.trim() === '')
      throw new BadRecording(`line 1: the first ${BLANK_MAX} characters are blank`);
  }
  const whole = joined(first, text);
  return /^\s*[[{]/.test(first) ? jsonRows(whole) : csvRows(whole);
}
