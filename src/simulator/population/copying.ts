/** Acts of leaders and followers: lead, follow, change settings, leave, close copies. */
import type { DecimalText } from '../../kernel/decimal-text.ts';
import type { Id } from '../../kernel/ids.ts';
import {
  COPY_LEVERAGES,
  COPY_MARGINS,
  COPY_MODES,
  COPY_ROLES,
  COPY_SIZINGS,
  type CopySetting,
} from '../../messages/copy-trading.ts';
import type { FuturesCategory } from '../../messages/vocabulary.ts';
import { tradable } from './crowd.ts';
import { type Act, type Acts, place, type Scene, someone } from './trading.ts';

const decimal = (text: string): DecimalText => text as DecimalText;

const lead: Act = (scene) => {
  const { random, crowd } = scene;
  return place(scene, [
    {
      uid: someone(scene, 'leader'),
      instrument: random.pick(tradable(crowd, true)),
      dollars: 500 + random.below(20_000),
      closing: random.below(3) === 0,
    },
  ]);
};

function drawSetting({ random, crowd }: Scene): CopySetting {
  const { category, symbol } = random.pick(tradable(crowd, true));
  const sizing = random.pick(COPY_SIZINGS);
  const values = {
    multiple: ['0.1', '0.5', '1'],
    amount: ['20', '200'],
    size: ['0.01', '0.5'],
  } as const;
  return {
    category: category as FuturesCategory,
    symbol,
    margin: random.pick(COPY_MARGINS),
    leverage: random.pick(COPY_LEVERAGES),
    longLeverage: decimal('10'),
    shortLeverage: decimal('5'),
    sizing,
    value: decimal(random.pick(values[sizing])),
    ...(random.below(4) === 0 ? { heldMax: 1 + random.below(5) } : {}),
    ...(random.below(3) === 0
      ? { takeProfitRatio: decimal('10'), stopLossRatio: decimal('15') }
      : {}),
  };
}

const follow: Act = (scene) => {
  const { random } = scene;
  return {
    type: 'setCopySettings',
    uid: someone(scene, 'copier', 'copier', 'copier', 'leader', 'taker'),
    leader: someone(scene, 'leader', 'leader', 'leader', 'taker'),
    mode: random.pick(COPY_MODES),
    autoCopy: random.below(2) === 0,
    settings: [drawSetting(scene)],
  };
};

const leave: Act = (scene) => ({
  type: 'unfollow',
  uid: someone(scene, 'copier'),
  leader: someone(scene, 'leader'),
});

/** A tracked order of a random user, or an unknown id. */
function someTracked({ random, state }: Scene): {
  readonly id: Id;
  readonly category: FuturesCategory;
} {
  const tracked = [...state.copy.tracked.values()];
  if (tracked.length === 0) return { id: 1 as Id, category: 'USDT-FUTURES' };
  const { id, key } = random.pick(tracked);
  const [category = ''] = key.split(':');
  return { id, category: category as FuturesCategory };
}

const bound: Act = (scene) => {
  const { random } = scene;
  const { id, category } = someTracked(scene);
  const owner = scene.state.copy.tracked.get(id)?.uid ?? someone(scene, 'copier');
  return {
    type: 'setTrackedOrderTpsl',
    uid: owner,
    role: random.pick(COPY_ROLES),
    trackingId: id,
    category,
    takeProfit: decimal(random.pick(['0', '70000', '3500', '180', '0.6'])),
    stopLoss: decimal(random.pick(['0', '50000', '2500', '120', '0.4'])),
  };
};

const end: Act = (scene) => {
  const { random, crowd } = scene;
  const { id, category } = someTracked(scene);
  const owner = scene.state.copy.tracked.get(id)?.uid ?? someone(scene, 'copier');
  const { symbol } = random.pick(tradable(crowd, true));
  const role = random.pick(COPY_ROLES);
  if (random.below(2) === 0)
    return { type: 'closeTrackedOrders', uid: owner, role, category, trackingId: id };
  return { type: 'closeTrackedOrders', uid: owner, role, category, symbol };
};

export const COPYING: Acts = {
  lead: [5, lead],
  follow: [1.5, follow],
  leave: [0.4, leave],
  bound: [0.8, bound],
  end: [0.8, end],
};
