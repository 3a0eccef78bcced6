// Opens sockets to a service, sends nothing on them, and reports how they end:
//
//     node silent-crowd.mjs PORT COUNT
//
// Every second socket has its own address, the others share one. Every second socket of either kind ignores the close
// request. Prints `open COUNT` when all are open, and `gone {…}` when none is open any more.
import { connect } from 'node:net';

const [port, count] = process.argv.slice(2).map(Number);
/** Limit of handshakes in progress: more would only queue up. */
const AT_A_TIME = 200;
const HEAD =
  'GET /ws/stream HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n';
const CLOSE_FRAME = 0x88;

const codes = {};
const longest = { toGoodbyeMs: 0, toEndMs: 0 };
const startedAt = performance.now();
let openingMs = 0;
let [begun, open, gone] = [0, 0, 0];

for (let index = 0; index < AT_A_TIME; index++) beginOne();

function beginOne() {
  if (begun < count) stay(begun++);
}

function stay(index) {
  const connection = connect({ port, host: '127.0.0.1', localAddress: addressOf(index) });
  const leaves = index % 4 < 2;
  let openedAt = null;
  let isTold = false;
  connection.on('error', () => {});
  connection.write(HEAD);
  connection.on('data', (chunk) => {
    let bytes = chunk;
    if (openedAt === null) {
      if (!chunk.toString('latin1').startsWith('HTTP/1.1 101 ')) return connection.destroy();
      openedAt = performance.now();
      open += 1;
      openingMs = openedAt - startedAt;
      if (open === count) process.stdout.write(`open ${open}\n`);
      beginOne();
      bytes = chunk.subarray(chunk.indexOf('\r\n\r\n') + 4);
    }
    if (isTold || bytes[0] !== CLOSE_FRAME) return;
    isTold = true;
    longest.toGoodbyeMs = Math.max(longest.toGoodbyeMs, performance.now() - openedAt);
    const code = bytes.readUInt16BE(2);
    codes[code] = (codes[code] ?? 0) + 1;
    if (leaves) connection.end();
  });
  connection.on('close', () => {
    gone += 1;
    if (openedAt === null) beginOne();
    else longest.toEndMs = Math.max(longest.toEndMs, performance.now() - openedAt);
    if (gone === count)
      process.stdout.write(`gone ${JSON.stringify({ open, codes, openingMs, ...longest })}\n`);
  });
}

/** Only Linux has more than one loopback address. */
function addressOf(index) {
  if (index % 2 === 0 || process.platform !== 'linux') return '127.0.0.1';
  return `127.1.${index >> 8}.${index & 255}`;
}
