/** How the exchange clock stands to the wall clock, and whether the simulated market runs. */
import { shownTime } from '../formulas/exchange-clock.ts';
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

interface SavedClock {
  /** The exchange time of the last batch: the clock does not go back behind it, whatever the wall clock does. */
  readonly latest: Timestamp;
  readonly setting: ClockSetting;
  readonly marketOn: boolean;
  readonly scenes: readonly Scene[];
  readonly world?: string;
}

/** At first the exchange clock is the wall clock, and nobody makes a market. */
const AT_FIRST: SavedClock = { latest: 0 as Timestamp, setting: { offsetMs: 0 }, marketOn: false, scenes: [] };

export function createClockView(): View & ClockQueries {
  let now = AT_FIRST;

  return {
    name: 'clock',
    begin: ({ at }) => {
      now = { ...now, latest: at };
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
    save: () => now,
    restore: (saved) => {
      now = saved as SavedClock;
    },

    setting: () => now.setting,
    exchangeTime: (wall) => {
      const shown = shownTime(now.setting, wall);
      return shown > now.latest ? shown : now.latest;
    },
    marketOn: () => now.marketOn,
    scenes: () => now.scenes,
    world: () => now.world,
  };
}
