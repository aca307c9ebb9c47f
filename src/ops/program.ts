/** The `rialto` command line: its verbs, one file each. */
import { Command, Option } from 'commander';
import { UnusableKeyring } from '../app/keyring.ts';
import { runServer } from '../app/run-server.ts';
import {
  BadSetting,
  folderOf,
  type SettingName,
  type SettingRow,
  settingRows,
} from '../app/settings.ts';
import { StartRefused } from '../app/start-refusals.ts';
import { USUAL_TRADER } from '../app/welcome.ts';
import { ApiError } from '../client/client.ts';
import { backup } from './backup.ts';
import { bench } from './bench.ts';
import { checkData } from './check-recording.ts';
import { CliError } from './cli-error.ts';
import { fund } from './fund.ts';
import { importData } from './import-recording.ts';
import { inspect } from './inspect.ts';
import { keys } from './keys.ts';
import { replay } from './replay.ts';
import { type SimulateFlags, simulate } from './simulate.ts';
import { snapshot } from './snapshot.ts';
import { snippet } from './snippet.ts';
import { snippets } from './snippets.ts';
import { verify } from './verify.ts';

/** The version in `package.json`. */
const VERSION = '0.1.0';

/** Describes the effect of omitting the option, if its verb decides that and not the parser. */
const without = (effect: string, option: Option): Option => option.default(undefined, effect);

