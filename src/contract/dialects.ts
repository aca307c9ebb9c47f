/** In which codes and which language a caller is answered. */

/** Clients of each part of the API know a fact under the codes of that part. */
export type Dialect = 'v2' | 'v3' | 'broker' | 'operator';
export type Language = 'en' | 'zh';

/** Which codes an endpoint answers in: its path says it. */
export function dialectOf(path: string): Dialect {
  if (path.startsWith('/operator/')) return 'operator';
  if (path.startsWith('/api/v3/')) return 'v3';
  if (path.startsWith('/api/broker/') || path.startsWith('/api/v2/broker/')) return 'broker';
  return 'v2';
}

/** `zh-CN` and every other `zh…` is Chinese; anything else, or nothing, is English. */
export const languageOf = (locale: string | undefined): Language =>
  locale !== undefined && /^\s*zh/i.test(locale) ? 'zh' : 'en';
