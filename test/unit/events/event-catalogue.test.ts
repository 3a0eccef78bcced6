import { describe, expect, it } from 'vitest';
import { ENDED_REASONS, type EndedReason } from '#calls/record/ended-reason.js';
import { EVENT_CATALOGUE, NOTIFICATION_CATALOGUE } from '#events/event-catalogue.js';
import { EVENT_TYPE_NAMES } from '#events/event-types.js';
import type { OpenApiDocument } from '#http/openapi/openapi-document.js';
import { withWebhooks } from '#http/openapi/openapi-webhooks.js';

const entries = [...EVENT_CATALOGUE, ...NOTIFICATION_CATALOGUE];

describe('the catalogue', () => {
  it('has the fifteen event types and the three notifications of schedules', () => {
    expect(EVENT_TYPE_NAMES).toHaveLength(15);
    expect(EVENT_CATALOGUE.map(({ type }) => type)).toEqual(EVENT_TYPE_NAMES);
    expect(NOTIFICATION_CATALOGUE.map(({ example }) => example['event'])).toEqual([
      'started',
      'completed',
      'failed',
    ]);
  });

  it.each(entries.map((entry) => [entry.type, entry] as const))(
    'gives an example of %s that is just what its schema says',
    (_type, { schema, example }) => {
      const { data } = schema.shape;
      const exact = schema.extend({ data: (data as typeof schema).strict() }).strict();

      expect(exact.parse(example)).toEqual(example);
    },
  );

  it.each(['call.completed', 'call.failed', 'call.missed'])(
    'has an example of %s with a valid ended_reason',
    (type) => {
      const { example } = EVENT_CATALOGUE.find((entry) => entry.type === type)!;
      const { status, ended_reason, error } = example['data'] as Record<string, unknown>;
      expect(ENDED_REASONS[ended_reason as EndedReason]).toMatchObject({ status, error });
    },
  );

  it('is the section `webhooks` of openapi.json, without dangling references', () => {
    const empty: OpenApiDocument = { openapi: '3.1.0', paths: {}, components: { schemas: {} } };
    const { webhooks, components } = withWebhooks(empty);

    // The last entry is no event, but the synchronous lookup for an incoming call.
    const documented = [...entries.map(({ type }) => type), 'call.incoming'];
    expect(Object.keys(webhooks!)).toEqual(documented);
    const references = JSON.stringify([webhooks, components]).matchAll(/#\/components\/schemas\/(\w+)/g);
    const names = new Set([...references].map(([, name]) => name));
    expect(names.size).toBeGreaterThanOrEqual(17);
    expect([...names].filter((name) => components.schemas![name!] === undefined)).toEqual([]);
  });
});
