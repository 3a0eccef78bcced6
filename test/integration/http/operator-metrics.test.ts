import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CALLS_ENDED } from '#calls/record/call-progress.js';
import { ENDED_REASON_NAMES } from '#calls/record/ended-reason.js';
import { operatorMetrics } from '#app/operator-metrics.js';
import { StoreMeter } from '#store/store-meter.js';
import { placeCall } from '#test/support/call-story.js';
import { FakeClock, settle } from '#test/support/fake-clock.js';
import { buildTestService, type TestService } from '#test/support/test-service.js';
import { openTestServer } from '#test/support/server.js';

const DOCUMENT = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
const HISTOGRAM_SERIES = /_(bucket|count|sum)$/;
/** Nobody picks up, however late somebody thinks better of the call. */
const RINGS_IN_VAIN = '+15550100006';

describe('the metrics of a whole service', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await buildTestService();
  });
  afterAll(() => service.close());

  const told = async () => (await service.app.server.inject({ url: '/metrics' })).body;

  it('are those that the document has a row for, each with the labels that it names', async () => {
    await service.request('GET', '/v1/me');
    const body = await told();
    const shown = [...body.matchAll(/^# TYPE (callwright_\w+) (\w+)$/gm)].map(([, name, kind]) => ({
      name: name!,
      kind: kind!,
      labels: labelsOf(body, name!),
    }));
    const rows = [...DOCUMENT.matchAll(/^\| `(callwright_\w+)` +\| (\w+) +\| (.*?) *\|/gm)];
    const documented = rows.map(([, name, kind, labels]) => ({
      name: name!,
      kind: kind!,
      labels: [...labels!.matchAll(/`(\w+)`/g)].map(([, label]) => label!).sort(),
    }));
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
    expect(documented.length).toBeGreaterThan(10);
    expect(shown.sort(byName)).toEqual(documented.sort(byName));
  });

  it('have everything that the example rules ask for', async () => {
    const body = await told();
    const rules = /rules:[\s\S]*?```/.exec(DOCUMENT)![0];
    const names = [...rules.matchAll(/callwright_\w+/g)].map(([name]) => name.replace(HISTOGRAM_SERIES, ''));
    expect(new Set(names).size).toBe(8);
    for (const name of names) expect(body).toContain(`# TYPE ${name} `);
  });

  it('tell of commits and of calls that were accepted and ended', async () => {
    const callId = await placeCall(service.request, { to_number: RINGS_IN_VAIN });
    await service.request('POST', `/api/calls/${callId}/disconnect`);
    const metrics = await told();
    expect(metrics).toContain('callwright_calls_ended_total{status="cancelled",ended_reason="cancelled"} 1');
    expect(metrics).toContain('callwright_calls_ended_total{status="failed",ended_reason="busy"} 0');
    expect(metrics).toContain('callwright_dial_queue_due{lane="single"} 0');
    expect(metrics).toContain('callwright_scheduled_runs_oldest_due_seconds 0');
    expect(metrics).toContain('callwright_scheduled_runs_total{result="missed"} 0');
    expect(metrics).toContain('callwright_batches_stopped_total{status="paused"} 0');
    expect(metrics).toContain('callwright_webhooks_disabled_total{disabled_reason="gone"} 0');
    expect(metrics).toMatch(/callwright_store_commit_duration_seconds_count [1-9]/);
    expect(metrics).toMatch(/callwright_store_units_waiting\{thread="reader"\} \d/);
    expect(metrics).toContain('callwright_speech_requests_waiting{duty="hearing"} 0');
  });
});

it('the calls that ended are counted by every way in which a call can end, with 0 for those that never happened', async () => {
  const meter = new StoreMeter();
  const metrics = operatorMetrics({ clock: new FakeClock() }, { meter } as never);
  const ends = metrics.find(({ name }) => name === CALLS_ENDED)!;
  meter.counters.add({ name: CALLS_ENDED, labels: { status: 'failed', ended_reason: 'busy' } });
  const readings = ends.kind === 'counter' ? await ends.read() : [];
  const reasons = readings.map(({ labels }) => labels!['ended_reason']);
  expect(new Set(reasons)).toEqual(new Set(ENDED_REASON_NAMES));
  expect(reasons).toHaveLength(ENDED_REASON_NAMES.length);
  expect(readings.filter(({ value }) => value > 0)).toHaveLength(1);
});

it('a metric that cannot be read, or not in time, is left out, and the others are shown', async () => {
  const clock = new FakeClock();
  let isWell = true;
  const never = new Promise<never>(() => {});
  const { server } = await openTestServer({
    clock,
    metrics: [
      { kind: 'gauge', name: 'well', help: 'Well.', read: () => [{ value: 1 }] },
      {
        kind: 'gauge',
        name: 'broken',
        help: 'Broken.',
        read: async () => (isWell ? [{ value: 2 }] : Promise.reject(new Error('away'))),
      },
      {
        kind: 'counter',
        name: 'slow',
        help: 'Slow.',
        labelNames: ['kind'],
        read: async () => (isWell ? [{ labels: { kind: 'a' }, value: 3 }] : never),
      },
    ],
  });
  const ask = async () => (await server.inject({ url: '/metrics' })).body.match(/^callwright_(?!http).*$/gm);
  expect(await ask()).toEqual([
    'callwright_well 1',
    'callwright_broken 2',
    'callwright_slow_total{kind="a"} 3',
  ]);
  isWell = false;
  const asking = ask();
  // The request is on its way when its time passes.
  let isAnswered = false;
  void asking.then(() => (isAnswered = true));
  while (!isAnswered) {
    await settle();
    await clock.advance(100);
  }
  expect(await asking).toEqual(['callwright_well 1']);
});

function labelsOf(body: string, name: string): string[] {
  const series = new RegExp(`^${name}(?:_count)?\\{(.*)\\} `, 'm').exec(body)?.[1] ?? '';
  return [...series.matchAll(/(\w+)="/g)].map(([, label]) => label!).sort();
}
