import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordingResource } from '#calls/resources/recording-resource.js';
import { callMetricsResource } from '#calls/resources/talk-metrics.js';
import { told, wordsOf } from '#test/support/call-story.js';
import { buildTestService, TEST_KEY, type TestService } from '#test/support/test-service.js';
import { keptEvents } from '#test/support/kept-events.js';
import { loudStretches, readStereoWav, spanned, type StereoSound } from '#test/support/wav.js';
import { VirtualClock } from '#test/support/virtual-clock.js';
import { callEverybody, NAME, personaNumbered, scriptOf, UNLISTED, type Story } from './sandbox-calls.js';

const TOLERANCE_MS = 150;

let service: TestService;
let stories: Map<string, Story>;
let confirming: Story;
let wav: Buffer;
let sound: StereoSound;

beforeAll(async () => {
  service = await buildTestService({ time: new VirtualClock() });
  stories = await callEverybody(service);
  confirming = stories.get(personaNumbered(1).number)!;
  wav = await fetched(confirming.call.recording_url!);
  sound = readStereoWav(wav);
});

afterAll(() => service?.close());

describe('a call that is spoken by both sides', () => {
  it('goes through five turns and is hung up by the agent, with what the customer said understood', () => {
    const { call, entries } = confirming;
    expect(call).toMatchObject({ status: 'completed', ended_reason: 'agent_hangup', error: null });
    expect(entries.filter(({ speaker }) => speaker === 'agent').length).toBeGreaterThanOrEqual(5);
    const heard = entries.filter(({ speaker }) => speaker === 'customer');
    expect(heard.map(({ text }) => wordsOf(text))).toEqual(scriptOf(1));
    for (const { confidence } of heard) expect(confidence).toBeGreaterThan(0.5);
    expect(entries[0]!.text).toContain(`Hello ${NAME}, this is the dental clinic.`);
  });

  it('is told in the same words and times in every format', async () => {
    const { id, call, entries } = confirming;
    const read = async (format: string) =>
      (
        await fetch(`${service.baseUrl}/api/calls/${id}/transcript?format=${format}`, {
          headers: { 'x-api-key': TEST_KEY },
        })
      ).text();
    const [text, srt, vtt] = await Promise.all([read('text'), read('srt'), read('vtt')]);
    const lines = entries.map(
      ({ speaker, text: said }) => `${speaker === 'agent' ? 'Agent' : 'Customer'}: ${said}`,
    );
    expect(text.split('\n')).toEqual(lines);
    expect(call.transcript).toBe(text);

    const cues = (file: string) =>
      [...file.matchAll(/(\d+):(\d+):(\d+)[.,](\d+) --> (\d+):(\d+):(\d+)[.,](\d+)\n(.*)\n/g)].map(
        ([, h, m, s, ms, h2, m2, s2, ms2, cue]) => ({
          startMs: Number(h) * 3_600_000 + Number(m) * 60_000 + Number(s) * 1000 + Number(ms),
          endMs: Number(h2) * 3_600_000 + Number(m2) * 60_000 + Number(s2) * 1000 + Number(ms2),
          cue: cue!.replace(/^<v (\w+)>/, '$1: '),
        }),
      );
    const told = entries.map((entry, at) => ({
      startMs: entry.start_ms,
      endMs: entry.end_ms,
      cue: lines[at],
    }));
    expect(cues(srt)).toEqual(told);
    expect(vtt).toMatch(/^WEBVTT\n\n/);
    expect(cues(vtt)).toEqual(told);
  });

  it('is recorded in stereo, each voice on its own channel at the times of the transcript', () => {
    expect(sound.sampleRateHz).toBe(8000);
    expect(sound.saidDurationMs).toBe(sound.durationMs);
    expect(Math.abs(sound.durationMs / 1000 - confirming.call.duration)).toBeLessThanOrEqual(1.5);
    for (const speaker of ['agent', 'customer'] as const) {
      const stretches = loudStretches(sound[speaker], sound.sampleRateHz);
      const other = loudStretches(sound[speaker === 'agent' ? 'customer' : 'agent'], sound.sampleRateHz);
      const entries = confirming.entries.filter((entry) => entry.speaker === speaker);
      for (const { start_ms: fromMs, end_ms: toMs, text } of entries) {
        const heard = spanned(stretches, { fromMs: fromMs - TOLERANCE_MS, toMs: toMs + TOLERANCE_MS })!;
        expect(Math.abs(heard.fromMs - fromMs), `start of "${text}"`).toBeLessThanOrEqual(TOLERANCE_MS);
        expect(Math.abs(heard.toMs - toMs), `end of "${text}"`).toBeLessThanOrEqual(TOLERANCE_MS);
        expect(spanned(other, { fromMs, toMs }), `the other side in "${text}"`).toBeNull();
      }
      // Nothing is to be heard that the transcript does not tell.
      const untold = stretches.filter(
        (stretch) =>
          !entries.some(
            (e) => stretch.fromMs > e.start_ms - TOLERANCE_MS && stretch.toMs < e.end_ms + TOLERANCE_MS,
          ),
      );
      expect(untold, `${speaker} outside of the transcript`).toEqual([]);
    }
  });

  it('answers as fast as its numbers say: the pauses in the recording are the response times', async () => {
    const { id, call } = confirming;
    const metrics = await told(service.request, `/api/calls/${id}/metrics`, callMetricsResource);
    const customer = loudStretches(sound.customer, sound.sampleRateHz, 500);
    const agent = loudStretches(sound.agent, sound.sampleRateHz);
    const pauses = customer.map(({ toMs }) => agent.find(({ fromMs }) => fromMs > toMs)!.fromMs - toMs);
    expect(metrics.turns).toHaveLength(scriptOf(1).length);
    for (const [index, turn] of metrics.turns.entries()) {
      const { end_of_turn_ms, stt_ms, llm_first_token_ms, tts_first_byte_ms, total_ms } = turn;
      const parts = end_of_turn_ms + stt_ms + llm_first_token_ms + tts_first_byte_ms;
      expect(total_ms - parts).toBeGreaterThanOrEqual(-3);
      expect(total_ms - parts).toBeLessThanOrEqual(100);
      expect(Math.abs(pauses[index]! - total_ms), `turn ${index + 1}`).toBeLessThanOrEqual(TOLERANCE_MS);
    }
    expect(call.metrics).toMatchObject({ speaker_changes: 8, resolution_achieved: true });
    expect(call.metrics.audio_quality).toBeGreaterThan(0.9);
    // What recognition takes is no virtual time; the tour of the README shows that it is measured.
    expect(call.metrics.transcription_latency_ms).toBe(0);
    expect(call.metrics.response_latency_ms).toBe(call.metrics.ai_response_time);
    expect(call.metrics.response_latency_ms).toBeGreaterThanOrEqual(300);
    expect(metrics.p50_response_ms).toBeLessThan(2_000);
  });

  it('announces every state once and in order, then what became of it', () => {
    const events = keptEvents(service.dataDir, confirming.id);
    const types = events.map(({ event_type }) => event_type);
    expect(types.slice(0, 4)).toEqual([
      'call.initiated',
      'call.connected',
      'call.in_progress',
      'call.completed',
    ]);
    expect(types.slice(4).toSorted()).toEqual([
      'call.analysis_complete',
      'call.recording_ready',
      'call.summary_ready',
      'call.transcript_ready',
    ]);
    expect(new Set(events.map(({ webhook_id }) => webhook_id)).size).toBe(events.length);
    expect(events[3]!.data).toMatchObject({ id: confirming.id, status: 'completed', direction: 'outbound' });
    const ready = events.find(({ event_type }) => event_type === 'call.transcript_ready')!.data;
    expect(ready).toMatchObject({ call_id: confirming.id, summary: confirming.call.summary });
    expect(ready['transcript']).toBe(confirming.call.transcript);
  });

  it('is summed up', () => {
    expect(confirming.call.summary).toMatch(new RegExp(`${NAME} confirmed the appointment.*morning`));
    expect(confirming.call.analysis).toMatchObject({
      intent: 'confirm_appointment',
      resolution_achieved: true,
    });
  });
});

