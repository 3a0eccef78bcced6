import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { LiveService } from '#live/live-service.js';
import type { LiveFilter } from '#live/live-hub.js';
import { CallRig } from '#test/support/call-rig.js';
import { PRINCIPAL } from '#test/support/principal.js';

/** Longer than the outbox is left alone, and than commits may lag behind. */
const LOOK_MS = 400;
const FILTER: LiveFilter = { workspace: 'default', callId: null, batchId: null, types: null };

let rig: CallRig;
let live: LiveService;
beforeEach(async () => {
  rig = await CallRig.started();
  live = serviceOf(rig);
});

function serviceOf({ store, clock, ids, log, callService }: CallRig): LiveService {
  const service = new LiveService({ store, clock, ids, log: log.log, feed: callService.feed });
  onTestFinished(() => service.stop());
  return service;
}

interface Told {
  id: string;
  name: string;
  data: Record<string, unknown>;
}

/** A page, and what it has been told. */
class Page {
  readonly told: Told[] = [];
  lastId = '';
  isEnded = false;
  leave = () => {};

  static async open(
    filter: Partial<LiveFilter> = {},
    lastId: string | null = null,
    at = live,
  ): Promise<Page> {
    const page = new Page();
    page.leave = await at.join({ ...FILTER, ...filter }, page, lastId);
    return page;
  }

  send(text: string): void {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1];
    this.lastId = field('id') ?? this.lastId;
    const name = field('event');
    if (name) this.told.push({ id: this.lastId, name, data: JSON.parse(field('data')!) as Told['data'] });
  }

  end(): void {
    this.isEnded = true;
  }

  get states(): unknown[] {
    return this.told.filter(({ name }) => name === 'call.state').map(({ data }) => data['status']);
  }

  get names(): string[] {
    return this.told.map(({ name }) => name);
  }
}

const entry = {
  speaker: 'customer',
  text: 'Yes.',
  confidence: 0.9,
  startMs: 1_000,
  endMs: 1_500,
  interrupted: false,
} as const;

describe('the live stream', () => {
  it('tells the states of a call, in the words of the API, once each', async () => {
    const page = await Page.open();
    const call = await rig.talking();
    await rig.pass(LOOK_MS);
    await rig.callService.calls.disconnect(PRINCIPAL, call.id);
    await rig.pass(10 * LOOK_MS);
    expect(page.states).toEqual(['initiated', 'connected', 'active', 'completed']);
    expect(page.told.at(-1)!.data).toMatchObject({
      call_id: call.id,
      to_number: call.to_phone,
      direction: 'outbound',
      ended_reason: 'api_disconnect',
      batch_id: null,
    });
  });

  it('tells what another process did', async () => {
    const other = serviceOf(rig);
    const page = await Page.open({}, null, other);
    await rig.talking();
    await rig.pass(LOOK_MS);
    expect(page.states).toContain('active');
  });

  it('tells words, steps and tools as they happen', async () => {
    const { id } = await rig.talking();
    const page = await Page.open();
    const { observer } = rig.conversations[0]!;
    observer.onPartial('yes');
    observer.onEntry(entry);
    expect(page.told.map(({ name, data }) => [name, data['call_id']])).toEqual([
      ['call.partial', id],
      ['call.transcript', id],
    ]);
    expect(page.told[1]!.data['entry']).toMatchObject({ speaker: 'customer', text: 'Yes.', start_ms: 1_000 });
  });

  it('tells no words of a call that is not transcribed', async () => {
    await rig.talking({ enable_transcription: false });
    const page = await Page.open();
    rig.conversations[0]!.observer.onPartial('yes');
    rig.conversations[0]!.observer.onEntry(entry);
    expect(page.told).toEqual([]);
  });

  it('tells each workspace its own', async () => {
    const [ours, theirs] = [await Page.open(), await Page.open({ workspace: 'another' })];
    await rig.talking();
    rig.conversations[0]!.observer.onEntry(entry);
    live.onDelivery({
      workspace: 'another',
      webhook_id: 'wh_1',
      event_type: 'call.completed',
      status: 'pending',
      attempt: 2,
    });
    await rig.pass(LOOK_MS);
    expect(ours.names).toContain('call.transcript');
    expect(ours.names).not.toContain('delivery');
    expect(theirs.names).toEqual(['delivery']);
  });

  it('is narrowed to a call, and to kinds of events', async () => {
    const first = await rig.talking();
    const second = await rig.talking();
    const page = await Page.open({ callId: second.id });
    const words = await Page.open({ types: ['call.transcript'] });
    for (const { observer } of rig.conversations) {
      observer.onPartial('yes');
      observer.onEntry(entry);
    }
    expect(new Set(page.told.map(({ data }) => data['call_id']))).toEqual(new Set([second.id]));
    expect(words.told.map(({ data }) => data['call_id'])).toEqual([first.id, second.id]);
    expect(new Set(words.names)).toEqual(new Set(['call.transcript']));
  });
});

describe('a client that comes again', () => {
  const say = (times: number) => {
    for (let time = 0; time < times; time += 1) rig.conversations[0]!.observer.onEntry(entry);
  };

  it('is told what it has missed', async () => {
    await rig.talking();
    const page = await Page.open();
    say(2);
    page.leave();
    say(3);
    const again = await Page.open({}, page.told[0]!.id);
    say(1);
    expect(again.names).toEqual(Array(5).fill('call.transcript'));
    expect(new Set(again.told.map(({ id }) => id)).size).toBe(5);
  });

  it.each([
    ['another process', 'node_other-12'],
    ['nothing', 'nonsense'],
    ['the future', 'x'],
  ])('is told to load anew where its id is of %s', async (_of, id) => {
    const page = await Page.open();
    const lastId = id === 'x' ? page.lastId.replace(/\d+$/, '999') : id;
    expect((await Page.open({}, lastId)).names).toEqual(['sync']);
  });

  it('is told to load anew when too much was missed, or a minute has passed', async () => {
    await rig.talking();
    const page = await Page.open();
    say(1);
    const { lastId } = page;
    say(5_000);
    expect((await Page.open({}, lastId)).names).toEqual(['sync']);

    const { lastId: late } = page;
    page.leave();
    await rig.pass(120_000, 10_000);
    say(1);
    expect((await Page.open({}, late)).names.at(0)).not.toBe('call.transcript');
  });
});

it('reads nothing while no page watches, and ends every stream when it stops', async () => {
  const page = await Page.open();
  page.leave();
  await rig.pass(61_000, 1_000);
  const before = rig.clock.armed;
  const last = await Page.open();
  expect(rig.clock.armed).toBeGreaterThan(before);
  await live.stop();
  expect(last.isEnded).toBe(true);
});
