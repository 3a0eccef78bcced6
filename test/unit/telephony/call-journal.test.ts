import { readFileSync } from 'node:fs';
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { JournalFile } from '#telephony/sandbox/journal-file.js';
import { createMemoryJournal, type CallJournal, type JournalLine } from '#telephony/sandbox/call-journal.js';
import { FakeClock } from '#test/support/fake-clock.js';

const ONCE = { mayRepeat: false, sendBefore: Number.MAX_SAFE_INTEGER };
const AGAIN = { ...ONCE, mayRepeat: true };

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ledger-'));
  path = join(folder, 'deep', 'ledger.jsonl');
});
afterEach(() => rm(folder, { recursive: true }));

function call(dialRef: string, providerCallId = `CA_${dialRef}`) {
  return { dialRef, to: '+15550100001', providerCallId };
}

async function lines(): Promise<JournalLine[]> {
  const text = await readFile(path, 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as JournalLine);
}

describe.each([
  ['in memory', () => createMemoryJournal(new FakeClock())],
  ['in a file', () => new JournalFile(path, new FakeClock())],
])('a ledger %s', (_name, open: () => CallJournal) => {
  let ledger: CallJournal;
  beforeEach(() => (ledger = open()));
  afterEach(() => ledger.close());

  it('enters nothing that comes too late, and still knows what came in time', async () => {
    const late = { ...ONCE, sendBefore: new FakeClock().wallMs() };
    await expect(ledger.dial(call('dial_1'), late)).rejects.toMatchObject({
      outcome: 'not_dialled',
      reason: 'late',
    });
    expect(await ledger.find('dial_1')).toBeNull();
    await ledger.dial(call('dial_1'), ONCE);
    expect(await ledger.dial(call('dial_1'), late)).toMatchObject({ isNew: false });
  });

  it('knows nothing at first', async () => {
    expect(await ledger.find('dial_1')).toBeNull();
  });

  it('finds a call by its reference, and how it ended', async () => {
    expect(await ledger.dial(call('dial_1'), ONCE)).toEqual({
      call: { ...call('dial_1'), end: null },
      isNew: true,
    });
    expect(await ledger.find('dial_1')).toEqual({ ...call('dial_1'), end: null });
    ledger.end(call('dial_1'), 'busy');
    await ledger.dial(call('dial_2'), ONCE);
    expect(await ledger.find('dial_1')).toEqual({ ...call('dial_1'), end: 'busy' });
    expect(await ledger.find('dial_2')).toEqual({ ...call('dial_2'), end: null });
  });

  it('gives the earlier call back for a repeated reference, also when both ask at once', async () => {
    const answers = await Promise.all([
      ledger.dial(call('dial_1', 'CA_a'), ONCE),
      ledger.dial(call('dial_1', 'CA_b'), ONCE),
    ]);
    answers.push(await ledger.dial(call('dial_1', 'CA_c'), ONCE));
    expect(answers.map((answer) => answer.isNew)).toEqual([true, false, false]);
    expect(answers.map((answer) => answer.call.providerCallId)).toEqual(['CA_a', 'CA_a', 'CA_a']);
  });

  it('enters a repeated reference again where repeating is allowed; the first one is found', async () => {
    await ledger.dial(call('dial_1', 'CA_a'), AGAIN);
    expect(await ledger.dial(call('dial_1', 'CA_b'), AGAIN)).toMatchObject({ isNew: true });
    ledger.end(call('dial_1', 'CA_b'), 'busy');
    expect(await ledger.find('dial_1')).toEqual({ ...call('dial_1', 'CA_a'), end: null });
  });
});

