/**
 * Network addresses in one spelling, so that a caller's address and an allow list can be compared
 * as texts.
 */
import { isIPv4, isIPv6, type Socket, SocketAddress } from 'node:net';

const MAPPED_PREFIX = '::ffff:';

/**
 * The canonical form of an address; an IPv4 address written as IPv6 is that IPv4 address. Undefined
 * when it is no address, or one with a zone (`%eth0`), which means something on one machine only.
 */
export function canonicalAddress(text: string): string | undefined {
  if (isIPv4(text)) return text;
  if (!isIPv6(text) || text.includes('%')) return undefined;
  const { address } = new SocketAddress({ address: text, family: 'ipv6' });
  const mapped = address.startsWith(MAPPED_PREFIX) ? address.slice(MAPPED_PREFIX.length) : '';
  return isIPv4(mapped) ? mapped : address;
}

/** A connection comes from one place as long as it lasts. */
const addresses = new WeakMap<Socket, string>();

/**
 * Where a connection comes from, be it a caller's or a proxy's. A neighbour's address arrives with
 * the zone it was heard in, which is no part of the address.
 */
export function connectionAddress(socket: Socket): string {
  const known = addresses.get(socket);
  if (known !== undefined) return known;
  const address = canonicalAddress(socket.remoteAddress?.split('%')[0] ?? '') ?? '';
  addresses.set(socket, address);
  return address;
}
