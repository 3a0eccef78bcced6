import { DateTime } from 'luxon';
import { expect, it } from 'vitest';
import type { PlaybookExpectation } from '../../../../src/speech/playbook/steps/playbook-expectation.js';
import { NOT_POSSIBLE } from '../../../../src/speech/playbook/values/not-possible.js';
import { readValue } from '../../../../src/speech/playbook/values/value.js';

const at = (local: string) => DateTime.fromISO(local, { zone: 'America/New_York' });

function read(text: string, expectation: PlaybookExpectation, now: DateTime, region: 'US' | 'GB' = 'US') {
  const value = readValue(text, expectation, { now, region });
  return value === NOT_POSSIBLE ? 'not possible' : value;
}

const NOW = at('2026-11-21T12:30');

it.each([
  ['John Smith speaking how can I help you', 'John Smith'],
  ["name's Bond", 'Bond'],
  ["my name's John", 'John'],
  ['they call me Al', 'Al'],
  ['people call me Al', 'Al'],
  ['just John', 'John'],
  ['just call me John', 'John'],
  ['John is fine', 'John'],
  ['John will do', 'John'],
  ['first name John last name Smith', 'John Smith'],
  ['last name Smith, first name John', 'John Smith'],
  ['John, J O H N', 'John'],
  ['Smith, S M I T H', 'Smith'],
  ['Smith s m y t h', 'Smyth'],
  ['s c o double t', 'Scott'],
  ['Mary-Jane', 'Mary-Jane'],
  ['Jean-Luc Picard', 'Jean-Luc Picard'],
  ['you are speaking with Susan Clark', 'Susan Clark'],
  ["yes, you're talking to Susan", 'Susan'],
  ['you are speaking to the wrong person', null],
  ['speaking', null],
  ['yes speaking', null],
  ['that is me', null],
  ["that's me", null],
  ['it is me', null],
  ['me', null],
  ['myself', null],
  ['nobody', null],
  ['same as before', null],
  ['good morning', null],
  ['good question', null],
  ['go away', null],
  ['sure thing', null],
  ['okay fine', null],
  ['not John, Joan', 'Joan'],
  ['John, no, Joan', 'Joan'],
  ['Joan, not John', 'Joan'],
  ['Joan with a J', 'Joan'],
  ['Will', 'Will'],
  ['Will Smith', 'Will Smith'],
  ['An', 'An'],
  ['Yes, it is Will', 'Will'],
  ['you can put it under Smith', 'Smith'],
  ['put it under Smith', 'Smith'],
  ['for Smith', 'Smith'],
  ['the reservation is for Smith', 'Smith'],
  ['ask for Maria', 'Maria'],
  ['my wife Maria', 'Maria'],
  ['anyone', null],
  ['anybody', null],
  ['driving', null],
  ['busy', null],
  ['tired', null],
  ["I'm tired", null],
  ["I'm fine", null],
  ["I'm good thanks", null],
  ["it's complicated", null],
  ["that's fine", null],
  ["that's correct", null],
  ['this is ridiculous', null],
  ['this is great', null],
  ["it's private", null],
  ["that's private", null],
  ['never mind', null],
  ['excuse me', null],
  ['great', null],
  ['perfect', null],
  ['cool', null],
  ['correct', null],
  ['exactly', null],
  ['absolutely', null],
  ['nah', null],
  ['Mike Long', 'Mike Long'],
  ['Will Smith', 'Will Smith'],
  ['I will', null],
])('%s tells the name %s', (text, name) => {
  expect(read(text, { kind: 'name' }, NOW)).toBe(name);
});
