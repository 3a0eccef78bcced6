import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { LiveEvent } from '#calls/live/sessions/live-call.js';

const DOCUMENT = readFileSync(new URL('../../../docs/audio-socket.md', import.meta.url), 'utf8');
/** The events that the service sends: the compiler checks these names against the code. */
const SAID: Record<LiveEvent['type'] | 'pong', true> = {
  'session.started': true,
  'agent.state': true,
  'transcript.partial': true,
  'transcript.final': true,
  interrupted: true,
  'language.changed': true,
  'tool.called': true,
  'step.reached': true,
  'call.answered_by': true,
  'call.mode': true,
  'call.transfer': true,
  'call.ended': true,
  pong: true,
};

it('docs/audio-socket.md has every message that the service sends', () => {
  const section = /## What the service says\n(.*?)\n## /s.exec(DOCUMENT)?.[1] ?? '';
  const words = [...section.matchAll(/^\| `([a-z_.]+)` /gm)].map(([, type]) => type);
  const [heading, ...types] = words;
  expect(heading).toBe('type');
  expect(types).toEqual(Object.keys(SAID));
});