describe('its recording', () => {
  it('can be fetched in ranges by its signed address, and by no other', async () => {
    const url = confirming.call.recording_url!;
    const recording = await told(service.request, `/api/calls/${confirming.id}/recording`, recordingResource);
    expect(recording).toMatchObject({
      size_bytes: wav.length,
      format: 'wav',
      channels: 2,
      sample_rate: 8000,
    });
    expect(recording.duration).toBe(Math.floor(sound.durationMs / 1000));
    const part = async (range: string) => {
      const answer = await fetch(url, { headers: { range } });
      const bytes = Buffer.from(await answer.arrayBuffer());
      return { status: answer.status, contentRange: answer.headers.get('content-range'), bytes };
    };
    const pieces: Buffer[] = [];
    for (let at = 0; at < wav.length; at += 100_000) {
      const end = Math.min(at + 99_999, wav.length - 1);
      const { status, contentRange, bytes } = await part(`bytes=${at}-${end}`);
      expect([status, contentRange]).toEqual([206, `bytes ${at}-${end}/${wav.length}`]);
      pieces.push(bytes);
    }
    expect(Buffer.concat(pieces).equals(wav)).toBe(true);
    expect((await part('bytes=-1000')).bytes.equals(wav.subarray(-1000))).toBe(true);
    const whole = await part(`bytes=-${wav.length + 1}`);
    expect([whole.status, whole.contentRange]).toEqual([206, `bytes 0-${wav.length - 1}/${wav.length}`]);
    expect(whole.bytes.equals(wav)).toBe(true);
    const beyond = await part(`bytes=${wav.length}-`);
    expect([beyond.status, beyond.contentRange]).toEqual([416, `bytes */${wav.length}`]);
    expect((await fetch(url.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')))).status).toBe(401);
    expect((await fetch(url.replace(/\?.*/, ''))).status).toBe(401);
  });
});

/** How each of the others ends, by the last digit of the number. */
const ENDS: [number, { status: string; ended_reason: string; fault: string | null }][] = [
  [2, { status: 'completed', ended_reason: 'agent_hangup', fault: null }],
  [3, { status: 'completed', ended_reason: 'silence_timeout', fault: null }],
  [4, { status: 'completed', ended_reason: 'customer_hangup', fault: null }],
  [5, { status: 'failed', ended_reason: 'busy', fault: 'callee' }],
  [6, { status: 'failed', ended_reason: 'no_answer', fault: 'callee' }],
  [7, { status: 'failed', ended_reason: 'rejected', fault: 'callee' }],
  [8, { status: 'failed', ended_reason: 'invalid_number', fault: 'caller' }],
  [9, { status: 'completed', ended_reason: 'customer_hangup', fault: null }],
];

describe('the others in the sandbox network', () => {
  it.each(ENDS)('…%i ends as it must, announced once', (digit, end) => {
    const { call, eventTypes } = stories.get(personaNumbered(digit).number)!;
    expect(call).toMatchObject(end);
    const states = eventTypes.filter((type) => !/_(ready|complete)$/.test(type));
    const answered = digit <= 4 || digit === 9;
    expect(states).toEqual([
      'call.initiated',
      ...(answered ? ['call.connected', 'call.in_progress'] : []),
      `call.${end.status}`,
    ]);
  });

  it('who declines is understood', () => {
    const { call, entries } = stories.get(personaNumbered(2).number)!;
    const heard = entries.filter(({ speaker }) => speaker === 'customer');
    expect(heard.map(({ text }) => wordsOf(text))).toEqual(scriptOf(2));
    expect(call.metrics.resolution_achieved).toBe(false);
    expect(call.analysis!.intent).toBe('decline_appointment');
  });

  it('who stays silent is asked whether somebody is there, then let go', () => {
    const { call, entries } = stories.get(personaNumbered(3).number)!;
    expect(entries.map(({ speaker }) => speaker)).not.toContain('customer');
    const asked = entries.filter(({ text }) => text.includes('still there'));
    expect(asked.length).toBeGreaterThanOrEqual(1);
    expect(call.summary).toContain('the customer said nothing');
  });

  it('who hangs up in mid-sentence cuts the sentence in the transcript, too', async () => {
    const { call, entries } = stories.get(personaNumbered(4).number)!;
    const cut = entries.at(-1)!;
    expect(cut).toMatchObject({ speaker: 'agent', interrupted: true });
    const whole = stories.get(UNLISTED)!.entries.find(({ text }) => text.startsWith(cut.text))!;
    expect(cut.text.length).toBeLessThan(whole.text.length);
    // The line is dead from there on: what is recorded of the agent ends where the sentence does.
    const { agent, sampleRateHz } = readStereoWav(await fetched(call.recording_url!));
    const lastMs = loudStretches(agent, sampleRateHz).at(-1)!.toMs;
    expect(Math.abs(lastMs - cut.end_ms)).toBeLessThanOrEqual(TOLERANCE_MS);
  });

  it('a number that nobody has talks like the first persona', () => {
    const { call, entries } = stories.get(UNLISTED)!;
    expect(call).toMatchObject({ status: 'completed', ended_reason: 'agent_hangup', to_phone: UNLISTED });
    const heard = entries.filter(({ speaker }) => speaker === 'customer');
    expect(heard.map(({ text }) => wordsOf(text))).toEqual(scriptOf(1));
  });
});

describe('the log', () => {
  it('tells of every call and holds nothing of people', () => {
    const log = JSON.stringify(service.logLines);
    expect(service.logLines.length).toBeGreaterThan(stories.size);
    const secrets = [...stories].flatMap(([number, { call, entries }]) => [
      number.slice(1),
      String(call.recording_url).replace(/.*token=/, ''),
      ...entries.map(({ text }) => text).filter((text) => text.includes(' ')),
    ]);
    expect(secrets.length).toBeGreaterThan(30);
    for (const secret of [NAME, TEST_KEY, ...secrets]) expect(log).not.toContain(secret);
  });
});

async function fetched(url: string): Promise<Buffer> {
  return Buffer.from(await (await fetch(url)).arrayBuffer());
}
