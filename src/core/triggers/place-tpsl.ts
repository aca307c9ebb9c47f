/**
 * Places a take-profit and a stop-loss of a position side: one of them, or both as OCO siblings.
 */
import type { ClientOid, Id, Uid } from '../../kernel/ids.ts';
import { ok, type Refused, type Result } from '../../kernel/result.ts';
import type { CommandOf } from '../../messages/commands.ts';
import type { PlacedTrigger } from '../../messages/outcomes.ts';
import type { Rejection } from '../../messages/rejections.ts';
import type { ExitDraft } from '../../messages/triggers.ts';
import {
  closesWholePosition,
  type ExitKind,
  isTakeProfit,
  type PositionSide,
  type SelfTradeMode,
} from '../../messages/vocabulary.ts';
import type { InstrumentSpec } from '../derived/instrument-spec.ts';
import { positionOf } from '../derived/position.ts';
import type { Position } from '../state/position.ts';
import type { Trigger } from '../state/trigger.ts';
import {
  ownClientOid,
  rememberClientOid,
  selfTradeModeGiven,
} from '../trading/orders/client-oids.ts';
import { accept, type Handler, reject, type Step, takeId } from '../transaction/step.ts';
import { enterTrigger, nameOfTrigger, tpslOfPosition, wayTo } from './live-triggers.ts';
import { contentOfTrigger, dayRefusal, earlierUse, roomRefusal } from './place-trigger.ts';
import { type Aim, checkAim, checkTpslSide, openSpec } from './trigger-checks.ts';

/** A take-profit and a stop-loss. */
const TPSL_PER_COMMAND_MAX = 2;

/** A checked take-profit or stop-loss that is to be placed. */
export interface ExitPlan {
  readonly kind: ExitKind;
  readonly aim: Aim;
  readonly clientOid?: ClientOid | undefined;
}

/** The triggers of an earlier request with the same names; undefined if the names are new. */
function repeatedTpsl(
  step: Step,
  { uid, tpsl }: CommandOf<'placeTpsl'>,
  content: string,
): Result<readonly PlacedTrigger[] | undefined, Rejection> {
  const uses = tpsl.map(({ clientOid }) => earlierUse(step, uid, clientOid));
  if (
    tpsl.length > 1 &&
    tpsl[0]!.clientOid !== undefined &&
    tpsl[0]!.clientOid === tpsl[1]!.clientOid
  )
    return reject('duplicateClientOid', 'clientOid', tpsl[0]!.clientOid);
  const first = uses.findIndex((use) => use !== undefined);
  if (first < 0) return ok(undefined);
  const isSame = tpsl.every(
    ({ clientOid }, at) => clientOid === undefined || uses[at]?.content === content,
  );
  if (!isSame) return reject('duplicateClientOid', 'clientOid', tpsl[first]!.clientOid);
  // Triggers of one request have consecutive ids, so one without a name is found beside a named
  // one.
  const start = uses[first]!.orderId - first;
  return ok(
    tpsl.map(({ clientOid }, at) => ({
      triggerId: (start + at) as Id,
      clientOid: clientOid ?? ownClientOid(step, uid, (start + at) as Id),
    })),
  );
}

/** Checks one of them by itself, without the position. */
function planOneTpsl(
  spec: InstrumentSpec,
  position: PositionSide,
  input: ExitDraft,
): Result<ExitPlan, Rejection> {
  const { kind, clientOid } = input;
  const orderType = input.price === undefined ? 'market' : 'limit';
  const side = position === 'long' ? 'sell' : 'buy';
  const { price, size, callbackRate } = input;
  const aim = checkAim(spec, kind, { ...input, side, orderType, price, size, callbackRate });
  return aim.ok ? ok({ kind, aim: aim.value, clientOid }) : aim;
}

