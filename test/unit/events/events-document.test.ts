import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { expect, it } from 'vitest';
import { EVENT_CATALOGUE, NOTIFICATION_CATALOGUE } from '#events/event-catalogue.js';

const DOCUMENT = readFileSync(new URL('../../../docs/events.md', import.meta.url), 'utf8');
const SECTIONS = DOCUMENT.split(/^## /m).slice(1);

it.each([...EVENT_CATALOGUE, ...NOTIFICATION_CATALOGUE].map((entry) => [entry.type, entry] as const))(
  'docs/events.md has the fields of %s',
  (type, { schema }) => {
    const section = SECTIONS.find((text) => text.split('\n')[0]!.includes(`\`${type}\``)) ?? '';
    const fields = [...section.matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name);
    expect(fields).toEqual(Object.keys((schema.shape.data as z.ZodObject).shape));
  },
);
