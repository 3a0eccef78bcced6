import { once as event } from 'node:events';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callList } from '#http/routes/call-list.js';
import { systemClock } from '#kernel/time/clock.js';
import { callOnce, once, placeCall, told } from '#test/support/call-story.js';
import { Fleet } from '#test/support/fleet.js';
import { openPostgres } from '#test/support/postgres.js';
import { SERVICE_KEY } from '#test/support/service.js';
import { SocketClient } from '#test/support/socket-client.js';

/** Waits in silence. */
const PATIENT = '+15550100003';
/** Answers and confirms everything. */
const AGREES = '+15550109999';
const ROUNDS = 100;
/** On a machine that does much else; alone it is a tenth of that. */
const LONGEST_USUAL_MS = 100;

let fleet: Fleet;
let databaseUrl: string;
/** The call that the first of two processes carries. */
let id: string;

const postgres = await openPostgres();

const steer = (process: number, act: string, body?: unknown) =>
  fleet.service(process).request('POST', `/api/calls/${id}/${act}`, body);

const steerWell = async (process: number, act: string) =>
  expect((await steer(process, act)).status).toBe(200);

interface Durations {
  p50: number;
  p99: number;
}

async function durationsMs(act: (round: number) => Promise<unknown>): Promise<Durations> {
  const durations: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const sinceMs = systemClock.monotonicMs();
    await act(round);
    durations.push(systemClock.monotonicMs() - sinceMs);
  }
  const sorted = durations.toSorted((a, b) => a - b);
  const at = (part: number) => Math.round(sorted[Math.ceil(ROUNDS * part) - 1]! * 10) / 10;
  return { p50: at(0.5), p99: at(0.99) };
}

/**
 * The least that a question to another process can take: a row with a notice, its answer in the row, and a notice of
 * that, by nothing but two connections; and the commit of one row.
 */
async function floor(): Promise<{ commit: Durations; questionAndAnswer: Durations }> {
  const [asker, answerer] = [new pg.Client(databaseUrl), new pg.Client(databaseUrl)];
  await Promise.all([asker.connect(), answerer.connect()]);
  await asker.query('create table questions (id integer primary key, answer text)');
  await Promise.all([asker.query('listen answers'), answerer.query('listen questions')]);
  const write = (client: pg.Client, change: string, channel: string, id: number) =>
    client.query(`begin; ${change}; select pg_notify('${channel}', '${id}'); commit`);
  const answers: Promise<unknown>[] = [];
  answerer.on('notification', ({ payload }) => {
    const change = `update questions set answer = 'done' where id = ${payload}`;
    answers.push(write(answerer, change, 'answers', Number(payload)));
  });
  const commit = await durationsMs((id) =>
    asker.query('insert into questions (id) values ($1)', [ROUNDS + id]),
  );
  const questionAndAnswer = await durationsMs((id) =>
    Promise.all([
      event(asker, 'notification'),
      write(asker, `insert into questions (id) values (${id})`, 'questions', id),
    ]),
  );
  await Promise.all(answers);
  await Promise.all([asker.end(), answerer.end()]);
  return { commit, questionAndAnswer };
}

describe.skipIf(postgres.isMissing)('a live call, from a process that does not carry it', () => {
  beforeAll(async () => {
    databaseUrl = await postgres.migratedDatabase();
    fleet = new Fleet(2, { DATABASE_URL: databaseUrl }, () => 0);
    // It has room for no other call.
    await fleet.start(0, { MAX_CONCURRENT_CALLS: '1' });
    const { request } = fleet.service(0);
    id = await placeCall(request, { to_number: PATIENT, silence_timeout_seconds: 600 });
    await callOnce(request, id, ({ status }) => status === 'active');
    await fleet.start(1);
  });
  afterAll(() => fleet?.killAll());

  it('is steered within a moment', async () => {
    const mute = (process: number) => (round: number) => steerWell(process, round % 2 ? 'unmute' : 'mute');
    const bare = await floor();
    const [own, other] = [await durationsMs(mute(0)), await durationsMs(mute(1))];
    const ratio = Math.round((10 * other.p50) / bare.questionAndAnswer.p50) / 10;
    process.stdout.write(`actions on a live call: ${JSON.stringify({ own, other, ratio, ...bare })}\n`);
    expect(other.p50).toBeLessThan(LONGEST_USUAL_MS);

    expect((await steer(1, 'digits', { digits: '12#' })).body).toMatchObject({ sent: true });
  });

  it('is heard, joined with a person whom that process has dialled, and ended through it', async () => {
    const url = fleet.service(1).streamUrl.replace(/\/ws\/stream.*/, `/ws/calls/${id}`);
    const listener = await SocketClient.open(`${url}/listen`, { headers: { 'x-api-key': SERVICE_KEY } });
    await listener.until(() => listener.sound.length > 10_000);
    expect(listener.texts[0]).toMatchObject({ type: 'format', channels: 2 });
    // Refused as there: nobody has taken the call over.
    await expect(SocketClient.open(`${url}/speak?token=${SERVICE_KEY}`)).rejects.toThrow('409');
    expect((await steer(1, 'take-over')).body).toMatchObject({ mode: 'operator' });
    const speaker = await SocketClient.open(`${url}/speak`, {}, ['bearer', SERVICE_KEY]);
    speaker.say({ type: 'start', sample_rate: 8_000 });
    speaker.socket.close();
    // A page that is gone leaves nobody with silence.
    await once(async () => expect((await steer(1, 'mute')).body).toMatchObject({ mode: 'muted' }));
    await steerWell(1, 'unmute');

    const { request } = fleet.service(1);
    const wish = { to_number: AGREES, mode: 'warm', briefing: 'Ada is here.' };
    expect((await steer(1, 'transfer', wish)).body).toMatchObject({ mode: 'held' });
    const joined = await once(async () => {
      const { body } = await steer(1, 'whisper');
      expect(body).toMatchObject({ mode: 'joined' });
      return body as { socket: string };
    });
    expect(joined.socket).toBe(`/ws/calls/${id}/whisper`);
    const [leg] = (await told(request, `/api/calls?parent_call_id=${id}`, callList)).data;
    expect(leg).toMatchObject({ status: 'active' });

    const sinceMs = systemClock.monotonicMs();
    expect((await steer(1, 'disconnect')).body).toMatchObject({
      message: 'call has ended',
      ended_reason: 'api_disconnect',
    });
    process.stdout.write(`disconnected after ${Math.round(systemClock.monotonicMs() - sinceMs)} ms\n`);
    expect(await listener.closed).toMatchObject({ code: 1000 });
    expect(listener.texts.at(-1)).toEqual({ type: 'ended' });
    for (const call of [id, leg!.call_id]) await callOnce(request, call);
  });
});
