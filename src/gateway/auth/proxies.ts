/**
 * Reverse proxies in front of the exchange: what they bring comes from whom they say it comes from.
 * Nobody else is believed.
 */
import { BlockList, isIPv4, type Socket } from 'node:net';
import { canonicalAddress, connectionAddress } from './addresses.ts';

const PREFIX_MAX = { ipv4: 32, ipv6: 128 } as const;
/** One behind another; to look an address up takes a while, and a list has room for a thousand. */
const PROXIES_MAX = 16;
type Family = keyof typeof PREFIX_MAX;

interface Network {
  readonly address: string;
  readonly family: Family;
  readonly prefix: number;
}

const familyOf = (address: string): Family => (isIPv4(address) ? 'ipv4' : 'ipv6');

/** `10.0.0.7` or `10.0.0.0/8`; undefined when it is neither. */
function readNetwork(text: string): Network | undefined {
  const [start = '', bits, ...more] = text.trim().split('/');
  const address = canonicalAddress(start);
  if (address === undefined || more.length > 0) return undefined;
  const family = familyOf(address);
  if (bits === undefined) return { address, family, prefix: PREFIX_MAX[family] };
  const prefix = Number.parseInt(bits, 10);
  // An IPv4 network written as IPv6 counts its bits from elsewhere.
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

  /** Addresses and networks between commas. Undefined when something among them is neither. */
  static read(text: string): Proxies | undefined {
    const networks = text.split(',').map(readNetwork);
    return networks.includes(undefined) ? undefined : new Proxies(networks as readonly Network[]);
  }

  has(address: string): boolean {
    return address !== '' && this.#trusted.check(address, familyOf(address));
  }

  /**
   * Each proxy adds to `X-Forwarded-For`, at its end, where it was called from: read from there, as
   * long as it is a proxy that says so. What stands before that, anybody may have written, at any
   * length, and nobody looks at it.
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
