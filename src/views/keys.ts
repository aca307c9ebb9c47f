/** Active API keys. A revoked key is removed with its event. */
import type { Uid } from '../kernel/ids.ts';
import type { ApiKey } from '../messages/events.ts';
import type { View } from './view.ts';

export interface KeyQueries {
  find(apiKey: string): ApiKey | undefined;
  ofUser(uid: Uid): readonly ApiKey[];
  count(): number;
}

export function createKeysView(): View<'keys'> & KeyQueries {
  let keys = new Map<string, ApiKey>();

  return {
    name: 'keys',
    on: {
      keyCreated: ({ key }) => void keys.set(key.apiKey, key),
      keyRevoked: ({ apiKey }) => void keys.delete(apiKey),
    },
    save: () => new Map(keys),
    restore: (saved) => {
      keys = new Map(saved as Map<string, ApiKey>);
    },

    find: (apiKey) => keys.get(apiKey),
    ofUser: (uid) => [...keys.values()].filter((key) => key.uid === uid),
    count: () => keys.size,
  };
}
