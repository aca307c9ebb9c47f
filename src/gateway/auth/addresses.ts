/**
 * Network addresses in canonical form, so that a caller's address compares as text with an allow
 * list.
 */
import { isIPv4, isIPv6, type Socket, SocketAddress } from 'node:net';

const MAPPED_PREFIX = '::ffff:';

/**
 * The canonical form of an address. An IPv4 address written as IPv6 becomes IPv4. Returns undefined
 * for other texts, and for a zone (`%eth0`), which has meaning on one machine only.
 */
export function canonicalAddress(text: string): string | undefined {
  if (isIPv4(text)) return text;
  if (!isIPv6(text) || text.includes('%')) return undefined;
  const { address } = new SocketAddress({ address: text, family: 'ipv6' });
  const mapped = address.startsWith(MAPPED_PREFIX) ? address.slice(MAPPED_PREFIX.length) : '';
  return isIPv4(mapped) ? mapped : address;
}

/** Cached: the remote address of a connection never changes. */
const addresses = new WeakMap<Socket, string>();

/**
 * The remote address of a connection, a caller's or a proxy's. Node appends the zone of a
 * link-local address, which is not part of the address.
 */
export function connectionAddress(socket: Socket): string {
  const known = addresses.get(socket);
  if (known !== undefined) return known;
  const address = canonicalAddress(socket.remoteAddress?.split('%')[0] ?? '') ?? '';
  addresses.set(socket, address);
  return address;
}
