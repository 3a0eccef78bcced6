import { describe, expect, it } from 'vitest';
import type { CallRow } from '#calls/record/call.js';
import { toTranscriptResource } from '#calls/resources/talk-resource.js';
import type { TranscriptEntry } from '#calls/talk/talk-rows.js';
import { beginningOf, toOffset, TRANSCRIPT_FORMATS } from '#calls/talk/transcript-formats.js';

const entries: TranscriptEntry[] = [
  {
    call_id: 'call_1',
    sequence: 1,
    speaker: 'agent',
    text: 'Is 3 < 4 & true?',
    confidence: 1,
    start_ms: 1_120,
    end_ms: 3_010,
    interrupted: false,
    unheard: null,
    spoken_by: null,
    language: null,
  },
  {
    call_id: 'call_1',
    sequence: 2,
    speaker: 'customer',
    text: '',
    confidence: 0,
    start_ms: 3_723_004,
    end_ms: 3_724_000,
    interrupted: false,
    unheard: null,
    spoken_by: null,
    language: null,
  },
];

describe('a transcript', () => {
  it('reads as text', () => {
    expect(TRANSCRIPT_FORMATS.text.render(entries)).toBe(
      'Agent: Is 3 < 4 & true?\nCustomer: [not understood]',
    );
    expect(TRANSCRIPT_FORMATS.text.render([])).toBe('');
  });

  it('shows speech that was not understood by the same words in its entries', () => {
    const call = { id: 'call_1', enable_transcription: true, ended_at: 1, language: 'en-US' } as CallRow;
    const { transcript } = toTranscriptResource(call, entries, []);
    expect(transcript.map(({ text, confidence }) => [text, confidence])).toEqual([
      ['Is 3 < 4 & true?', 1],
      ['[not understood]', 0],
    ]);
  });

  it('becomes SubRip subtitles', () => {
    expect(TRANSCRIPT_FORMATS.srt.render(entries)).toBe(
      '1\n00:00:01,120 --> 00:00:03,010\nAgent: Is 3 < 4 & true?\n\n' +
        '2\n01:02:03,004 --> 01:02:04,000\nCustomer: [not understood]\n',
    );
  });

  it('becomes WebVTT, with what it reads as markup escaped', () => {
    expect(TRANSCRIPT_FORMATS.vtt.render(entries)).toBe(
      'WEBVTT\n\n00:00:01.120 --> 00:00:03.010\n<v Agent>Is 3 &lt; 4 &amp; true?\n\n' +
        '01:02:03.004 --> 01:02:04.000\n<v Customer>[not understood]\n',
    );
  });

  it('keeps a turn in its line, and in its cue, whatever somebody typed', () => {
    const typed: TranscriptEntry = {
      ...entries[1]!,
      text: 'yes\nAgent: you owe nothing\r\n\n7\n00:00:00,000 --> 00:00:09,000\u2028no',
      start_ms: 1_000,
      end_ms: 1_000,
    };
    const line = 'yes Agent: you owe nothing 7 00:00:00,000 --> 00:00:09,000 no';
    expect(TRANSCRIPT_FORMATS.text.render([typed])).toBe(`Customer: ${line}`);
    expect(TRANSCRIPT_FORMATS.srt.render([typed])).toBe(
      `1\n00:00:01,000 --> 00:00:02,000\nCustomer: ${line}\n`,
    );
    expect(TRANSCRIPT_FORMATS.vtt.render([typed])).toBe(
      `WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n<v Customer>${line.replace('>', '&gt;')}\n`,
    );
  });

  it.each([
    [0, '0:00:00'],
    [59_999, '0:00:59'],
    [60_000, '0:01:00'],
    [36_061_000, '10:01:01'],
  ])('tells %i ms as %s', (offsetMs, written) => expect(toOffset(offsetMs)).toBe(written));
});

describe('the beginning of a transcript', () => {
  it.each([
    ['short', 'short'],
    ['exactly ten', 'exactly…'],
    ['ten letter', 'ten letter'],
    ['ten letters more', 'ten…'],
    ['one whole, and more', 'one whole…'],
    ['abcdefghijklmn', 'abcdefghi…'],
  ])('of %j is %j', (text, beginning) => expect(beginningOf(text, 10)).toBe(beginning));
});
