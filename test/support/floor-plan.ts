/**
 * Who may import whom, and why: downwards only. A right is given to a room, or to one file of it. Every room may use
 * itself and `kernel`; the root of `src` (the process and the composition root) may use every room, and no room may
 * use the root.
 */
export const RIGHTS: Record<string, Record<string, string>> = {
  kernel: {},
  store: {},
  events: { store: 'an event is a row of the outbox' },
  housekeeping: { store: 'up to when things were forgotten is a row' },
  media: {},
  speech: { media: 'speech is samples at a rate' },
  access: {
    store: 'keys, tokens and kept answers are rows',
    housekeeping: 'what has expired is forgotten by slices',
  },
  agents: {
    store: 'agents and numbers are rows',
    speech: 'an agent names its providers and carries a playbook',
    access: 'an agent belongs to a workspace',
  },
  policy: {
    store: 'the suppression list and what was decided are rows',
    housekeeping: 'old decisions are forgotten by slices',
    access: 'the answer to a repeated request is kept with what it did',
  },
  telephony: {
    media: 'the callees of the sandbox send and receive sound',
    speech: 'the callees of the sandbox talk',
  },
  conversation: {
    media: 'a conversation is samples in and frames out',
    speech: 'it hears, thinks and speaks through the three ports',
  },
  config: {
    policy: 'calling hours and attempt limits are settings',
    telephony: 'carriers and the sandbox network declare settings of their own',
  },
  calls: {
    store: 'calls are rows',
    housekeeping: 'old calls are found by walking through them',
    events: 'what happens to a call is announced in the same transaction',
    access: 'a socket carries a call by the right of somebody',
    agents: 'somebody has to answer',
    policy: 'whether a number may be dialled is asked in the same transaction',
    telephony: 'a call is placed with a carrier',
    conversation: 'an answered call becomes a conversation',
    media: 'a call is recorded',
    speech: 'a talk is summed up',
  },
  schedules: {
    store: 'schedules and their executions are rows',
    housekeeping: 'old schedules are found by walking through them',
    events: 'a run is told to whoever asked, in the same transaction',
    access: 'the answer of a request that may be repeated is kept',
    agents: 'somebody has to talk',
    policy: 'what it says to a plan is kept, and who may not be called is planned no longer',
    calls: 'every attempt of a run is a call',
  },
  batches: {
    store: 'batches and their numbers are rows',
    housekeeping: 'calls that a batch still needs are passed over',
    events: 'what happens to a batch is announced in the same transaction',
    access: 'the answer of a request that may be repeated is kept',
    agents: 'somebody has to talk',
    policy: 'a number is called when it may be',
    calls: 'every attempt at a number is a call',
    schedules: 'a handle may name a schedule; attempts follow the same rules',
  },
  webhooks: {
    store: 'registrations and deliveries are rows',
    housekeeping: 'old events are forgotten by slices',
    events: 'a delivery carries an event of the outbox',
    access: 'the answer of a request that may be repeated is kept',
  },
  http: {
    store: 'lists are pages with a cursor; replayed answers are rows',
    access: 'requests carry credentials',
    agents: 'the interface to agents and numbers',
    calls: 'the interface to calls',
    policy: 'the interface to the suppression list and to what was decided',
    telephony: 'carriers send their requests over HTTP',
    schedules: 'the interface to schedules',
    batches: 'the interface to batches',
    events: 'what can be subscribed to',
    webhooks: 'the interface to webhooks',
  },
  ws: {
    access: 'sockets carry credentials',
    calls: 'a socket is bound to a live call',
    conversation: 'a socket is the line of a conversation',
    media: 'a socket speaks a stream protocol',
  },
  commands: {
    access: 'keys can be made without a running service',
    store: 'the database can be brought up to date, copied and restored',
    batches: 'after a restore those that were under way are held',
    calls: 'after a restore those that were due are not dialled',
    schedules: 'after a restore runs that were due are over',
    speech: 'the doctor speaks and listens',
    config: 'commands follow the same settings as the service',
    demo: 'the demonstration can be had alone',
    app: 'the demonstration needs the whole house',
    webhooks: 'a receiver to try with checks signatures as receivers do',
  },
};

/**
 * The floors of a room that has them, from the ground up, and what is done on each. A floor may use those below it;
 * what lies beside them, at the top, may use all of them and is used by none.
 */
export const FLOORS: Record<string, Record<string, string>> = {
  calls: {
    record: 'a call as a row, a machine and a log',
    queue: 'the rows that the dialler claims',
    requests: 'what was asked for, as the row to be',
    talk: 'the words of a call and its turns, kept',
    lines: 'slots, pace and the hold on a line at its carrier',
    recordings: 'where the sound of a call lies',
    'after-call': 'durable jobs: finish the recording, analyse',
    endings: 'every way in which a call ends, once',
    live: 'calls with sound: sessions, streams, transfers, keys',
    inbound: 'calls that come in',
    reports: 'what carriers tell of calls',
    dialling: 'claim, dial, reconcile',
    watch: 'limits without audio, and processes that died',
    resources: 'calls on the wire',
  },
  schedules: {
    recurrence: 'cron expressions and the instants they mean',
    record: 'a schedule as a row and a machine, and what was asked for',
    runs: 'what is due becomes a call, and what a call came to',
    changes: 'pause, change, stop',
    'call-backs': 'calls that were agreed on in other calls',
  },
  http: {
    problems: 'how trouble is told',
    requests: 'what routes demand, and how bodies are read',
    schemas: 'one schema checks, writes and documents',
    admission: 'who may come in, and when',
    answers: 'what every answer carries; lists, errors, repetitions',
    watch: 'the log of requests, numbers, readiness',
    openapi: 'the document of it all',
    routes: 'the table of contents of the API',
  },
  webhooks: {
    transport: 'one request to an address of somebody else, guarded',
    registrations: 'who wants to hear of what',
    deliveries: 'letters, signed, and sent until they arrive',
  },
};
