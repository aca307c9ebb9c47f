/** An optional field is either present with a value or missing, never present as undefined. */
export type Given<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

export function given<Fields extends object>(fields: Fields): Given<Fields> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Given<Fields>;
}
