import { describe, expect, it } from 'vitest';
import { changedWebhook, newWebhook } from '#webhooks/registrations/webhook-changes.js';

const AT = 1_700_000_000_000;
const URL_BEFORE = 'https://example.com/hook';
const FAILED = { failures_in_row: 12, failing_since: AT - 1, exhausted_in_row: 3, probe_at: AT + 1 };
const WELL = { failures_in_row: 0, failing_since: null, exhausted_in_row: 0, probe_at: null };

/** A failing webhook. */
const failing = {
  ...newWebhook({ url: URL_BEFORE }, { id: 'wh_1', workspace: 'default', secret: 'whsec_1', at: AT }),
  ...FAILED,
};

describe('a webhook that fails', () => {
  it.each([
    ['another address', { url: 'https://example.com/other' }],
    ['being switched on', { active: true }],
  ])('is healthy again after %s', (_what, input) => {
    expect(changedWebhook(failing, input, AT)).toMatchObject(WELL);
  });

  it.each([
    ['its own address', { url: URL_BEFORE }],
    ['another description', { description: 'ours' }],
    ['being switched off', { active: false }],
  ])('stays failing after %s', (_what, input) => {
    expect(changedWebhook(failing, input, AT)).toMatchObject(FAILED);
  });
});