/** The refusal of a take-profit or stop-loss that the position cannot have. */
function refusalFor(
  step: Step,
  spec: InstrumentSpec,
  side: PositionSide,
  { kind, aim }: ExitPlan,
  taken: ReadonlySet<ExitKind>,
): Refused<Rejection> | undefined {
  const wrong = checkTpslSide(step, spec, kind, side, aim);
  if (wrong !== undefined) return wrong;
  if (!closesWholePosition(kind) || !taken.has(kind)) return undefined;
  return reject(isTakeProfit(kind) ? 'takeProfitExists' : 'stopLossExists');
}

export const placeTpsl: Handler<'placeTpsl'> = (step, command) => {
  const { state, at } = step;
  const { uid, category, symbol, side, tpsl, selfTradeMode } = command;
  const account = state.accounts.get(uid);
  if (account === undefined) return reject('unknownUser', 'uid', `${uid}`);
  if (tpsl.length === 0) return reject('fieldMissing', 'triggerPrice');
  if (tpsl.length > TPSL_PER_COMMAND_MAX)
    return reject('tooManyItems', 'tpsl', `${TPSL_PER_COMMAND_MAX}`);
  // Which of the two had a name is part of the content: a request with fewer names is another
  // request.
  const content = contentOfTrigger(category, {
    symbol,
    side,
    selfTradeMode: selfTradeModeGiven(selfTradeMode),
    tpsl: tpsl.map((exit) => ({ ...exit, clientOid: exit.clientOid !== undefined })),
  });
  const before = repeatedTpsl(step, command, content);
  if (!before.ok) return before;
  if (before.value !== undefined) return accept(before.value);
  const opened = openSpec(step, category, symbol);
  if (!opened.ok) return opened;
  const spec = opened.value;
  const plans: ExitPlan[] = [];
  for (const exit of tpsl) {
    const plan = planOneTpsl(spec, side, exit);
    if (!plan.ok) return plan;
    plans.push(plan.value);
  }
  const position = positionOf(state, uid, spec.key, side);
  if (position === undefined) return reject('noPosition');
  const taken = new Set(
    tpslOfPosition(state, uid, spec.key, side).map(({ kind }) => kind as ExitKind),
  );
  for (const plan of plans) {
    const refused = refusalFor(step, spec, side, plan, taken);
    if (refused !== undefined) return refused;
    taken.add(plan.kind);
  }
  const full =
    roomRefusal(step, account, spec.key, plans.length, 'tooManyTpsl') ?? dayRefusal(step, account);
  if (full !== undefined) return full;

  const placed = armTpsl(step, position, spec, plans, selfTradeMode ?? account.selfTradeMode);
  for (const { clientOid, id } of placed)
    if (tpsl.some((exit) => exit.clientOid === clientOid))
      rememberClientOid(step, uid, clientOid, { orderId: id, content, at, hidesOrderId: false });
  return accept(placed.map(nameOfTrigger));
};

/**
 * Places checked take-profit and stop-loss. Two of them become OCO siblings: when one fires, the
 * other is cancelled.
 */
export function armTpsl(
  step: Step,
  position: Pick<Position, 'uid' | 'key' | 'side' | 'positionMode' | 'marginMode'>,
  spec: InstrumentSpec,
  plans: readonly ExitPlan[],
  selfTradeMode: SelfTradeMode,
): readonly Trigger[] {
  const { uid, key, side, positionMode, marginMode } = position;
  const ids = plans.map(() => takeId(step));
  const triggers = plans.map(
    ({ kind, aim, clientOid }, at): Trigger => ({
      id: ids[at]!,
      uid,
      clientOid: clientOid ?? ownNameOf(step, uid, ids[at]!),
      key,
      kind,
      marginMode,
      positionMode,
      positionSide: side,
      intent: 'close',
      side: side === 'long' ? 'sell' : 'buy',
      reduceOnly: positionMode === 'oneWay',
      selfTradeMode,
      createdAt: step.at,
      ...aim,
      way: wayTo(step, spec, aim, { kind, side }),
      ocoSibling: ids.length === 2 ? ids[1 - at] : undefined,
    }),
  );
  for (const trigger of triggers) enterTrigger(step, trigger, spec);
  return triggers;
}

const ownNameOf = (step: Step, uid: Uid, id: Id): ClientOid => ownClientOid(step, uid, id);
