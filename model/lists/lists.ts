/** All paged lists of the contract. */
import type { List } from './list.ts';
import { marketLists } from './market-lists.ts';
import { moneyLists } from './money-lists.ts';
import { peopleLists } from './people-lists.ts';
import { tradingLists } from './trading-lists.ts';

export const LISTS: readonly List[] = [
  ...tradingLists,
  ...moneyLists,
  ...peopleLists,
  ...marketLists,
];
