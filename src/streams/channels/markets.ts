/** Opens the streams of an instrument. */
import { type StreamError, streamError } from '../../contract/channels/stream-codes.ts';
import { ok, type Result, refuse } from '../../kernel/result.ts';
import type { Category } from '../../messages/vocabulary.ts';
import type { ListedInstrument } from '../../views/listings.ts';
import type { ViewQueries } from '../../views/views.ts';
import type { Opening, Producer, Publish } from '../channel-source.ts';

export interface Market {
  readonly category: Category;
  readonly symbol: string;
}

/** An instrument may be listed anew with other steps, so it is looked up each time. */
type Listed = () => ListedInstrument;

/** The stream of a market; `detail` is the rest of its key. Refuses an unlisted symbol. */
export function openMarket<Data>(
  { listings }: ViewQueries,
  { category, symbol }: Market,
  begin: (listed: Listed, publish: Publish<Data>) => Producer<Data>,
  detail = '',
): Result<Opening<Data>, StreamError> {
  if (listings.instrument(category, symbol) === undefined)
    return refuse(streamError('notFound', `${category} ${symbol} doesn't exist`));
  return ok({
    key: `${category} ${symbol} ${detail}`,
    begin: (publish) => begin(() => listings.instrument(category, symbol)!, publish),
  });
}