/** Lists words as in a sentence: `a, b or c`. */
const oneOf = (words: readonly string[]): string =>
  `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

/** Every default is shown in the same way, whether the parser or a verb sets it. */
function optionDescription({ description, defaultValue, defaultValueDescription }: Option): string {
  const otherwise = defaultValueDescription ?? defaultValue;
  return otherwise === undefined ? description : `${description} (default: ${otherwise})`;
}

const DATA = `${settingRows.data.flag} <DIR>`;
/** Reads it as `start` does: an empty variable counts as not given. */
function dataOption(): Option {
  const { help, variable, fallback } = settingRows.data;
  return new Option(DATA, `${help}; ${variable}`)
    .default(process.env[variable] || fallback)
    .argParser((folder: string) => {
      folderOf(folder, settingRows.data.flag);
      return folder;
    });
}

function addSettings(command: Command): Command {
  for (const name of Object.keys(settingRows) as SettingName[]) {
    const { flag, argument, variable, help, fallback, otherwise }: SettingRow = settingRows[name];
    const flags = argument === undefined ? flag : `${flag} <${argument}>`;
    const option = new Option(flags, `${help}; ${variable}`);
    if (argument === undefined) option.preset('on');
    command.addOption(without(fallback ?? otherwise!, option));
  }
  return command;
}

/** Writes the parser's message in one line. */
const fail = (text: string, write: (text: string) => void): void =>
  write(
    `rialto: ${text
      .replace(/^error: /, '')
      .replace(/\.?\s*$/, '')
      .replaceAll('\n', ' ')}; --help lists what there is\n`,
  );

function buildProgram(): Command {
  const program = new Command('rialto')
    .description('A trading platform in one program.')
    .version(VERSION, '--version', 'print the version')
    .configureOutput({ outputError: fail })
    .configureHelp({ optionDescription });
  program.hook('preAction', (_, verb) => {
    if (verb.name() !== 'start') process.stdout.on('error', endWithReader);
  });
  addSettings(program.command('start').description('serve the exchange')).action(runServer);
  program
    .command('keys')
    .description('make an API key for a user of the running exchange')
    .argument('<user>', 'owner of the key: a uid or a name')
    .addOption(without('every permission', new Option('--permissions <list>', 'comma-separated')))
    .addOption(
      without('any', new Option('--ips <list>', 'comma-separated addresses that may use it')),
    )
    .addOption(dataOption())
    .action(keys);
  program
    .command('fund')
    .description('credit a user of the running exchange')
    .argument('<user>', 'owner of the account: a uid or a name')
    .argument('<coin>', 'such as USDT')
    .argument('<size>', 'how much of it')
    .addOption(dataOption())
    .action(fund);
  program
    .command('replay')
    .description('execute a data folder again and print the state hash')
    .addOption(dataOption())
    .action(replay);
  program
    .command('snapshot')
    .description(
      'write a snapshot of a folder that is not served, for a newer program to start from',
    )
    .addOption(dataOption())
    .action(snapshot);
  program
    .command('backup')
    .description(
      'copy a data folder, beside the exchange that runs in it, for another to start from',
    )
    .requiredOption('--to <DIR>', 'where the copy is made; not there yet')
    .addOption(dataOption())
    .action(backup);
  program
    .command('verify')
    .description('read every journal segment and snapshot and report damage')
    .addOption(dataOption())
    .action(verify);
  program
    .command('inspect')
    .description('show what a command was and what it caused')
    .argument('[sequence]', 'the first command to show; without it, the last ones')
    .addOption(without('1, or the last 10', new Option('--count <n>', 'how many to show')))
    .addOption(dataOption())
    .action(inspect);
  addDataVerbs(program.command('data').description('read recorded candles or trades'));
  program
    .command('snippet')
    .description('print ready code for the running exchange with a real key')
    .argument('[client]', `${oneOf(Object.keys(snippets))}; without it, the list of them`)
    .option('--user <name>', 'whose key', USUAL_TRADER)
    .addOption(dataOption())
    .action(snippet);
  program
    .command('bench')
    .description('measure how fast an exchange of its own answers on this machine')
    .option('--seconds <n>', 'how long', '5')
    .option('--connections <n>', 'clients that wait for their answers at the same time', '32')
    .action(bench);
  program
    .command('simulate')
    .description(
      'run the exchange with random commands and faults on a simulated disk, and check everything',
    )
    .option('--seed <n>', 'the first seed', '1')
    .option('--seeds <n>', 'how many, one after another', '1')
    .option('--commands <n>', 'of each seed', '20000')
    .addOption(
      new Option('--faults <on|off>', 'crashes, failing writes, clock jumps')
        .choices(['on', 'off'])
        .default('on'),
    )
    .action(async (flags: SimulateFlags) => void (await simulate(flags)));
  return program;
}

const columnsOption = (): Option =>
  without(
    'from the header',
    new Option('--columns <list>', 'what the columns hold, as in time,open,high,low,close,volume'),
  );

function addDataVerbs(data: Command): void {
  data
    .command('import')
    .description(
      'take recorded candles or trades as past or as path of a symbol of the running exchange',
    )
    .argument('<file>', 'CSV or JSON, plain, .gz or .zip')
    .requiredOption('--symbol <symbol>', 'such as BTCUSDT')
    .addOption(
      without(
        'each that lists the symbol',
        new Option('--category <category>', 'such as USDT-FUTURES or SPOT'),
      ),
    )
    .addOption(
      new Option('--as <use>', 'what was before now, what the price follows, or both')
        .choices(['past', 'path', 'both'])
        .default('past'),
    )
    .addOption(
      without(
        'the end of a past, the beginning of a path',
        new Option('--divide <time>', 'the time of the file that is now'),
      ),
    )
    .addOption(columnsOption())
    .addOption(dataOption())
    .action(importData);
  data
    .command('check')
    .description('print what a file of candles or trades holds, or what is wrong with it')
    .argument('<file>', 'CSV or JSON, plain, .gz or .zip')
    .addOption(columnsOption())
    .action(checkData);
}

/** A reader that closes the pipe early, such as `head`, is not a failure. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
}

const EXPLAINED = [CliError, BadSetting, StartRefused, UnusableKeyring, ApiError];

/** Written files contain the data of all users. Only their owner may read them, with any umask. */
const FOR_OWNER_ALONE = 0o077;

/** A user error ends in one line and exit code 1; any other error is a bug and keeps its stack. */
export async function runCommandLine(argv: readonly string[]): Promise<void> {
  process.umask(FOR_OWNER_ALONE);
  try {
    await buildProgram().parseAsync(argv);
  } catch (problem) {
    if (!EXPLAINED.some((kind) => problem instanceof kind)) throw problem;
    process.stderr.write(`rialto: ${(problem as Error).message}\n`);
    process.exitCode = 1;
  }
}
