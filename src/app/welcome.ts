/**
 * What a start prints once the exchange serves: a text for a person, or one JSON line for a
 * program.
 */
import { verbsCalled } from './called-by.ts';
import type { Credentials, UserCredentials } from './keyring.ts';

export interface WelcomeContext {
  readonly publicUrl: string;
  readonly operatorUrl: string;
  readonly credentials: Credentials;
  readonly data: string;
  /** True if installed as a package, false in a checkout. */
  readonly isInstalled: boolean;
  /** True if this start loaded the seed data: its credentials are shown once. */
  readonly isFirst: boolean;
  /** The user of the first example order; undefined if no user has money. */
  readonly firstTrader: string | undefined;
}

/** The user whom `snippet` takes when none is named. */
export const USUAL_TRADER = 'dave';

/** Quotes a text for a shell. */
export const shellText = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Quotes a word only if a shell would split or expand it. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : shellText(text);

const pairs = (rows: readonly (readonly [string, string])[], indent: string): string[] => {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${indent}${name.padEnd(width)}  ${value}`);
};

/** One block per user: long secrets in a table of columns would wrap. */
function person(
  { name, uid, apiKey, secretKey, passphrase }: UserCredentials,
  isFirst: boolean,
): string[] {
  const secrets = [
    ['secret', secretKey],
    ['passphrase', passphrase],
  ] as const;
  return [
    `  ${name}  ${uid}`,
    ...pairs([['API key', apiKey], ...(isFirst ? secrets : [])], '    '),
  ];
}

export function welcomeText({
  publicUrl,
  operatorUrl,
  credentials,
  data,
  isInstalled,
  isFirst,
  firstTrader,
}: WelcomeContext): string {
  const { users, operatorToken } = credentials;
  const places = pairs(
    [
      ['Rialto', publicUrl],
      ['docs', `${publicUrl}/docs`],
      ['operator', `${operatorUrl}  token ${isFirst ? operatorToken : 'in credentials.json'}`],
      ['data', `${data}  (credentials.json keeps all secrets)`],
    ],
    '  ',
  );
  const people = users.flatMap((user) => person(user, isFirst));
  const who =
    firstTrader === undefined || firstTrader === USUAL_TRADER
      ? ''
      : ` --user ${shellWord(firstTrader)}`;
  const snippet = `snippet curl${who} --data ${shellWord(data)}`;
  const hint = `  Your first order: ${verbsCalled(isInstalled)} ${snippet} | bash`;
  const hints = firstTrader === undefined ? [] : ['', hint];
  return ['', ...places, ...(users.length === 0 ? [] : ['', ...people, ...hints]), '', ''].join(
    '\n',
  );
}

/** For a program that starts the exchange: everything it needs for calls, secrets included. */
export function readyLine(context: WelcomeContext): string {
  const { publicUrl, operatorUrl, data, isFirst, credentials } = context;
  const { operatorToken, users } = credentials;
  const ready = { url: publicUrl, operatorUrl, operatorToken, data, isFirst, users };
  return `${JSON.stringify(ready)}\n`;
}
