/**
 * Withdrawals over HTTP: an exchange, a user with money, a user without, and the calls of the desk.
 */
import {
  type Answer,
  call,
  operate,
  type Person,
  startTestExchange,
  type TestExchange,
} from './exchange.ts';

export const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
export const MINUTE = 60_000;

export type Fields = Readonly<Record<string, string>>;
export type Row = Fields;

export const ON_CHAIN: Fields = {
  coin: 'USDT',
  chain: 'trc20',
  transferType: 'on_chain',
  address: TRON,
  size: '100',
};
export const INTERNAL: Fields = { coin: 'USDT', transferType: 'internal_transfer', size: '10' };

export const orderIdOf = ({ data }: Answer): string => (data as { orderId: string }).orderId;

export class WithdrawalExchange {
  readonly exchange: TestExchange;

  private constructor(exchange: TestExchange) {
    this.exchange = exchange;
  }

  static async start(): Promise<WithdrawalExchange> {
    return new WithdrawalExchange(await startTestExchange({ limits: false }));
  }

  /** Alice has 100,000 USDT, and Bob has nothing. */
  async people(): Promise<{ readonly alice: Person; readonly bob: Person }> {
    return {
      alice: await this.exchange.person({ usdt: '100000' }),
      bob: await this.exchange.person(),
    };
  }

  post(who: Person, path: string, body: unknown): Promise<Answer> {
    return call(this.exchange, who, 'POST', path, { body: JSON.stringify(body) });
  }

  ask(who: Person, path: string, fields: Fields): Promise<Answer> {
    return call(this.exchange, who, 'GET', path, { query: new URLSearchParams(fields).toString() });
  }

  withdraw(who: Person, fields: Fields): Promise<Answer> {
    return this.post(who, '/api/v3/account/withdrawal', fields);
  }

  /** The last ten minutes and the next one. */
  lately(): { readonly startTime: string; readonly endTime: string } {
    const now = this.exchange.exchangeNow();
    return { startTime: String(now - 10 * MINUTE), endTime: String(now + MINUTE) };
  }

  desk(orderId: string, decision: string, body: unknown = {}): Promise<Answer> {
    return operate(this.exchange, 'POST', `/operator/v1/withdrawals/${orderId}/${decision}`, body);
  }

  advance(ms: number): Promise<Answer> {
    return operate(this.exchange, 'POST', '/operator/v1/clock', { advanceMs: String(ms) });
  }

  async balance(who: Person): Promise<Row | undefined> {
    const { data } = await operate(this.exchange, 'GET', `/operator/v1/users/${who.uid}`);
    return (data as { balances: readonly Row[] }).balances.find(({ coin }) => coin === 'USDT');
  }
}
