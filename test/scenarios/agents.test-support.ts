/** A market with agents and their customers. */
import { test as base } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { moneyText, plus, ZERO_AMOUNT } from '../../src/kernel/money.ts';
import { DAY, startOfSettlementDay, type Timestamp } from '../../src/kernel/time.ts';
import type { Commission } from '../../src/messages/agents.ts';
import type { CommandOf } from '../../src/messages/commands.ts';
import type { EntryReason, FeeCreditKind } from '../../src/messages/vocabulary.ts';
import { Market } from './market.test-support.ts';

export interface InstrumentSpec {
  readonly spot?: string;
  readonly futures?: string;
  readonly share?: string;
}

export class AgentMarket extends Market {
  /** Makes the user an agent or changes the agent's ratios; returns the code. */
  agent(uid: Uid, { spot = '0.2', futures = '0.3', share }: InstrumentSpec = {}): string {
    const { outcome } = this.accepted({
      type: 'makeAgent',
      uid,
      affiliation: 'affiliate',
      spotRatio: spot as DecimalText,
      futuresRatio: futures as DecimalText,
      userShare: share as DecimalText | undefined,
    });
    return (outcome as { value: { referralCode: string } }).value.referralCode;
  }

  /** Registers a user with money, with a code or under a master. */
  registers(
    referralCode: string | undefined,
    money: Readonly<Record<string, string>> = { USDT: '20000' },
    parentUid?: Uid,
  ): Uid {
    const user: CommandOf<'createUser'> = {
      type: 'createUser',
      level: 'VIP0',
      positionMode: 'oneWay',
      referralCode,
      parentUid,
    };
    const { uid } = (this.accepted(user).outcome as { value: { uid: Uid } }).value;
    for (const [coin, size] of Object.entries(money))
      this.accepted({ type: 'deposit', uid, coin, size: size as DecimalText });
    return uid;
  }

  grants(uid: Uid, kind: FeeCreditKind, size: string, coin = 'USDT'): string {
    const { outcome } = this.submit({
      type: 'grantFeeCredit',
      uid,
      coin,
      kind,
      size: size as DecimalText,
    });
    return outcome.ok ? 'accepted' : outcome.refusal.reason;
  }

  agentOf(uid: Uid): Uid | undefined {
    return this.state.agentBooks.customers.get(uid)?.agentUid;
  }

  get midnight(): Timestamp {
    return (startOfSettlementDay(this.at) + DAY) as Timestamp;
  }

  /** Passes time to the end of the settlement day; returns its commission rows. */
  endsDay(): string[] {
    this.passes(this.midnight - this.at);
    return this.rows();
  }

  /** Amounts that a user received for a reason with the last command. */
  got(reason: EntryReason, uid: Uid): string {
    const entries = this.emitted('entryPosted').filter((entry) => entry.reason === reason);
    const lines = entries.flatMap((entry) => entry.lines).filter((line) => line.uid === uid);
    return moneyText(lines.reduce((sum, { amount }) => plus(sum, amount), ZERO_AMOUNT));
  }

  /** Effect of each entry of the last command on a user's USDT: `rebate 1.08`, `repay -1.08`. */
  moves(uid: Uid): string[] {
    return this.emitted('entryPosted').flatMap(({ reason, lines }) => {
      const own = lines.filter((line) => line.uid === uid && line.coin === 'USDT');
      return own.length === 0
        ? []
        : [
            `${reason} ${moneyText(own.reduce((sum, { amount }) => plus(sum, amount), ZERO_AMOUNT))}`,
          ];
    });
  }

  commissions(): readonly Commission[] {
    return this.emitted('commissionPaid').map(({ commission }) => commission);
  }

  /** Rows of the last command: `BTCUSDT USDT-FUTURES: fee 3.6 USDT of 6000, rebate 1.08`. */
  rows(): string[] {
    return this.commissions().map(
      ({ symbol, category, coin, fee, dealAmount, rebate }) =>
        `${symbol} ${category}: fee ${moneyText(fee)} ${coin} of ${moneyText(dealAmount)}, rebate ${moneyText(rebate)}`,
    );
  }
}

/** A test with its own market: BTC at 60,000 and a market maker. */
export const test = base.extend<{ market: AgentMarket; maker: Uid }>({
  market: async ({ task: _task }, use) => {
    const market = new AgentMarket();
    market.index('BTC', '60000');
    await use(market);
    market.check();
    market.checkReplay();
  },
  maker: async ({ market }, use) => use(market.registers(undefined, { USDT: '20000', BTC: '0.1' })),
});
