import { expect, it } from 'vitest';
import { createLog } from '#kernel/log/log.js';
import { createHeldLog, createTerminalLog } from '#cli/local-log.js';

function writtenTo(make: typeof createHeldLog) {
  const lines: string[] = [];
  const local = make({ write: (line) => void lines.push(line), flush: (done) => done() });
  return { log: createLog('DEBUG', local), local, lines };
}

const messagesOf = (lines: string[]) => lines.map((line) => (JSON.parse(line) as { msg: string }).msg);

it('in a file, what is logged while suspended is written later, whole and in order', async () => {
  const { log, local, lines } = writtenTo(createHeldLog);
  log.info('before');
  const resume = await local.suspend();
  log.info({ route: '/health' }, 'first');
  log.debug('second');
  expect(messagesOf(lines)).toEqual(['before']);
  resume();
  log.info('after');
  expect(messagesOf(lines)).toEqual(['before', 'first', 'second', 'after']);
  expect(JSON.parse(lines[1]!)).toMatchObject({ level: 'info', route: '/health' });
});

it('in a file, a warning is written at once, behind what led to it', async () => {
  const { log, local, lines } = writtenTo(createHeldLog);
  await local.suspend();
  log.info('first');
  log.warn('trouble');
  log.info('second');
  expect(messagesOf(lines)).toEqual(['first', 'trouble']);
});

it('in a file, so many lines are not held that they could fill the memory', async () => {
  const { log, local, lines } = writtenTo(createHeldLog);
  const resume = await local.suspend();
  for (let i = 0; i < 5_000; i += 1) log.info(`line ${i}`);
  expect(lines.length).toBeGreaterThan(3_000);
  resume();
  expect(messagesOf(lines)).toEqual(Array.from({ length: 5_000 }, (_, i) => `line ${i}`));
});

it('at a terminal, what is logged while suspended is left out, warnings are not, and lines are for people', async () => {
  const lines: string[] = [];
  const local = createTerminalLog((line) => void lines.push(line));
  const log = createLog('INFO', local);
  const resume = await local.suspend();
  log.info('unheard');
  log.warn({ port: 1 }, 'heard');
  resume();
  log.info('heard again');
  expect(lines).toEqual(['WARN  heard port=1\n', 'INFO  heard again\n']);
});
