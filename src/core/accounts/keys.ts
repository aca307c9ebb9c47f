/**
 * API keys. They are stored apart from the rest of the state, because two runs of one world have
 * different keys.
 */

import { given } from '../../kernel/given.ts';
import { ADDRESSES_PER_KEY_MAX } from '../../messages/bounds.ts';
import type { ApiKey } from '../../messages/events.ts';
import { done, type Handler, reject } from '../transaction/step.ts';

/** Enough for every bot of a user, and few enough for one page. */
export const KEYS_PER_USER_MAX = 100;

const API_KEY = /^[A-Za-z0-9_-]{1,64}$/;
/** A sealed secret, hash or public key; an RSA key of 8,192 bits has 1,500 characters. */
const SECRET_TEXT = /^[ -~\n\r]{0,4096}$/;
const ADDRESS = /^[0-9A-Fa-f.:/]{1,64}$/;

export const createKey: Handler<'createKey'> = (
  step,
  { uid, apiKey, sealedSecret, passphraseHash, permissions, addresses, publicKey },
) => {
  const { accounts, credentials } = step.state;
  if (!accounts.has(uid)) return reject('unknownUser', 'uid', `${uid}`);
  if (!API_KEY.test(apiKey) || credentials.keys.has(apiKey))
    return reject('fieldInvalid', 'apiKey');
  if (!SECRET_TEXT.test(sealedSecret)) return reject('fieldInvalid', 'sealedSecret');
  if (!SECRET_TEXT.test(passphraseHash)) return reject('fieldInvalid', 'passphraseHash');
  if (publicKey !== undefined && !SECRET_TEXT.test(publicKey))
    return reject('fieldInvalid', 'publicKey');
  if (addresses.length > ADDRESSES_PER_KEY_MAX)
    return reject('tooManyItems', 'addresses', `${ADDRESSES_PER_KEY_MAX}`);
  if (!addresses.every((address) => ADDRESS.test(address)))
    return reject('fieldInvalid', 'addresses');
  const count = credentials.counts.get(uid) ?? 0;
  if (count >= KEYS_PER_USER_MAX) return reject('tooManyKeys', 'uid', `${KEYS_PER_USER_MAX}`);

  const distinct = [...new Set(permissions)];
  const key: ApiKey = {
    apiKey,
    uid,
    sealedSecret,
    passphraseHash,
    permissions: distinct,
    addresses,
    ...given({ publicKey }),
  };
  credentials.keys.set(apiKey, key);
  credentials.counts.set(uid, count + 1);
  step.emit({ type: 'keyCreated', key });
  return done;
};

export const revokeKey: Handler<'revokeKey'> = (step, { apiKey }) => {
  const { keys, counts } = step.state.credentials;
  const key = keys.get(apiKey);
  if (key === undefined) return reject('unknownKey', 'apiKey');

  keys.delete(apiKey);
  counts.set(key.uid, counts.get(key.uid)! - 1);
  step.emit({ type: 'keyRevoked', apiKey, uid: key.uid });
  return done;
};
