/**
 * The effect of each scene on the market, one row per scene. Prices are factors relative to the
 * scene's start, so that simultaneous scenes combine.
 */
import type { Timestamp } from '../../kernel/time.ts';
import { MINUTE, SECOND } from '../../kernel/time.ts';
import type { Scene, SceneName } from '../../messages/scenes.ts';

/** The effect of a scene on the makers and takers of its symbol. */
export interface Mood {
  /** Size of makers' quotes, size of takers' trades, and volatility, relative to the usual. */
  readonly depth: number;
  readonly flow: number;
  readonly liveliness: number;
  /** Share of takers that buy. */
  readonly buyers: number;
  /** The sides of the book without quotes. */
  readonly noBids: boolean;
  readonly noOffers: boolean;
  /** No index is submitted. */
  readonly silent: boolean;
  readonly halted: boolean;
  /** Distance at which the mark is held from the index, as a share of it. */
  readonly split: number;
}

const USUAL: Mood = {
  depth: 1,
  flow: 1,
  liveliness: 1,
  buyers: 0.5,
  noBids: false,
  noOffers: false,
  silent: false,
  halted: false,
  split: 0,
};

interface SceneRow {
  readonly summary: string;
  readonly durationMs: number;
  readonly percent: string;
  readonly down: boolean;
  /** The completed share of the distance (0 to 1) after a share of the time (0 to 1). */
  readonly way: (passed: number) => number;
  readonly mood: (reach: number) => Partial<Mood>;
}

const stays = (): number => 0;
const LEGS = 5;
const WICK_TURN = 0.3;

/** Falls in legs: each is quick, followed by a pause in which forced sales happen. */
function legs(passed: number): number {
  const leg = Math.min(LEGS, Math.floor(passed * LEGS));
  return Math.min(1, (leg + Math.min(1, 3 * (passed * LEGS - leg))) / LEGS);
}

/** `feed` has no row of its own: its file determines the price. */
export const SCENES: Readonly<Record<SceneName, SceneRow>> = {
  calm: {
    summary: 'small price moves and few trades',
    durationMs: 10 * MINUTE,
    percent: '0',
    down: false,
    way: stays,
    mood: () => ({ liveliness: 0.1, flow: 0.3 }),
  },
  trend: {
    summary: 'a steady path to a new price, with takers mostly on one side',
    durationMs: 10 * MINUTE,
    percent: '5',
    down: false,
    way: (passed) => passed,
    mood: (reach) => ({ buyers: reach < 0 ? 0.25 : 0.75, flow: 2 }),
  },
  wick: {
    summary: 'a large move, and back',
    durationMs: 30 * SECOND,
    percent: '8',
    down: true,
    way: (passed) => (passed < WICK_TURN ? passed / WICK_TURN : (1 - passed) / (1 - WICK_TURN)),
    mood: (reach) => ({ buyers: reach < 0 ? 0.2 : 0.8, flow: 3, depth: 0.5 }),
  },
  gap: {
    summary: 'a new price at once, without prices in between',
    durationMs: SECOND,
    percent: '5',
    down: true,
    way: (passed) => (passed > 0 ? 1 : 0),
    mood: () => ({}),
  },
  crash: {
    summary: 'a fast fall that stays, in thin books',
    durationMs: MINUTE,
    percent: '25',
    down: true,
    way: (passed) => passed * (2 - passed),
    mood: () => ({ buyers: 0.15, flow: 4, depth: 0.2 }),
  },
  cascade: {
    summary: 'five falls with pauses, each of which forces more sales',
    durationMs: MINUTE,
    percent: '15',
    down: true,
    way: legs,
    mood: () => ({ buyers: 0.2, flow: 4, depth: 0.3 }),
  },
  frozenFeed: {
    summary: 'no index is submitted, so mark prices do not change; books continue',
    durationMs: MINUTE,
    percent: '0',
    down: false,
    way: stays,
    mood: () => ({ silent: true }),
  },
  oneSided: {
    summary: 'no bids, or no offers if the percent is positive',
    durationMs: MINUTE,
    percent: '0',
    down: true,
    way: stays,
    mood: (reach) => ({ ...(reach > 0 ? { noOffers: true } : { noBids: true }), flow: 0 }),
  },
  markIndexSplit: {
    summary: 'the mark is held away from the index',
    durationMs: MINUTE,
    percent: '3',
    down: false,
    way: stays,
    mood: (reach) => ({ split: reach }),
  },
  halt: {
    summary: 'orders are accepted and none is matched',
    durationMs: MINUTE,
    percent: '0',
    down: false,
    way: stays,
    mood: () => ({ halted: true }),
  },
  feed: {
    summary: 'the price follows a file',
    durationMs: MINUTE,
    percent: '0',
    down: false,
    way: stays,
    mood: () => ({ liveliness: 0 }),
  },
};

/**
 * The size of a scene as a share of the price: negative when down. For a one-sided book only the
 * sign counts.
 */
export function reachOf({ percent, down, name }: Scene): number {
  const reach = Number.parseFloat(percent) / 100;
  if (name === 'oneSided') return down ? -1 : 1;
  return down ? -reach : reach;
}

export const isPlaying = ({ startsAt, endsAt }: Scene, at: Timestamp): boolean =>
  startsAt <= at && at < endsAt;

/** The price factor of a scene at this time. */
function factorAt(scene: Scene, at: Timestamp): number {
  const passed = (at - scene.startsAt) / (scene.endsAt - scene.startsAt);
  if (scene.name === 'markIndexSplit' || scene.name === 'oneSided') return 1;
  return 1 + reachOf(scene) * SCENES[scene.name].way(Math.min(1, Math.max(0, passed)));
}

/** The price factor of a scene between two times. */
export const sceneRatio = (scene: Scene, from: Timestamp, to: Timestamp): number =>
  factorAt(scene, to) / factorAt(scene, from);

/** The combined effect of all scenes of a symbol at this time. */
export function moodAt(scenes: Iterable<Scene>, at: Timestamp): Mood {
  let mood = USUAL;
  for (const scene of scenes)
    if (isPlaying(scene, at)) mood = { ...mood, ...SCENES[scene.name].mood(reachOf(scene)) };
  return mood;
}
