import { once } from 'node:events';
import { connect } from 'node:net';

const DECLARED_BYTES = 1024 * 1024;

/** A text frame (masked, with zeros) whose end never comes. */
export function unfinishedMessage(sizeBytes: number): Buffer {
  const head = Buffer.alloc(14);
  head[0] = 0x81;
  head[1] = 0xff;
  head.writeBigUInt64BE(BigInt(DECLARED_BYTES), 2);
  return Buffer.concat([head, Buffer.alloc(sizeBytes, 0x61)]);
}

/** A bare connection with a socket opened on it, that says nothing by itself and does not go when it is asked to. */
export async function stay(url: string) {
  const connection = connect(Number(new URL(url).port), '127.0.0.1');
  connection.on('error', () => {});
  const head = [
    'GET /ws/stream HTTP/1.1',
    'Host: x',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  ];
  connection.write(`${head.join('\r\n')}\r\n\r\n`);
  const gone = once(connection, 'close');
  let received = Buffer.alloc(0);
  let [opened, toGo] = [() => {}, (_code: number) => {}];
  const isOpen = new Promise<void>((resolve) => (opened = resolve));
  const toldGoodbye = new Promise<number>((resolve) => (toGo = resolve));
  connection.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    const bodyAt = received.indexOf('\r\n\r\n') + 4;
    if (bodyAt > 3) opened();
    if (bodyAt > 3 && received[bodyAt] === 0x88) toGo(received.readUInt16BE(bodyAt + 2));
  });
  await isOpen;
  return {
    gone,
    toldGoodbye,
    say: (bytes: Buffer) => void connection.write(bytes),
    leave: () => void connection.end(),
  };
}
