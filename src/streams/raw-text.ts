/** Writes a raw value as JSON again: numbers with their digits, objects with their order. */
import { isRawObject, JsonNumber, type Raw } from '../contract/raw.ts';

export function rawText(raw: Raw): string {
  if (raw instanceof JsonNumber) return raw.source;
  if (isRawObject(raw)) {
    const fields = [...raw].map(([name, value]) => `${JSON.stringify(name)}:${rawText(value)}`);
    return `{${fields.join(',')}}`;
  }
  if (Array.isArray(raw)) return `[${raw.map(rawText).join(',')}]`;
  return JSON.stringify(raw ?? null);
}
