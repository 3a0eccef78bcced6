import type { TranscriptEntry } from './talk-rows.js';

// Renders transcripts as text and as subtitles, and shortens them, for the route of a call's transcript, for the
// resource of a call, for lists of calls, and for events.

/** The formats of a transcript other than JSON, and their media types. */
export const TRANSCRIPT_FORMATS = {
  text: { contentType: 'text/plain; charset=utf-8', render: transcriptText },
  srt: { contentType: 'application/x-subrip; charset=utf-8', render: toSubRip },
  vtt: { contentType: 'text/vtt; charset=utf-8', render: toWebVtt },
} as const;
export type TranscriptFormat = keyof typeof TRANSCRIPT_FORMATS;

/** The names of the speakers in rendered transcripts. */
const SPEAKER_NAMES = { agent: 'Agent', customer: 'Customer' } as const;
/** The text for speech that was not understood, in API answers, rendered transcripts and events. */
const NOT_UNDERSTOOD = '[not understood]';
/** The duration of a subtitle for a typed text, which has no duration of its own. */
const TYPED_CUE_MS = 1_000;

/** The transcript as lines of `Agent: …` and `Customer: …`. */
export function transcriptText(entries: readonly TranscriptEntry[]): string {
  return entries.map(spokenLine).join('\n');
}

/** The text of an entry as it is shown: speech that was not understood is stored as an empty text. */
export function shownText(text: string): string {
  return text === '' ? NOT_UNDERSTOOD : text;
}

/** An offset from the start of the call's audio as the API writes it: `H:MM:SS`. */
export function toOffset(offsetMs: number): string {
  const { hours, minutes, seconds } = clockParts(offsetMs);
  return `${hours}:${twoDigits(minutes)}:${twoDigits(seconds)}`;
}

/** SubRip subtitles: numbered cues with their times, separated by blank lines. */
function toSubRip(entries: readonly TranscriptEntry[]): string {
  const cues = entries.map((entry, index) => `${index + 1}\n${cueTimes(entry, ',')}\n${spokenLine(entry)}\n`);
  return cues.join('\n');
}

/** WebVTT subtitles: cues with their times and the speaker as a voice tag. */
function toWebVtt(entries: readonly TranscriptEntry[]): string {
  const cues = entries.map(
    (entry) => `${cueTimes(entry, '.')}\n<v ${SPEAKER_NAMES[entry.speaker]}>${escapeCue(entry)}\n`,
  );
  return ['WEBVTT\n', ...cues].join('\n');
}

/** `Agent: Hello Ada.` */
function spokenLine(entry: TranscriptEntry): string {
  return `${SPEAKER_NAMES[entry.speaker]}: ${onOneLine(entry)}`;
}

/** The words on one line: line breaks in a typed text would look like other turns or cues. */
function onOneLine({ text }: TranscriptEntry): string {
  return shownText(text.replace(/\s+/g, ' ').trim());
}

/** The words with `&`, `<` and `>` escaped, which WebVTT reads as markup. */
function escapeCue(entry: TranscriptEntry): string {
  return onOneLine(entry).replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

/** `00:00:01,120 --> 00:00:03,010`, with the decimal sign of the format. */
function cueTimes(entry: TranscriptEntry, decimalSign: ',' | '.'): string {
  // A typed text has no duration, but a cue must have one (WebVTT, 4.1).
  const endMs = entry.end_ms > entry.start_ms ? entry.end_ms : entry.start_ms + TYPED_CUE_MS;
  return `${cueTime(entry.start_ms, decimalSign)} --> ${cueTime(endMs, decimalSign)}`;
}

function cueTime(offsetMs: number, decimalSign: ',' | '.'): string {
  const { hours, minutes, seconds, milliseconds } = clockParts(offsetMs);
  const thousandths = String(milliseconds).padStart(3, '0');
  return `${twoDigits(hours)}:${twoDigits(minutes)}:${twoDigits(seconds)}${decimalSign}${thousandths}`;
}

/** Splits milliseconds into hours, minutes, seconds and the rest. */
function clockParts(offsetMs: number) {
  const seconds = Math.floor(offsetMs / 1000);
  return {
    hours: Math.floor(seconds / 3600),
    minutes: Math.floor(seconds / 60) % 60,
    seconds: seconds % 60,
    milliseconds: Math.floor(offsetMs % 1000),
  };
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

/** The beginning of a text, at most `characters` long. A longer text is cut at a word and ends with an ellipsis. */
export function beginningOf(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const start = text.slice(0, characters - 1);
  const isCutBetweenWords = /[\s\p{P}]/u.test(text[characters - 1] ?? '');
  const end = isCutBetweenWords ? start.length : start.search(/\s\S*$/);
  // A text without a space is cut within its only word.
  return `${(end > 0 ? start.slice(0, end) : start).trimEnd()}…`;
}
