/** Commands to journal bytes and back, by the numbers in the command table. */
import { type ByteReader, type ByteWriter, MalformedBytes } from '../kernel/bytes.ts';
import type { Codec } from '../kernel/codec.ts';
import { type Command, type CommandOf, type CommandType, commandTable } from './commands.ts';

const byCode = new Map<number, { type: CommandType; codec: Codec<unknown> }>();
for (const [type, { code, codec }] of Object.entries(commandTable)) {
  if (byCode.has(code)) throw new Error(`two commands have the number ${code}`);
  byCode.set(code, { type: type as CommandType, codec: codec as Codec<unknown> });
}

export function writeCommand(to: ByteWriter, command: Command): void {
  const { code, codec } = commandTable[command.type];
  to.varint(code);
  (codec as Codec<unknown>).write(to, command);
}

export function readCommand(from: ByteReader): Command {
  const code = from.varint();
  const row = byCode.get(code);
  if (row === undefined) throw new MalformedBytes(`no command has the number ${code}`);
  return commandOf(row.type, row.codec.read(from));
}

/** Those that come most are put together field by field: an object spread into another is a slow one. */
function commandOf(type: CommandType, fields: unknown): Command {
  if (type === 'placeOrders') {
    const { uid, category, orders } = fields as CommandOf<'placeOrders'>;
    return { type, uid, category, orders };
  }
  if (type === 'cancelOrders') {
    const { uid, orders, market } = fields as CommandOf<'cancelOrders'>;
    return { type, uid, orders, market };
  }
  return { type, ...(fields as object) } as Command;
}
