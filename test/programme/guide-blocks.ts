/** Reads the code blocks of a guide: files to write, commands to run, and the output they print. */

export type GuideBlock =
  | { readonly kind: 'file'; readonly name: string; readonly text: string }
  | { readonly kind: 'commands'; readonly text: string }
  | { readonly kind: 'output'; readonly lines: readonly string[] }
  | { readonly kind: 'quotation' };

const FENCED = /^```(\w*)\n(.*?)^```$/gms;
/** The first line of a file, after an interpreter line, is a comment that begins with its name. */
const NAMED = /^(?:#!.*\n)?(?:\/\/|#) (\S+\.\w+)\b/;

export function guideBlocks(markdown: string): readonly GuideBlock[] {
  return [...markdown.matchAll(FENCED)].map(([, language, text = '']): GuideBlock => {
    if (language === '' || language === 'json') return { kind: 'quotation' };
    if (language === 'sh') return { kind: 'commands', text };
    if (language === 'text') return { kind: 'output', lines: linesOf(text) };
    const name = NAMED.exec(text)?.[1];
    if (name === undefined)
      throw new Error(`a block of ${language} does not begin with a comment that names its file`);
    return { kind: 'file', name, text };
  });
}

const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');

/** Durations and percentages differ between machines. */
const comparable = (line: string): string =>
  line.replace(/\(\d+(\.\d+)?ms\)/, '(…ms)').replace(/\b\d+ %/, '… %');

/** The lines of the guide that do not follow each other in the output as the guide shows them. */
export function linesMissing(shown: readonly string[], output: string): readonly string[] {
  const printed = linesOf(output).map(comparable);
  let from = 0;
  return shown.filter((line) => {
    const at = printed.indexOf(comparable(line), from);
    if (at !== -1) from = at + 1;
    return at === -1;
  });
}
