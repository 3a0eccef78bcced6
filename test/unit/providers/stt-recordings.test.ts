import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assemblyai } from '#providers/assemblyai/assemblyai.js';
import { deepgram } from '#providers/deepgram/deepgram.js';
import { elevenlabs } from '#providers/elevenlabs/elevenlabs.js';
import { openai } from '#providers/openai/openai.js';
import { readTranscription } from '#providers/openai-compatible/stt-transcriptions.js';
import type { ProviderDefinition } from '#providers/provider-definition.js';
import type { EmulatedServer } from '#test/support/emulators/speech/emulated-sockets.js';
import { startSttRig } from '#test/support/emulators/speech/stt-rig.js';
import { RECORDINGS_FOLDER } from '#test/support/model-recordings.js';

interface Line {
  t: number;
  dir: 'client' | 'server';
  json?: Record<string, unknown>;
}

/** Messages of ours in the scripts that end an utterance. */
const ENDS = new Set(['Finalize', 'ForceEndTurn', 'ForceEndpoint', 'input_audio_buffer.commit']);
const isEnd = ({ json }: Line) => ENDS.has(String(json?.['type'])) || json?.['commit'] === true;

/** What a server says before it takes sound. */
const isGreeting = ({ t, dir, json }: Line) =>
  dir === 'server' && (t === 0 || String(json?.['type']).startsWith('session.'));

const FLUX = { STT_MODEL: 'flux-general-en' };
const WHISPER = { STT_MODEL: 'gpt-realtime-whisper' };

const SCRIPTS: readonly [string, ProviderDefinition, Record<string, string>, string[]][] = [
  ['deepgram/listen-v1-two-finals-then-finalize', deepgram, {}, ['Yes, Tuesday at three please.']],
  ['deepgram/listen-v1-finalize-empty', deepgram, {}, ['Okay.']],
  ['deepgram/listen-v1-finalize-unanswered', deepgram, {}, ['hold on']],
  ['deepgram/flux-eager-resumed-end', deepgram, FLUX, ['I need a table for four.']],
  ['deepgram/flux-forced-end', deepgram, FLUX, ['four one five nine']],
  ['assemblyai/forced-endpoint', assemblyai, {}, ['My name is Ann.']],
  ['assemblyai/universal-streaming-turn', assemblyai, {}, ['Can you call me back?']],
  ['elevenlabs/scribe-realtime-manual-commit', elevenlabs, {}, ['I would like to cancel.']],
  ['openai-realtime/transcription-session-manual-commit', openai, WHISPER, ['Is it open on Sunday?', 'Yes.']],
];

const hasScripts = RECORDINGS_FOLDER !== null && existsSync(join(RECORDINGS_FOLDER, 'deepgram'));
const read = (file: string) => readFileSync(join(RECORDINGS_FOLDER ?? '', file), 'utf8');

/** A server that sends what a script has it send, when it is time. */
function scripted(): EmulatedServer & { key: string; vocabulary: string[] } {
  return {
    key: 'key',
    vocabulary: [],
    accept(socket) {
      played.push((line) => socket.send(line.json));
      return { onMessage: () => {}, onClose: () => {} };
    },
  };
}
const played: ((line: Line) => void)[] = [];

describe.runIf(hasScripts)('the streams that vendors describe', () => {
  it.each(SCRIPTS)('%s', async (file, definition, settings, expected) => {
    const lines = read(`${file}.jsonl`)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
    played.length = 0;
    const rig = startSttRig(definition, scripted, settings);
    const opening = rig.open();
    const later = lines.filter((line) => line.t > 0 && !isGreeting(line));
    for (const line of lines.filter(isGreeting)) {
      await rig.clock.advance(5);
      played[0]!(line);
    }
    const { session, wait } = await opening;
    const words: Promise<string>[] = [];
    const finish = () => words.push(session.finish().then(({ text }) => text));
    let atMs = 0;
    const sound = new Int16Array(160).fill(3_000);
    for (const line of later) {
      for (; atMs < line.t; atMs += 20) {
        if (words.length < expected.length) session.push(sound);
        await rig.clock.advance(20);
      }
      if (line.dir === 'client' && isEnd(line)) finish();
      else if (line.dir === 'server' && line.json) played.at(-1)!(line);
    }
    await wait(100);
    if (words.length === 0) finish();
    expect(await rig.during(Promise.all(words))).toEqual(expected);
  });

  it('a number that is said in pieces is one utterance, whose finals are all of it', async () => {
    const told = read('deepgram/listen-v1-credit-card.jsonl')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { start: number; end: number; transcript: string });
    played.length = 0;
    const rig = startSttRig(deepgram, scripted);
    const { session, partials } = await rig.open();
    const say = async (message: { start: number; end: number; transcript: string }, extra = {}) => {
      const { start, end, transcript } = message;
      const channel = { alternatives: [{ transcript, confidence: 0.9 }] };
      const json = { type: 'Results', ...message, duration: end - start, channel, ...extra };
      played[0]!({ t: 0, dir: 'server', json });
      await rig.clock.advance(5);
    };
    for (let atMs = 0; atMs < 8_100; atMs += 20) session.push(new Int16Array(160).fill(3_000));
    await rig.clock.advance(9_000);
    for (const message of told) await say(message);
    const words = session.finish();
    await rig.clock.advance(5);
    await say({ start: 8.09, end: 8.12, transcript: '' }, { is_final: true, from_finalize: true });
    const whole =
      'yeah so my credit card number is two two two two three three three three four four four four five five five five';
    expect((await words).text).toBe(whole);
    expect(partials.at(-1)).toBe(whole);
    // What an interim heard beyond the final that follows comes again, and is not said twice meanwhile.
    expect(partials).not.toContainEqual(expect.stringContaining('two two two two two'));
  });

  it('an answer of Whisper', () => {
    const answer = JSON.parse(read('openai-audio/transcription-verbose.json')) as Record<string, unknown>;
    const heard = readTranscription(answer);
    expect(heard.text).toMatch(/^Galileo was an American robotic space program/);
    expect(heard.words).toHaveLength(5);
  });
});
