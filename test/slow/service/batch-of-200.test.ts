import { parse } from 'csv-parse/sync';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JournalLine } from '#telephony/sandbox/call-journal.js';
import { settled, type BatchAnswer } from '#test/support/batches.js';
import { once } from '#test/support/call-story.js';
import { buildTestService, TEST_KEY, type TestService } from '#test/support/test-service.js';
import { keptEvents } from '#test/support/kept-events.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { BRIEF_AGENT, SORTS, settleCrowd, type Callee } from './crowd.js';
import { VirtualClock } from '#test/support/virtual-clock.js';

type Row = Record<string, string>;

/** As many as a busy machine of two cores listens to without delay. */
const AT_ONCE = 5;
const REACHED = SORTS.brief.count + SORTS.agreeing.count + SORTS.refusing.count;

let service: TestService;
let crowd: Callee[];
let journalPath: string;
let batch: BatchAnswer;
let rows: Row[];

beforeAll(async () => {
  const folder = temporaryFolder();
  const peopleDir = join(folder, 'people');
  journalPath = join(folder, 'ledger.jsonl');
  crowd = settleCrowd(peopleDir);
  service = await buildTestService({
    time: new VirtualClock(),
    environment: { SANDBOX_PERSONAS_DIR: peopleDir, SANDBOX_LEDGER: journalPath },
  });
  const agent = await post('/api/agents', BRIEF_AGENT);
  const made = await post('/batch/schedule-call', {
    agent_id: agent.id,
    name: 'Guests',
    to_number: [...crowd, crowd[0]],
    max_concurrency: AT_ONCE,
    metadata: { party: 'winter' },
    retry_policy: { max_retries: 1, retry_delay: 1, retry_on: ['busy'] },
  });
  // So many talks take a while: each half of them is waited for.
  await once(async () => {
    const { body } = await service.request('GET', `/api/batches/${made.id}`);
    expect((body as { pending_calls: number }).pending_calls).toBeLessThan(crowd.length / 2);
  }, service.time);
  batch = await settled(service, made.id);
  const table = await get(`/api/batches/${batch.id}/results.csv`);
  rows = parse(await table.text(), { columns: true });
});

afterAll(() => service?.close());

it('reaches everybody who can be reached, and counts them', () => {
  expect(crowd).toHaveLength(200);
  expect(batch).toMatchObject({
    status: 'completed',
    total_numbers: 201,
    successfully_called: REACHED,
    failed_calls: 200 - REACHED,
    skipped_calls: 1,
    pending_calls: 0,
    live_calls: 0,
    success_rate: Math.round((REACHED / 201) * 10_000) / 10_000,
  });
});

it('gives out a table that tells what came of everybody', () => {
  expect(rows.map((row) => [row['phone_number'], row['name']])).toEqual(
    [...crowd, crowd[0]!].map((callee) => [callee.phone_number, callee.name]),
  );
  const told = rows.slice(0, 200).map((row) => ({
    name: row['name'],
    status: row['status'],
    reason: row['reason'],
    tries: row['attempts'],
    ended: row['ended_reason'],
    intent: row['intent'],
  }));
  const expected = crowd.map(({ name }) => {
    const { reason, tries, endedReason, intent } = SORTS[name];
    const status = reason === null ? 'completed' : 'failed';
    return { name, status, reason: reason ?? '', tries: String(tries), ended: endedReason, intent };
  });
  expect(told).toEqual(expected);
  expect(rows[200]).toMatchObject({ status: 'cancelled', reason: 'duplicate', attempts: '0' });

  const reached = rows.filter((row) => row['status'] === 'completed');
  const seconds = reached.map((row) => Number(row['duration_seconds']));
  expect(batch['avg_duration_seconds']).toBe(Math.round(seconds.reduce((a, b) => a + b) / REACHED));
});

it('announces the batch three times, and one end of every call', () => {
  const announced = keptEvents(service.dataDir, batch.id);
  expect(announced.map((event) => event.event_type)).toEqual([
    'batch.initiated',
    'batch.in_progress',
    'batch.completed',
  ]);
  expect(announced[2]!.data).toEqual({
    id: batch.id,
    batch_id: batch.id,
    batch_name: 'Guests',
    status: 'completed',
    agent_id: batch['agent_id'],
    agent_name: BRIEF_AGENT.name,
    total_numbers: 201,
    successfully_called: REACHED,
    failed_calls: 200 - REACHED,
    avg_duration_seconds: batch['avg_duration_seconds'],
    start_time: batch['start_time'],
    end_time: batch.end_time,
    success_rate: batch['success_rate'],
    // Nothing has a price here.
    cost_is_complete: false,
    cost_usd: batch['cost_usd'],
    custom_metadata: { party: 'winter' },
  });
  for (const row of rows.slice(0, 200)) {
    const types = keptEvents(service.dataDir, row['last_call_id']!).map((event) => event.event_type);
    const end = SORTS[row['name'] as Callee['name']].endedReason;
    const isFailed = !['customer_hangup', 'agent_hangup', 'voicemail'].includes(end);
    expect(types.filter((type) => type === 'call.completed' || type === 'call.failed')).toEqual([
      isFailed ? 'call.failed' : 'call.completed',
    ]);
  }
});

it('dialled nobody more often than was asked, and never more at once than was allowed', () => {
  const lines = readFileSync(journalPath, 'utf8').trimEnd().split('\n');
  const ledger = lines.map((line) => JSON.parse(line) as JournalLine);
  const times = new Map<string, number>();
  for (const { what, to } of ledger) if (what === 'dialled') times.set(to, (times.get(to) ?? 0) + 1);
  // What is not assigned never rings.
  const ringing = crowd.filter(({ name }) => name !== 'unassigned');
  expect(Object.fromEntries(times)).toEqual(
    Object.fromEntries(ringing.map(({ phone_number: number, name }) => [number, SORTS[name].tries])),
  );

  const live = new Set<string>();
  let most = 0;
  // Ends are entered a little later than they happen.
  for (const { what, providerCallId } of ledger.toSorted((a, b) => a.at.localeCompare(b.at))) {
    if (what === 'dialled') most = Math.max(most, live.add(providerCallId).size);
    else live.delete(providerCallId);
  }
  expect(most).toBeLessThanOrEqual(AT_ONCE);
});

async function post(path: string, body: object): Promise<{ id: string }> {
  const answer = await fetch(service.baseUrl + path, {
    method: 'POST',
    headers: { 'x-api-key': TEST_KEY, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  expect(answer.ok, text).toBe(true);
  return JSON.parse(text) as { id: string };
}

function get(path: string): Promise<Response> {
  return fetch(service.baseUrl + path, { headers: { 'x-api-key': TEST_KEY } });
}
