import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { describeStates, STATES_PAGE } from '../../tools/states.mjs';

it('docs/states.md shows the life cycles that the service runs on', async () => {
  const page = readFileSync(new URL(`../../${STATES_PAGE}`, import.meta.url), 'utf8');

  expect(page).toBe(await describeStates());
});
