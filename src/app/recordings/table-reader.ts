/** Turns the rows of a table into checked candles or trades, and names the place of a wrong row. */
import type { RecordedKind } from '../../messages/recordings.ts';
import { flagOf, isEmptyCell, priceOf, sideOf, sizeOf, timeOf } from './cells.ts';
import {
  type Columns,
  type ColumnWord,
  columnsAsGiven,
  columnsByShape,
  columnsOfHeader,
} from './columns.ts';
import { JSON_SHAPES } from './json-rows.ts';
import {
  BadRecording,
  BadRow,
  RECORDED_ROWS_MAX,
  type RecordedCandle,
  type RecordedTrade,
  type TableRow,
} from './recorded.ts';
import { CandleChecks, type Findings, intervalOf, TradeChecks } from './row-checks.ts';

/** Some files name their source above the header. */
const LINES_ABOVE_HEADER_MAX = 1;
/** After this many candles their interval is known. */
const CANDLES_FOR_INTERVAL = 100;

export interface RowTakers {
  candle(candle: RecordedCandle): void;
  trade(trade: RecordedTrade): void;
}

export interface ReadTable {
  readonly kind: RecordedKind;
  /** The interval of candles; undefined for trades. */
  readonly intervalMs: number | undefined;
  readonly rows: number;
  /** True if the newest row came first. */
  readonly isReversed: boolean;
  readonly findings: Findings;
}

class TableReader {
  readonly #takers: RowTakers;
  #columns: Columns | undefined;
  #linesAbove = 0;
  #firstLine: readonly string[] = [];
  /** The first candles, which wait until their interval is known. */
  readonly #early: { readonly row: TableRow; readonly candle: RecordedCandle }[] = [];
  /** The times of the first rows, also of those without prices, which are on the grid too. */
  readonly #earlyTimes: number[] = [];
  #candles: CandleChecks | undefined;
  readonly #trades = new TradeChecks();
  #intervalMs: number | undefined;
  #symbol: string | undefined;
  #rows = 0;
  #empty = 0;
  readonly #asRequested: Columns | undefined;

  constructor(takers: RowTakers, columns: string | undefined) {
    this.#takers = takers;
    this.#asRequested = columns === undefined ? undefined : columnsAsGiven(columns);
  }

