/** Entry point of `npm start`: the verb `start` with whatever flags were given. */
import { runCommandLine } from '../ops/program.ts';

const [node = '', script = '', ...flags] = process.argv;
await runCommandLine([node, script, 'start', ...flags]);
