/** Network addresses in one spelling, so that a caller's address and an allow list can be compared as texts. */
import { isIPv4, isIPv6, SocketAddress } from 'node:net';

const MAPPED_PREFIX = '::ffff:';

/** The canonical form of an address; an IPv4 address written as IPv6 is that IPv4 address. Undefined when it is no address. */
export function canonicalAddress(text: string): string | undefined {
  if (isIPv4(text)) return text;
  if (!isIPv6(text)) return undefined;
  const { address } = new SocketAddress({ address: text, family: 'ipv6' });
  const mapped = address.startsWith(MAPPED_PREFIX) ? address.slice(MAPPED_PREFIX.length) : '';
  return isIPv4(mapped) ? mapped : address;
}