  take(row: TableRow): void {
    this.#columns ??= this.#firstColumns(row);
    if (this.#columns === undefined || row.cells === this.#firstLine) return;
    if (this.#rows >= RECORDED_ROWS_MAX)
      throw new BadRow(`a file has at most ${RECORDED_ROWS_MAX} rows`);
    this.#checkSymbol(row);
    if (this.#columns.kind === 'candles') this.#takeCandle(row);
    else this.#takeTrade(row);
  }

  end(): ReadTable {
    const columns = this.#columns;
    if (columns === undefined) throw this.#unknownColumns();
    if (this.#rows === 0) throw new BadRow('there is no row of prices');
    this.#settleInterval();
    const checks = columns.kind === 'candles' ? this.#candles! : this.#trades;
    const findings = checks.findings(this.#empty);
    return {
      kind: columns.kind,
      intervalMs: this.#intervalMs,
      rows: this.#rows,
      isReversed: checks.isReversed,
      findings,
    };
  }

  /** The columns from the first line, or from the second if the first is not part of the table. */
  #firstColumns({ cells, isNames }: TableRow): Columns | undefined {
    const header = columnsOfHeader(cells);
    if (header !== undefined) {
      this.#firstLine = cells;
      return this.#asRequested ?? header;
    }
    if (isNames === true && this.#asRequested === undefined) throw new BadRow(JSON_SHAPES);
    const place = this.#asRequested?.places.time;
    const isRow = (cell: string): boolean => /^\d/.test(cell);
    if (place !== undefined && isRow(cells[place] ?? '')) return this.#asRequested;
    const shape = this.#asRequested === undefined ? columnsByShape(cells) : undefined;
    if (shape !== undefined) return shape;
    if (this.#linesAbove === LINES_ABOVE_HEADER_MAX || isRow(cells[0] ?? ''))
      throw this.#unknownColumns();
    this.#linesAbove++;
    return undefined;
  }

  #unknownColumns(): BadRow {
    return new BadRow(
      'the columns are not known: name them, as in "time,open,high,low,close,volume"',
    );
  }

  #cell(row: TableRow, word: ColumnWord): string {
    const cell = this.#columnCell(row, word);
    if (cell === undefined)
      throw new BadRow(`there is no ${word}: the row has ${row.cells.length} cells`);
    return cell;
  }

  #columnCell({ cells }: TableRow, word: ColumnWord): string | undefined {
    const place = this.#columns!.places[word];
    return place === undefined ? undefined : cells[place];
  }

  #checkSymbol(row: TableRow): void {
    const symbol = this.#columnCell(row, 'symbol');
    this.#symbol ??= symbol;
    if (symbol !== this.#symbol)
      throw new BadRow(`the row is of ${symbol}, and those above are of ${this.#symbol}`);
  }

  #takeCandle(row: TableRow): void {
    const prices = ['open', 'high', 'low', 'close'] as const;
    const at = timeOf(this.#cell(row, 'time'));
    if (this.#candles === undefined) this.#earlyTimes.push(at);
    if (prices.every((word) => isEmptyCell(this.#cell(row, word)))) {
      this.#empty++;
      return;
    }
    const [open, high, low, close] = prices.map((word) => priceOf(word, this.#cell(row, word))) as [
      bigint,
      bigint,
      bigint,
      bigint,
    ];
    const input = this.#columnCell(row, 'volume');
    const size = input === undefined || isEmptyCell(input) ? 0n : sizeOf('volume', input);
    const candle = { at, open, high, low, close, size };
    this.#rows++;
    if (this.#candles !== undefined) return this.#pass(candle);
    this.#early.push({ row, candle });
    if (this.#earlyTimes.length >= CANDLES_FOR_INTERVAL) this.#settleInterval();
  }

  #settleInterval(): void {
    if (this.#columns?.kind !== 'candles' || this.#candles !== undefined) return;
    this.#intervalMs = intervalOf(this.#earlyTimes);
    this.#candles = new CandleChecks(this.#intervalMs);
    for (const { row, candle } of this.#early.splice(0)) at(row, () => this.#pass(candle));
  }

  #pass(candle: RecordedCandle): void {
    if (this.#candles!.take(candle)) this.#takers.candle(candle);
  }

  #takeTrade(row: TableRow): void {
    const price = priceOf('price', this.#cell(row, 'price'));
    const size = sizeOf('size', this.#cell(row, 'size'));
    const [side, maker] = [this.#columnCell(row, 'side'), this.#columnCell(row, 'maker')];
    // A maker that buys means that the taker sells. Without any information a trade counts as a
    // buy.
    const buys =
      side !== undefined && side !== '' && side.toLowerCase() !== 'unknown'
        ? sideOf(side)
        : maker === undefined || !flagOf('the maker flag', maker);
    const trade = { at: timeOf(this.#cell(row, 'time')), price, size, buys };
    this.#rows++;
    const id = this.#columnCell(row, 'id') ?? '';
    if (this.#trades.take(trade, isEmptyCell(id) ? undefined : id)) this.#takers.trade(trade);
  }
}

const placeOf = ({ line, item }: TableRow): string =>
  item === undefined ? `line ${line}` : `line ${line}, row ${item}`;

/** The error of a row that was read earlier, with the place of that row. */
class PlacedFault extends BadRow {}

function at(row: TableRow, run: () => void): void {
  try {
    run();
  } catch (error) {
    if (!(error instanceof BadRow) || error instanceof PlacedFault) throw error;
    throw new PlacedFault(`${placeOf(row)}: ${error.message}`);
  }
}

/** Reads a whole table. Throws BadRecording with the line of the first wrong row. */
export async function readTable(
  table: AsyncIterable<TableRow[]>,
  columns: string | undefined,
  takers: RowTakers,
): Promise<ReadTable> {
  let last: TableRow = { line: 1, cells: [] };
  try {
    const reader = new TableReader(takers, columns);
    for await (const rows of table) {
      for (const row of rows) {
        last = row;
        at(row, () => reader.take(row));
      }
    }
    return reader.end();
  } catch (error) {
    if (error instanceof PlacedFault) throw new BadRecording(error.message);
    if (error instanceof BadRow) throw new BadRecording(`${placeOf(last)}: ${error.message}`);
    throw error;
  }
}
