/**
 * Trusted reverse proxies: the caller's address comes from the headers of these, and of no others.
 */
import { BlockList, isIPv4, type Socket } from 'node:net';
import { canonicalAddress, connectionAddress } from './addresses.ts';

const PREFIX_MAX = { ipv4: 32, ipv6: 128 } as const;
/**
 * Limit of proxies in a chain: each address lookup takes time, and a header has room for a
 * thousand.
 */
const PROXIES_MAX = 16;
type Family = keyof typeof PREFIX_MAX;

interface Network {
  readonly address: string;
  readonly family: Family;
  readonly prefix: number;
}

const familyOf = (address: string): Family => (isIPv4(address) ? 'ipv4' : 'ipv6');

/** Reads `10.0.0.7` or `10.0.0.0/8`; undefined for other texts. */
function readNetwork(text: string): Network | undefined {
  const [start = '', bits, ...more] = text.trim().split('/');
  const address = canonicalAddress(start);
  if (address === undefined || more.length > 0) return undefined;
  const family = familyOf(address);
  if (bits === undefined) return { address, family, prefix: PREFIX_MAX[family] };
  const prefix = Number.parseInt(bits, 10);
  // The prefix of an IPv4 network written as IPv6 counts from bit 96.
  const isPrefix =
    /^\d{1,3}$/.test(bits) && prefix <= PREFIX_MAX[family] && isIPv4(start) === (family === 'ipv4');
  return isPrefix ? { address, family, prefix } : undefined;
}

export class Proxies {
  readonly #trusted = new BlockList();

  private constructor(networks: readonly Network[]) {
    for (const { address, prefix, family } of networks)
      this.#trusted.addSubnet(address, prefix, family);
  }

  /** Reads addresses and networks separated by commas; undefined if one is invalid. */
  static read(text: string): Proxies | undefined {
    const networks = text.split(',').map(readNetwork);
    return networks.includes(undefined) ? undefined : new Proxies(networks as readonly Network[]);
  }

  has(address: string): boolean {
    return address !== '' && this.#trusted.check(address, familyOf(address));
  }

  /**
   * Each proxy appends its caller's address to `X-Forwarded-For`. So the list is read from its end,
   * as long as the writer is a trusted proxy. Earlier entries can be forged, and are ignored.
   */
  callerBehind(socket: Socket, forwardedFor: string): string {
    let address = connectionAddress(socket);
    let end = forwardedFor.length;
    for (let proxies = 0; proxies < PROXIES_MAX && end >= 0 && this.has(address); proxies++) {
      const comma = forwardedFor.slice(0, end).lastIndexOf(',');
      const before = canonicalAddress(forwardedFor.slice(comma + 1, end).trim());
      if (before === undefined) break;
      address = before;
      end = comma;
    }
    return address;
  }
}
