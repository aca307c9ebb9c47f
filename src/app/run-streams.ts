/** The streams of one run: fed with its durable batches, behind the public port. */
import { Proxies } from '../gateway/auth/proxies.ts';
import { StreamServer, type StreamServerParts } from '../streams/stream-server.ts';
import type { Core } from './core.ts';
import type { Settings } from './settings.ts';

/** Proxies whose headers name the caller; undefined if callers connect directly. */
export const trustedProxies = ({ trustedProxies: text }: Settings): Proxies | undefined =>
  text === undefined ? undefined : Proxies.read(text);

type RunParts = Omit<StreamServerParts, 'views' | 'limits' | 'proxies'>;

export function startStreams(core: Core, settings: Settings, parts: RunParts): StreamServer {
  const streams = new StreamServer({
    ...parts,
    views: core.views,
    limits: settings.limits !== 'off',
    proxies: trustedProxies(settings),
  });
  core.follow(streams.feed);
  return streams;
}
