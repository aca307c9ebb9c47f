/** The codes and the language of an answer. */

/** Clients of each part of the API know a fact under the codes of that part. */
export type Dialect = 'v2' | 'v3' | 'broker' | 'operator';
export type Language = 'en' | 'zh';

/** The path of an endpoint decides its codes. */
export function dialectOf(path: string): Dialect {
  if (path.startsWith('/operator/')) return 'operator';
  if (path.startsWith('/api/v3/')) return 'v3';
  if (path.startsWith('/api/broker/') || path.startsWith('/api/v2/broker/')) return 'broker';
  return 'v2';
}

/** `zh-CN` and every other `zh…` is Chinese; anything else, or nothing, is English. */
export const languageOf = (locale: string | undefined): Language =>
  locale !== undefined && /^\s*zh/i.test(locale) ? 'zh' : 'en';
