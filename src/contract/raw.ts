/** Values as they arrived, before any field has looked at them: numbers keep their source text, objects their keys in order. */
export class JsonNumber {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

export type RawObject = ReadonlyMap<string, Raw>;
export type Raw = string | JsonNumber | boolean | null | undefined | readonly Raw[] | RawObject;

export const isRawObject = (raw: Raw): raw is RawObject => raw instanceof Map;

/** Absent, `null` and the empty text mean the same. */
export const isAbsent = (raw: Raw): raw is null | undefined | '' => raw === undefined || raw === null || raw === '';
