/** The exchange clock against the wall clock, and whether the simulated market runs. */
import { timeAfter } from '../formulas/exchange-clock.ts';
import type { Timestamp } from '../kernel/time.ts';
import type { ClockSetting } from '../messages/events.ts';
import type { Scene } from '../messages/scenes.ts';
import type { View } from './view.ts';

export interface ClockQueries {
  setting(): ClockSetting;
  /** The exchange time for a wall-clock time. */
  exchangeTime(wall: Timestamp): Timestamp;
  marketOn(): boolean;
  /** Running and planned scenes of the simulated market. */
  scenes(): readonly Scene[];
  /** The name of the seed data, once it is complete. */
  world(): string | undefined;
}

interface ClockState {
  readonly setting: ClockSetting;
  readonly marketOn: boolean;
  readonly scenes: readonly Scene[];
  readonly world?: string;
}

interface SavedClock extends ClockState {
  readonly latest: Timestamp;
}

/** Initially the exchange clock is the wall clock, and the market is off. */
const INITIAL: ClockState = { setting: { offsetMs: 0 }, marketOn: false, scenes: [] };

export function createClockView(): View<'clock'> & ClockQueries {
  let now = INITIAL;
  /** The exchange time of the last batch, below which the clock never goes. */
  let latest = 0 as Timestamp;

  return {
    name: 'clock',
    begin: ({ at }) => {
      latest = at;
    },
    on: {
      clockMoved: ({ clock }) => {
        now = { ...now, setting: clock };
      },
      marketSwitched: ({ on }) => {
        now = { ...now, marketOn: on };
      },
      worldOpened: ({ world }) => {
        now = { ...now, world };
      },
      scenePlayed: ({ scene }) => {
        now = { ...now, scenes: [...now.scenes, scene] };
      },
      sceneEnded: (event) => {
        now = { ...now, scenes: now.scenes.filter(({ id }) => id !== event.id) };
      },
    },
    save: (): SavedClock => ({ latest, ...now }),
    restore: (saved) => {
      ({ latest, ...now } = saved as SavedClock);
    },

    setting: () => now.setting,
    exchangeTime: (wall) => timeAfter(latest, now.setting, wall),
    marketOn: () => now.marketOn,
    scenes: () => now.scenes,
    world: () => now.world,
  };
}
