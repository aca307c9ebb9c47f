/** What a person sees when the exchange is up: where it is, who can call it, and what to try first. */
import type { Credentials } from './keyring.ts';

export interface WelcomeContext {
  readonly publicUrl: string;
  readonly operatorUrl: string;
  readonly credentials: Credentials;
  readonly data: string;
}

export function welcomeText({ publicUrl, operatorUrl, credentials, data }: WelcomeContext): string {
  const rows = credentials.users.map(({ name, uid, apiKey }) => `  ${name.padEnd(6)} ${uid}  ${apiKey}`);
  return [
    '',
    `  Rialto     ${publicUrl}`,
    `  docs       ${publicUrl}/docs`,
    `  operator   ${operatorUrl}`,
    `  data       ${data}  (secrets in credentials.json)`,
    ...(rows.length === 0
      ? []
      : ['', '  user   uid         API key', ...rows, '', '  Try: npm run --silent rialto -- snippet curl | bash']),
    '',
    '',
  ].join('\n');
}
