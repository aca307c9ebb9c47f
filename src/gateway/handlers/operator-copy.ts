/** Operator API: leaders, and missed copies. */
import type { operatorCopyRows } from '../../contract/operator-copy.ts';
import { given } from '../../kernel/given.ts';
import { ok } from '../../kernel/result.ts';
import { operatorUncopiedText } from './copy-texts.ts';
import type { HandlersOf } from './handler.ts';
import { type HandlerParts, submitAndShow } from './parts.ts';

export const operatorCopyHandlers = ({
  submit,
  views,
}: HandlerParts): HandlersOf<typeof operatorCopyRows> => ({
  makeLeader: ({ uid, profitShare, symbols, maxFollowers }) =>
    submitAndShow(
      submit,
      { type: 'makeLeader', uid, profitShare, ...given({ symbols, followersMax: maxFollowers }) },
      () => null,
    ),

  listUncopied: async ({ uid: follower, ...query }) =>
    ok((await views.history.uncopiedOrders({ ...query, follower })).map(operatorUncopiedText)),
});
