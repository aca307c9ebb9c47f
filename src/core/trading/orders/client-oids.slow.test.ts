import { describe, expect, test } from 'vitest';
import { type ClientOid, type Id, UID_FIRST, type Uid } from '../../../kernel/ids.ts';
import { seededRandom } from '../../../kernel/random.ts';
import { HOUR, type Timestamp } from '../../../kernel/time.ts';
import { CLIENT_OID_AGE_MS_MAX, ClientOids } from '../../derived/client-oids.ts';
import { emptyState } from '../../state/state.ts';

const START = 1_735_689_600_000;

/** A Map of the last use of each name, if it has not expired. */
class Model {
  readonly #uses = new Map<string, { readonly orderId: Id; readonly at: number }>();

  remember(uid: Uid, name: ClientOid, orderId: Id, at: number): void {
    this.#uses.set(`${uid} ${name}`, { orderId, at });
  }

  idOf(uid: Uid, name: ClientOid, at: number): Id | undefined {
    const use = this.#uses.get(`${uid} ${name}`);
    return use !== undefined && at - use.at < CLIENT_OID_AGE_MS_MAX ? use.orderId : undefined;
  }
}

describe('client ids', () => {
  test('[ORD-15] client ids are found for six hours, across generations and after a restore', () => {
    const random = seededRandom(3);
    const state = emptyState();
    const model = new Model();
    let ids = new ClientOids(state, 7);
    let at = START;
    for (let id = 1; id < 60_000; id++) {
      at += random.below(2_000);
      const uid = (UID_FIRST + random.below(50)) as Uid;
      const name = `order-${random.below(2_000)}` as ClientOid;
      const use = ids.lastUse(uid, name);
      const known =
        use !== undefined && at - use.at < CLIENT_OID_AGE_MS_MAX ? use.orderId : undefined;
      expect(known).toBe(model.idOf(uid, name, at));
      if (known === undefined) {
        ids.remember(uid, name, {
          orderId: id as Id,
          content: id,
          at: at as Timestamp,
          hidesOrderId: id % 7 === 0,
        });
        model.remember(uid, name, id as Id, at);
        expect(ids.lastUse(uid, name)).toEqual({
          orderId: id,
          content: id,
          at,
          hidesOrderId: id % 7 === 0,
        });
      }
      if (id % 20_000 === 0) ids = new ClientOids(state, 7);
    }
    expect(at - START).toBeGreaterThan(2 * CLIENT_OID_AGE_MS_MAX);
    expect(state.clientOids.length).toBeLessThanOrEqual(CLIENT_OID_AGE_MS_MAX / (2 * HOUR) + 1);
  });
});
