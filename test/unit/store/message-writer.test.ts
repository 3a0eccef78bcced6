import { describe, expect, it } from 'vitest';
import { MessageWriter } from '#store/postgres/message-writer.js';

/** The messages of some bytes: their code, and what follows their length. */
function messagesOf(bytes: Buffer): [code: string, body: string][] {
  const messages: [string, string][] = [];
  for (let at = 0; at < bytes.length; at += 1 + bytes.readInt32BE(at + 1)) {
    const end = at + 1 + bytes.readInt32BE(at + 1);
    messages.push([bytes.toString('latin1', at, at + 1), bytes.toString('utf8', at + 5, end)]);
  }
  return messages;
}

describe('messages to PostgreSQL', () => {
  it('are those of the extended query protocol', () => {
    const writer = new MessageWriter();
    writer.close('old');
    writer.parse('name', 'select $1');
    writer.bind('name', ['Grüße', 12, null]);
    writer.describe();
    writer.execute();
    writer.sync();
    expect(messagesOf(writer.take())).toEqual([
      ['C', 'Sold\0'],
      ['P', 'name\0select $1\0\0\0'],
      ['B', '\0name\0\0\0\0\x03\0\0\0\x07Grüße\0\0\0\x0212\uFFFD\uFFFD\uFFFD\uFFFD\0\0'],
      ['D', 'P\0'],
      ['E', '\0\0\0\0\0'],
      ['S', ''],
    ]);
  });

  it('may be of any length, and begin anew with each batch', () => {
    const writer = new MessageWriter();
    const long = '🙂'.repeat(300_000);
    writer.bind('', [long, long]);
    expect(messagesOf(writer.take())).toEqual([['B', expect.stringContaining(long)]]);
    writer.sync();
    expect(messagesOf(writer.take())).toEqual([['S', '']]);
  });
});
