/**
 * Transfers of a user (v2 and v3): into or out of an isolated pair, or within the wallet, where no
 * money moves.
 */
import type { RequestOf } from '../../contract/endpoint.ts';
import type { transferRows } from '../../contract/transfers.ts';
import { wireRejection } from '../../contract/wire-rejections.ts';
import { PAIR_TYPE } from '../../contract/wire-words.ts';
import { type ClientOid, type Id, idText, type Uid } from '../../kernel/ids.ts';
import { refuse } from '../../kernel/result.ts';
import type { HandlersOf } from './handler.ts';
import { type HandlerParts, submitAndShow } from './parts.ts';

type TransferHandlers = HandlersOf<typeof transferRows>;
type Input = RequestOf<(typeof transferRows)['transfer']>;

const transferText = ({
  transferId,
  clientOid,
}: {
  readonly transferId: Id;
  readonly clientOid: ClientOid;
}) => ({
  transferId: idText(transferId),
  clientOid: clientOid as string,
});

export const transferHandlers = ({ submit }: HandlerParts): TransferHandlers => {
  const transfer = async (
    { fromType, toType, symbol, coin, amount, clientOid }: Input,
    { uid }: { readonly uid: Uid },
  ) => {
    if (fromType === toType) return refuse(wireRejection('fieldInvalid', 'toType'));
    if (fromType !== PAIR_TYPE && toType !== PAIR_TYPE)
      return submitAndShow(
        submit,
        { type: 'transferWithin', uid, coin, amount, clientOid },
        transferText,
      );
    if (symbol === undefined) return refuse(wireRejection('fieldMissing', 'symbol'));
    const direction = toType === PAIR_TYPE ? 'in' : 'out';
    return submitAndShow(
      submit,
      { type: 'transferIsolated', uid, symbol, coin, amount, direction, clientOid },
      transferText,
    );
  };
  return { transfer, transferUnified: transfer };
};
