/** The table of channel implementations. */
import type { ChannelSources, SourceParts } from './channel-source.ts';
import { tickerSources } from './channels/tickers.ts';

export const channelSources = (parts: SourceParts): ChannelSources => ({
  ...tickerSources(parts),
});
