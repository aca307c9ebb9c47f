/** Encodes commands for the journal and back, by the numbers in the command table. */
import { type ByteReader, type ByteWriter, MalformedBytes } from '../kernel/bytes.ts';
import type { Codec } from '../kernel/codec.ts';
import { type Command, type CommandType, commandTable } from './commands.ts';
import { cancelling, placing } from './order-commands.ts';

const byCode = new Map<number, { type: CommandType; codec: Codec<unknown> }>();
for (const [type, { code, codec }] of Object.entries(commandTable)) {
  if (byCode.has(code)) throw new Error(`two commands have the number ${code}`);
  byCode.set(code, { type: type as CommandType, codec: codec as Codec<unknown> });
}

/** Frequent commands are named here, so that each call is monomorphic. */
export function writeCommand(to: ByteWriter, command: Command): void {
  if (command.type === 'placeOrders') {
    to.byte(commandTable.placeOrders.code);
    return placing.write(to, command);
  }
  if (command.type === 'cancelOrders') {
    to.byte(commandTable.cancelOrders.code);
    return cancelling.write(to, command);
  }
  const { code, codec } = commandTable[command.type];
  to.varint(code);
  (codec as Codec<unknown>).write(to, command);
}

export function readCommand(from: ByteReader): Command {
  const code = from.varint();
  if (code === commandTable.placeOrders.code) return placing.read(from);
  if (code === commandTable.cancelOrders.code) return cancelling.read(from);
  const row = byCode.get(code);
  if (row === undefined) throw new MalformedBytes(`no command has the number ${code}`);
  return { type: row.type, ...(row.codec.read(from) as object) } as Command;
}
