/** Files longer than the limit since lines have 100 columns. Each will be split; none is added. */
export const OVERLONG_FILES: ReadonlySet<string> = new Set([
  'src/messages/commands.ts',
]);
