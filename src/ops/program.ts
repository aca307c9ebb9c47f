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
import { watch } from './watch.ts';

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
      .replaceAll('\n', ' ')}; see --help\n`,
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
    .description('create an API key for a user of the running exchange')
    .argument('<user>', 'owner of the key: a uid or a name')
    .addOption(without('every permission', new Option('--permissions <list>', 'comma-separated')))
    .addOption(
      without('any', new Option('--ips <list>', 'comma-separated addresses that may use the key')),
    )
    .addOption(dataOption())
    .action(keys);
  program
    .command('fund')
    .description('credit a user of the running exchange')
    .argument('<user>', 'owner of the account: a uid or a name')
    .argument('<coin>', 'such as USDT')
    .argument('<size>', 'amount to credit')
    .addOption(dataOption())
    .action(fund);
  program
    .command('replay')
    .description('replay a data folder and print the state hash')
    .addOption(dataOption())
    .action(replay);
  program
    .command('snapshot')
    .description('write a snapshot of a stopped exchange, from which a newer program can start')
    .addOption(dataOption())
    .action(snapshot);
  program
    .command('backup')
    .description('copy the data folder of a running or stopped exchange to a new folder')
    .requiredOption('--to <DIR>', 'folder of the copy, which must not exist')
    .addOption(dataOption())
    .action(backup);
  program
    .command('verify')
    .description('read every journal segment and snapshot and report damage')
    .addOption(dataOption())
    .action(verify);
  program
    .command('inspect')
    .description('show commands with their answers and events')
    .argument('[sequence]', 'first command to show; the last ones when left out')
    .addOption(without('1, or the last 10', new Option('--count <n>', 'number of commands')))
    .addOption(dataOption())
    .action(inspect);
  program
    .command('watch')
    .description('show the book and the trades of a symbol of the running exchange, until Ctrl-C')
    .argument('<symbol>', 'such as BTCUSDT')
    .option('--category <category>', 'such as USDT-FUTURES or SPOT', 'USDT-FUTURES')
    .addOption(dataOption())
    .action(watch);
  addDataVerbs(program.command('data').description('read recorded candles or trades'));
  program
    .command('snippet')
    .description('print client code for the running exchange with a real key')
    .argument('[client]', `${oneOf(Object.keys(snippets))}; the list of clients when left out`)
    .option('--user <name>', 'owner of the key', USUAL_TRADER)
    .addOption(dataOption())
    .action(snippet);
  program
    .command('bench')
    .description('measure the response times of a temporary exchange on this machine')
    .option('--seconds <n>', 'duration of the measurement', '5')
    .option('--connections <n>', 'clients that call at the same time', '32')
    .action(bench);
  program
    .command('simulate')
    .description(
      'run the exchange with random commands and faults on a simulated disk, and check every invariant',
    )
    .option('--seed <n>', 'first seed', '1')
    .option('--seeds <n>', 'number of seeds', '1')
    .option('--commands <n>', 'commands per seed', '20000')
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
    new Option('--columns <list>', 'names of the columns, such as time,open,high,low,close,volume'),
  );

function addDataVerbs(data: Command): void {
  data
    .command('import')
    .description(
      'import recorded candles or trades into the running exchange, as past or path of a symbol',
    )
    .argument('<file>', 'CSV or JSON, plain, .gz or .zip')
    .requiredOption('--symbol <symbol>', 'such as BTCUSDT')
    .addOption(
      without(
        'every category that lists the symbol',
        new Option('--category <category>', 'such as USDT-FUTURES or SPOT'),
      ),
    )
    .addOption(
      new Option(
        '--as <use>',
        'past for the time before now, path for the price from now on, or both',
      )
        .choices(['past', 'path', 'both'])
        .default('past'),
    )
    .addOption(
      without(
        'end of the file for a past, start of the file for a path',
        new Option('--divide <time>', 'time of the file that corresponds to now'),
      ),
    )
    .addOption(columnsOption())
    .addOption(dataOption())
    .action(importData);
  data
    .command('check')
    .description('print the content of a file of candles or trades, or its first error')
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