describe('the file of a ledger', () => {
  it('has a line for each phone and one for each end, in order', async () => {
    const clock = new FakeClock(Date.UTC(2026, 10, 21, 9));
    const ledger = new JournalFile(path, clock);
    await ledger.dial(call('dial_1'), ONCE);
    await clock.advance(1_500);
    ledger.end(call('dial_1'), 'completed');
    await ledger.close();
    expect(await lines()).toEqual([
      { at: '2026-11-21T09:00:00.000Z', ...call('dial_1'), what: 'dialled' },
      { at: '2026-11-21T09:00:01.500Z', ...call('dial_1'), what: 'completed' },
    ]);
  });

  it('holds the line of a phone as soon as the dialling is answered', async () => {
    const ledger = new JournalFile(path, new FakeClock());
    for (let index = 0; index < 50; index++) {
      await ledger.dial(call(`dial_${index}`), ONCE);
      // Checked at once and often: a write that was not awaited would mostly be missing.
      expect(readFileSync(path, 'utf8')).toContain(`"dial_${index}"`);
    }
    expect(await lines()).toHaveLength(50);
    await ledger.close();
  });

  it('is read by the next network, and by another one at the same file', async () => {
    const first = new JournalFile(path, new FakeClock());
    await first.dial(call('dial_1'), ONCE);
    const second = new JournalFile(path, new FakeClock());
    expect(await second.find('dial_1')).toEqual({ ...call('dial_1'), end: null });
    await first.dial(call('dial_2'), ONCE);
    expect(await second.dial(call('dial_2', 'CA_other'), ONCE)).toMatchObject({ isNew: false });
    expect(await lines()).toHaveLength(2);
    await first.close();
    await second.close();
  });

  it('still reads what another network writes between its own lines', async () => {
    const [first, second] = [new JournalFile(path, new FakeClock()), new JournalFile(path, new FakeClock())];
    for (let index = 0; index < 20; index += 1) {
      await Promise.all([
        first.dial(call(`dial_a${index}`), ONCE),
        second.dial(call(`dial_b${index}`), ONCE),
      ]);
      first.end(call(`dial_a${index}`), 'busy');
    }
    for (let index = 0; index < 20; index += 1) {
      expect(await first.find(`dial_b${index}`)).not.toBeNull();
      expect(await first.find(`dial_a${index}`)).toMatchObject({ end: 'busy' });
      expect(await second.find(`dial_a${index}`)).toMatchObject({ end: 'busy' });
    }
    await first.close();
    await second.close();
  });

  it('reads what follows half a line, once the other network has finished it', async () => {
    const first = new JournalFile(path, new FakeClock());
    await first.dial(call('dial_1'), ONCE);
    const line = JSON.stringify({ at: '2026-11-21T09:00:00.000Z', ...call('dial_2'), what: 'dialled' });
    await appendFile(path, line.slice(0, 40));
    expect(await first.find('dial_2')).toBeNull();
    await appendFile(path, `${line.slice(40)}\n`);
    await first.dial(call('dial_3'), ONCE);
    expect(await first.find('dial_2')).not.toBeNull();
    await first.close();
  });

  it('outlives a network that died in the middle of a line', async () => {
    const first = new JournalFile(path, new FakeClock());
    await first.dial(call('dial_1'), ONCE);
    await first.close();
    await appendFile(path, '{"at":"2026-11-21T09:00:00.000Z","dialRef":"dial_2","to":"+1555');
    const second = new JournalFile(path, new FakeClock());
    expect(await second.find('dial_2')).toBeNull();
    expect(await second.dial(call('dial_3'), ONCE)).toMatchObject({ isNew: true });
    await second.close();
    const third = new JournalFile(path, new FakeClock());
    expect(await third.find('dial_1')).not.toBeNull();
    expect(await third.find('dial_3')).not.toBeNull();
    await third.close();
  });

  it('reads lines across the pieces in which the file is read', async () => {
    const first = new JournalFile(path, new FakeClock());
    const refs = Array.from({ length: 4_000 }, (_, index) => `dial_${index}`);
    await Promise.all(refs.map((dialRef) => first.dial(call(dialRef), ONCE)));
    await first.close();
    const second = new JournalFile(path, new FakeClock());
    const found = await Promise.all(refs.map((dialRef) => second.find(dialRef)));
    expect(found.filter((known) => known === null)).toEqual([]);
    await second.close();
  });

  it('refuses to dial what it cannot write', async () => {
    const ledger = new JournalFile(folder, new FakeClock());
    await expect(ledger.dial(call('dial_1'), ONCE)).rejects.toThrow('EISDIR');
  });
});
