// The tools of the clinic that agents of tests talk for.

export const FIND_SLOT = {
  name: 'find_slot',
  description: 'Free visits on a day',
  parameters: { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] },
  url: 'https://crm.example/slots',
  save: { slot: '$.slot' },
};

export const BOOK = {
  name: 'book',
  description: 'Books it',
  parameters: {
    type: 'object',
    properties: { day: { type: 'string' }, people: { type: 'integer' } },
    required: ['day'],
  },
  url: 'https://crm.example/book',
};

/** Tools that take their time, for random talks: one that is spoken over, one with a long limit, and a transfer. */
export const SLOW_TOOLS = [
  { ...FIND_SLOT, say_while: ['One moment, please.', 'I am still looking.'] },
  { name: 'book', description: 'Books it', url: 'https://crm.example/book', timeout_ms: 20_000 },
  { type: 'transfer', destinations: [{ name: 'desk', to: '+14155550100' }] },
];
