/** How the exchange clock stands to the wall clock, and whether the simulated market runs. */
import { timeAfter } from '../formulas/exchange-clock.ts';
import type { Timestamp } from '../kernel/time.ts';
import type { ClockSetting } from '../messages/events.ts';
import type { Scene } from '../messages/scenes.ts';
import type { View } from './view.ts';

export interface ClockQueries {
  setting(): ClockSetting;
  /** What the exchange clock shows when the wall clock shows `wall`. */
  exchangeTime(wall: Timestamp): Timestamp;
  marketOn(): boolean;
  /** What the simulated market plays or will play. */
  scenes(): readonly Scene[];
  /** The name of the first world, once it is complete. */
  world(): string | undefined;
}

interface Standing {
  readonly setting: ClockSetting;
  readonly marketOn: boolean;
  readonly scenes: readonly Scene[];
  readonly world?: string;
}

interface SavedClock extends Standing {
  readonly latest: Timestamp;
}

/** At first the exchange clock is the wall clock, and nobody makes a market. */
const AT_FIRST: Standing = { setting: { offsetMs: 0 }, marketOn: false, scenes: [] };

export function createClockView(): View & ClockQueries {
  let now = AT_FIRST;
  /**
   * The exchange time of the last batch: the clock does not go back behind it, whatever the wall
   * clock does.
   */
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
