/** The table of all channels. */
import type { Channel } from './channel.ts';
import type { StreamVersion } from './stream-paths.ts';
import { v2MarginChannels } from './v2-margin.ts';
import { v2MarketChannels } from './v2-market.ts';
import { v2PrivateChannels } from './v2-private.ts';
import { v3MarketChannels } from './v3-market.ts';
import { v3PrivateChannels } from './v3-private.ts';

export const channels = {
  ...v2MarketChannels,
  ...v2PrivateChannels,
  ...v2MarginChannels,
  ...v3MarketChannels,
  ...v3PrivateChannels,
} as const;

export type ChannelKey = keyof typeof channels;

/** A row with the name by which it was asked for. */
export interface NamedChannel {
  readonly key: ChannelKey;
  readonly name: string;
  readonly row: Channel;
}

const rows = Object.entries(channels) as unknown as readonly (readonly [ChannelKey, Channel])[];

/** Names are compared without case, but `candle1m` and `candle1M` differ. */
function namesOf(version: StreamVersion): ReadonlyMap<string, NamedChannel> {
  const found = new Map<string, NamedChannel>();
  const named = rows
    .filter(([, row]) => row.version === version)
    .flatMap(([key, row]) => row.names.map((name) => ({ key, name, row })));
  for (const each of named) {
    const folded = each.name.toLowerCase();
    if (!found.has(folded)) found.set(folded, each);
  }
  for (const each of named) found.set(each.name, each);
  return found;
}

const byName = { v2: namesOf('v2'), v3: namesOf('v3') };

export const channelNamed = (version: StreamVersion, name: string): NamedChannel | undefined =>
  byName[version].get(name) ?? byName[version].get(name.toLowerCase());
