/** Lists of leaders, followers and agents. */
import {
  codes,
  commissionRows,
  customerRows,
  followedRows,
  leaderOpen,
  trackedRows,
  trackedTexts,
  uncopiedRows,
} from './copy-rows.ts';
import type { Known } from './known.ts';
import type { List } from './list.ts';
import { desk, ending, idOr, older, plain, shownOf, span } from './list-forms.ts';
import type { Asked } from './program.ts';
import { eventsOf, type Row } from './row.ts';

const leaders = (known: Known): readonly number[] =>
  eventsOf(known.emitted, 'leaderMade').map(({ event }) => event.leader.uid);
const ofLeaders = {
  refusal: (known: Known, caller: number) =>
    leaders(known).includes(caller) ? undefined : '40732',
} as const;
const ofAgents = {
  refusal: (known: Known, caller: number) =>
    codes(known.emitted).has(caller) ? undefined : '40029',
} as const;

const tracked =
  (
    shownAs: keyof typeof trackedTexts,
    isMeant: { readonly open: boolean; readonly copy: boolean },
  ): List['rows'] =>
  (known, caller) =>
    trackedRows(
      known.tracked.filter(
        ({ order, isOpen: open, endedAt }) =>
          order.uid === caller &&
          (isMeant.open ? open : endedAt !== undefined) &&
          (order.originalId !== undefined) === isMeant.copy,
      ),
      trackedTexts[shownAs],
    );

const leading: List['rows'] = (known, caller) =>
  trackedRows(
    known.tracked.filter(
      ({ order, isOpen: open }) => order.uid === caller && open && order.originalId === undefined,
    ),
    leaderOpen(known.tracked, known.triggers.values()),
  );

/** The symbol in a follower's history is case sensitive (CPY-31). */
const caseCounts =
  (rows: List['rows']): List['rows'] =>
  (known, caller, asked) =>
    rows(known, caller, asked).filter(
      ({ is }) => asked.symbol === undefined || is.symbol === asked.symbol,
    );

const bothWays = { older: 'idLessThan', newer: 'idGreaterThan' } as const;
const tracking = {
  needed: ['productType'],
  ...bothWays,
  ...ending('trackingList', 'endId'),
} as const;
const turned = (page: readonly Row[], { order = 'desc' }: Asked, end: Row | undefined) => ({
  trackingList: order === 'asc' ? shownOf(page).toReversed() : shownOf(page),
  endId: idOr(end),
});

const copyLists: readonly List[] = [
  {
    name: 'listFollowerHistory',
    rows: caseCounts(tracked('followerEnded', { open: false, copy: true })),
    dependsOn: ['symbol'],
    filters: ['symbol', 'traderId'],
    ...tracking,
    size: ['limit', 20, 100],
    ...span(90),
  },
  {
    name: 'listLeaderTrackedOrders',
    rows: leading,
    filters: ['symbol'],
    ...tracking,
    size: ['limit', 20, 50],
    window: { byMinute: true },
    ...ofLeaders,
  },
  {
    name: 'listLeaderHistory',
    rows: tracked('leaderEnded', { open: false, copy: false }),
    filters: ['symbol'],
    switches: { order: ['asc', 'desc'] },
    ...tracking,
    size: ['limit', 20, 100],
    ...span(90),
    ...ofLeaders,
    answer: turned,
  },
  {
    name: 'listFollowerTrackedOrders',
    rows: tracked('followerOpen', { open: true, copy: true }),
    needed: ['productType'],
    filters: ['symbol', 'traderId'],
    size: ['limit', 20, 100],
    ...bothWays,
    window: {},
    ...plain,
  },
  {
    name: 'listUncopiedOrders',
    rows: ({ emitted }, caller) => uncopiedRows(emitted, caller),
    needed: ['productType'],
    filters: ['symbol', 'traderId'],
    size: ['limit', 20, 100],
    ...bothWays,
    ...span(90),
    ...ending('list', 'endId'),
  },
  {
    name: 'listUncopied',
    rows: ({ emitted }) => uncopiedRows(emitted, undefined),
    filters: ['uid', 'leader'],
    ...desk,
  },
  {
    name: 'listFollowedLeaders',
    rows: ({ emitted }, caller) => followedRows(emitted, caller),
    filters: [],
    size: ['pageSize', 20, 100],
    page: 'pageNo',
    window: {},
    ...plain,
  },
];

const showsSub = ({ showSub = 'no' }: Asked): boolean => showSub === 'yes';
const switches = { showSub: ['yes', 'no'] } as const;
const agentLists: readonly List[] = [
  {
    name: 'listAgentCustomers',
    rows: ({ emitted }, caller, asked) => customerRows(emitted, caller, showsSub(asked)),
    filters: ['uid', 'referralCode'],
    dependsOn: ['showSub'],
    names: ['uid'],
    switches,
    size: ['pageSize', 100, 1_000],
    page: 'pageNo',
    window: { ofAgents: true },
    ...ofAgents,
    ...plain,
  },
  {
    name: 'listAgentCommissions',
    rows: ({ emitted }, caller, asked) => commissionRows(emitted, caller, showsSub(asked)),
    filters: ['uid', 'coin', 'symbol'],
    dependsOn: ['showSub'],
    switches,
    size: ['limit', 100, 1_000],
    ...older,
    window: { ofAgents: true },
    ...ofAgents,
    ...ending('commissionList', 'endId'),
  },
];

export const peopleLists: readonly List[] = [...copyLists, ...agentLists];
