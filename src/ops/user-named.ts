/** Finds a user by uid, by a name in `credentials.json`, or by a name the operator gave. */
import { CliError } from './cli-error.ts';
import type { RunningExchange } from './running-exchange.ts';

/** Longer lists of users with one name are cut. */
const NAMESAKES_SHOWN_MAX = 10;
/** The longest name that the operator API accepts. */
const NAME_LENGTH_MAX = 64;

const namesIn = ({ credentials: { users } }: RunningExchange): string =>
  users.length === 0
    ? 'which has no users'
    : `which has ${users.map(({ name }) => name).join(', ')}`;

/** Names are unique in `credentials.json`, but not among the operator's users. */
export async function uidOf(input: string, exchange: RunningExchange): Promise<string> {
  if (/^\d+$/.test(input)) return input;
  const known = exchange.credentials.users.find(({ name }) => name === input);
  if (known !== undefined) return known.uid;
  const askable = input !== '' && input.length <= NAME_LENGTH_MAX;
  const named = askable
    ? await exchange.operator.call('listUsers', { name: input, limit: String(NAMESAKES_SHOWN_MAX) })
    : [];
  const [only, ...others] = named;
  if (only === undefined)
    throw new CliError(
      `no user is named "${input}"; a user is a uid such as 1000000001, a name that the operator ` +
        `gave, or a name in credentials.json, ${namesIn(exchange)}`,
    );
  if (others.length > 0)
    throw new CliError(
      `several users are named "${input}"; use a uid: ${named.map(({ uid }) => uid).join(', ')}`,
    );
  return only.uid;
}
