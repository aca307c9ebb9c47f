/** Types that follow from the rows. The compiler checks them; the tests only name the claims. */
import { expect, test } from 'vitest';
import type { DecimalText } from '../kernel/decimal-text.ts';
import type { ClientOid, Id, Uid } from '../kernel/ids.ts';
import type { Timestamp } from '../kernel/time.ts';
import type { Coin, Instrument } from '../messages/listings.ts';
import type {
  Category,
  FuturesCategory,
  MarginMode,
  Permission,
  PositionMode,
  PositionSide,
  SelfTradeMode,
} from '../messages/vocabulary.ts';
import type { RequestOf, ResponseOf, WireRequestOf } from './endpoint.ts';
import type { OperatorName, operatorEndpoints, PublicName, publicEndpoints } from './endpoints.ts';

type Equal<Left, Right> =
  (<T>() => T extends Left ? 1 : 2) extends <T>() => T extends Right ? 1 : 2 ? true : false;
type Flat<Type> = { [Key in keyof Type]: Type[Key] };
const holds = <_Claim extends true>(): void => expect(true).toBe(true);

type Public<Name extends PublicName> = (typeof publicEndpoints)[Name];
type Operator<Name extends OperatorName> = (typeof operatorEndpoints)[Name];

test('[API-28] a request is decoded to our words and types', () => {
  type Trigger = RequestOf<Public<'placeTriggerOrder'>>;
  holds<Equal<Trigger['planType'], 'conditional' | 'trailing'>>();
  holds<Equal<Trigger['productType'], FuturesCategory>>();
  holds<Equal<Trigger['marginMode'], MarginMode>>();
  holds<Equal<Trigger['size'], DecimalText>>();
  holds<Equal<Trigger['price'], DecimalText | undefined>>();
  holds<Equal<Trigger['triggerType'], 'last' | 'mark' | 'index'>>();
  holds<Equal<Trigger['tradeSide'], 'open' | 'close' | undefined>>();
  holds<Equal<Trigger['reduceOnly'], boolean>>();
  holds<Equal<Trigger['stpMode'], SelfTradeMode | undefined>>();
  holds<Equal<Trigger['clientOid'], ClientOid | undefined>>();

  type Settings = RequestOf<Public<'setCopySettings'>>['settings'][number];
  holds<Equal<Settings['traceType'], 'multiple' | 'amount' | 'size'>>();
  holds<Equal<Settings['maxHoldSize'], number | undefined>>();
  holds<Equal<RequestOf<Public<'setCopySettings'>>['traderId'], Uid>>();
  holds<Equal<RequestOf<Public<'setHoldMode'>>, { readonly holdMode: PositionMode }>>();
  holds<
    Equal<
      RequestOf<Public<'getOrder'>>,
      { readonly orderId: Id | undefined; readonly clientOid: ClientOid | undefined }
    >
  >();
  holds<Equal<RequestOf<Public<'listPendingTriggerOrders'>>['startTime'], Timestamp | undefined>>();
});

test('[API-28] the operator sends listings of the same type as the exchange stores', () => {
  const instrument = (input: RequestOf<Operator<'listInstrument'>>): Instrument => input;
  const coin = (input: RequestOf<Operator<'listCoin'>>): Coin => input;
  expect([typeof instrument, typeof coin]).toEqual(['function', 'function']);
  holds<
    Equal<RequestOf<Operator<'createKey'>>['permissions'], readonly Permission[] | undefined>
  >();
  holds<Equal<RequestOf<Operator<'setPrices'>>[number]['mark'], DecimalText | null | undefined>>();
});

test('[API-28] an answer has wire words', () => {
  type Position = ResponseOf<Public<'getCurrentPositions'>>['list'][number];
  holds<Equal<Position['posSide'], PositionSide>>();
  holds<Equal<Position['holdMode'], 'one_way_mode' | 'hedge_mode'>>();
  type Pending = ResponseOf<Public<'listPendingTriggerOrders'>>['entrustedList'][number];
  holds<Equal<Pending['planStatus'], 'live'>>();
  holds<Equal<Pending['callbackRatio'], string | undefined>>();
  holds<Equal<ResponseOf<Public<'setCopySettings'>>, 'success' | 'fail'>>();
  holds<Equal<ResponseOf<Public<'placeBatch'>>[number]['orderId'], string | null>>();
  holds<Equal<ResponseOf<Public<'listAgentCustomers'>>[number]['uid'], number>>();
  holds<Equal<ResponseOf<Operator<'revokeKey'>>, null>>();
});

test('[API-28] a caller sends texts and may omit optional fields', () => {
  type Hold = WireRequestOf<Public<'setHoldMode'>>;
  holds<Equal<Flat<Hold>, { readonly holdMode: 'one_way_mode' | 'hedge_mode' }>>();
  type Order = WireRequestOf<Public<'getOrder'>>;
  holds<
    Equal<
      Flat<Order>,
      { readonly orderId?: string | undefined; readonly clientOid?: string | undefined }
    >
  >();
  type Batch = WireRequestOf<Public<'placeBatch'>>[number];
  holds<Equal<Batch['category'], Category>>();
  holds<Equal<Batch['timeInForce'], 'ioc' | 'fok' | 'gtc' | 'post_only' | undefined>>();

  const batch: WireRequestOf<Public<'placeBatch'>> = [
    { category: 'SPOT', symbol: 'BTCUSDT', qty: '1', side: 'buy', orderType: 'market' },
    // @ts-expect-error A required field is missing.
    { category: 'SPOT', symbol: 'BTCUSDT', qty: '1', side: 'buy' },
    // @ts-expect-error A word that is not on the list.
    { category: 'SPOT', symbol: 'BTCUSDT', qty: '1', side: 'up', orderType: 'market' },
  ];
  expect(batch.length).toBe(3);
});
