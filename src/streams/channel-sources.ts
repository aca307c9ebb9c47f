/** The table of channel implementations. */
import type { ChannelSources, SourceParts } from './channel-source.ts';
import { bookSources } from './channels/books.ts';
import { candleSources } from './channels/candles.ts';
import { liquidationSources } from './channels/liquidations.ts';
import { privateSources } from './channels/private.ts';
import { tickerSources } from './channels/tickers.ts';
import { TradeTape } from './channels/trade-tape.ts';
import { tradeSources } from './channels/trades.ts';

export function channelSources(parts: SourceParts): ChannelSources {
  const tape = new TradeTape();
  return {
    ...tickerSources(parts),
    ...tradeSources(parts, tape),
    ...candleSources(parts, tape),
    ...bookSources(parts),
    ...liquidationSources(parts),
    ...privateSources(parts),
  };
}
