import { describe, expect, it } from 'vitest';
import { createPersonaLookup, PERSONAS, SANDBOX_FROM_NUMBER } from '#telephony/sandbox/personas/personas.js';

describe('the personas', () => {
  it('live at one fictional number each, with a name and a sentence about them', () => {
    expect(new Set(PERSONAS.map(({ number }) => number)).size).toBe(PERSONAS.length);
    expect(new Set(PERSONAS.map(({ name }) => name)).size).toBe(PERSONAS.length);
    for (const { number, name, description } of PERSONAS) {
      expect(number).toMatch(/^\+1555010\d{4}$/);
      expect(number).not.toBe(SANDBOX_FROM_NUMBER);
      expect(name).toMatch(/^[A-Z]/);
      expect(description).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('are reached by their numbers, and the first one by every other', () => {
    const personaAt = createPersonaLookup();
    expect(personaAt('+15550100005')?.pickup.kind).toBe('busy');
    expect(personaAt('+442071838750')).toBe(PERSONAS[0]);
    expect(personaAt('+15550100008')).toBeNull();
    expect(personaAt('tel:+15550100005')).toBeNull();
  });

  it('can be others', () => {
    const [, declines] = PERSONAS;
    expect(createPersonaLookup([declines!])('+442071838750')).toBe(declines);
    expect(createPersonaLookup([])('+442071838750')).toBeNull();
  });
});
