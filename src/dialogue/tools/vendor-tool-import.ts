/** A JSON object whose shape is not known yet. */
type Raw = Readonly<Record<string, unknown>>;

/** A tool definition in the shape of this service, and descriptions of the parts that could not be carried over. */
export interface ImportedTool {
  tool: Raw;
  lost: string[];
}

/** The built-in tools of this service, by their names at Vapi, at Retell and here. */
const NAME_BY_VENDOR_TYPE: Readonly<Record<string, string>> = {
  endCall: 'end_call',
  end_call: 'end_call',
  transferCall: 'transfer',
  transfer_call: 'transfer',
  transfer: 'transfer',
  dtmf: 'press_keys',
  press_digit: 'press_keys',
  press_keys: 'press_keys',
  call_back: 'call_back',
  do_not_call: 'do_not_call',
  leave_message: 'leave_message',
  note: 'note',
};
/** Limits of a tool's timeout in this service. */
const TIMEOUT_LIMITS_MS = { least: 1_000, most: 30_000 };

/**
 * Converts a tool definition of Vapi (`function` with a `server`) or Retell (`custom`, or a built-in tool) to the shape
 * of this service. A definition in this shape stays as it is. Used by `agentTool` and for warnings about an agent's
 * tools.
 */
export function importTool(raw: Raw): ImportedTool {
  const type = raw['type'];
  if (type === 'function' && isObject(raw['function'])) return importVapiFunction(raw, raw['function']);
  if (type === 'custom') return importRetellFunction(raw);
  if (typeof type !== 'string') return { tool: raw, lost: [] };
  const ownType = Object.hasOwn(NAME_BY_VENDOR_TYPE, type) ? NAME_BY_VENDOR_TYPE[type]! : type;
  return ownType === type && isOwnBuiltIn(raw) ? { tool: raw, lost: [] } : importBuiltIn(raw, ownType);
}

/** True if a built-in tool has only fields of this service. */
function isOwnBuiltIn(raw: Raw): boolean {
  return Object.keys(raw).every((key) => ['type', 'enabled', 'destinations'].includes(key));
}

/** Converts a function of Vapi. Source of the shape: https://github.com/VapiAI/docs, fern/tools/custom-tools.mdx. */
function importVapiFunction(raw: Raw, definition: Raw): ImportedTool {
  const server = isObject(raw['server']) ? raw['server'] : {};
  const sayWhile = sentencesIn(raw['messages'], ['request-start', 'request-response-delayed']);
  const timeout = server['timeoutSeconds'];
  return {
    tool: withoutUndefined({
      name: definition['name'],
      description: definition['description'],
      parameters: definition['parameters'],
      url: server['url'],
      headers: server['headers'],
      timeout_ms: typeof timeout === 'number' ? withinLimits(timeout * 1_000) : undefined,
      say_while: sayWhile.length > 0 ? sayWhile : undefined,
    }),
    lost: [
      ...unknownKeys(raw, ['type', 'function', 'server', 'messages']),
      ...unknownKeys(server, ['url', 'headers', 'timeoutSeconds'], 'server.'),
      ...unknownKeys(definition, ['name', 'description', 'parameters'], 'function.'),
      'the body is the arguments alone, and the whole answer is the result',
    ],
  };
}

/**
 * Converts a custom tool of Retell. Source of the shape: https://github.com/RetellAI/retell-typescript-sdk,
 * src/resources/llm.ts.
 */
function importRetellFunction(raw: Raw): ImportedTool {
  const timeout = raw['timeout_ms'];
  const { query_params: query, execution_message_description: sentence } = raw;
  const saysText = raw['speak_during_execution'] === true && raw['execution_message_type'] === 'static_text';
  const copied = ['name', 'description', 'parameters', 'method', 'url', 'headers'];
  const known = [
    ...copied,
    'type',
    'timeout_ms',
    'query_params',
    'response_variables',
    'speak_during_execution',
    'execution_message_type',
    'execution_message_description',
    'args_at_root',
  ];
  return {
    tool: withoutUndefined({
      ...Object.fromEntries(copied.map((key) => [key, raw[key]])),
      url: isObject(query) && typeof raw['url'] === 'string' ? withQuery(raw['url'], query) : raw['url'],
      timeout_ms: typeof timeout === 'number' ? withinLimits(timeout) : undefined,
      save: raw['response_variables'],
      say_while: saysText && typeof sentence === 'string' ? [sentence] : undefined,
    }),
    lost: [
      ...unknownKeys(raw, known),
      ...(raw['args_at_root'] === true ? [] : ['the body is the arguments alone, as with args_at_root']),
    ],
  };
}

/**
 * Converts a built-in tool in a vendor's shape, or with unknown fields. Vapi lists the `destinations` of a transfer;
 * Retell has one `transfer_destination`.
 * @param type the name of the tool in this service
 */
function importBuiltIn(raw: Raw, type: string): ImportedTool {
  const ofVapi = Array.isArray(raw['destinations']) ? raw['destinations'].filter(isObject) : [];
  const ofRetell = isObject(raw['transfer_destination']) ? [raw['transfer_destination']] : [];
  const destinations = [...ofVapi, ...ofRetell].map((destination, index) =>
    withoutUndefined({
      name: destination['name'] ?? destination['description'] ?? `destination ${index + 1}`,
      to: destination['to'] ?? destination['number'],
      description: typeof destination['description'] === 'string' ? destination['description'] : undefined,
    }),
  );
  return {
    tool: withoutUndefined({
      type,
      enabled: raw['enabled'],
      destinations: destinations.length > 0 ? destinations : undefined,
    }),
    lost: unknownKeys(raw, [
      'type',
      'enabled',
      'destinations',
      'transfer_destination',
      'name',
      'description',
    ]),
  };
}

/** The texts of Vapi's `messages` of these types. */
function sentencesIn(messages: unknown, types: readonly string[]): string[] {
  if (!Array.isArray(messages)) return [];
  return messages.flatMap((message: unknown) => {
    const isWanted = isObject(message) && types.includes(String(message['type']));
    return isWanted && typeof message['content'] === 'string' ? [message['content']] : [];
  });
}

/** Appends query parameters to an URL. A value with a `{{variable}}` stays unencoded, to be filled in later. */
function withQuery(url: string, query: Raw): string {
  const parts = Object.entries(query).map(
    ([name, value]) =>
      `${encodeURIComponent(name)}=${String(value).includes('{{') ? String(value) : encodeURIComponent(String(value))}`,
  );
  return parts.length === 0 ? url : `${url}${url.includes('?') ? '&' : '?'}${parts.join('&')}`;
}

function withinLimits(ms: number): number {
  return Math.round(Math.min(TIMEOUT_LIMITS_MS.most, Math.max(TIMEOUT_LIMITS_MS.least, ms)));
}

/** The keys that were not carried over. */
function unknownKeys(raw: Raw, known: readonly string[], within = ''): string[] {
  return Object.keys(raw)
    .filter((key) => !known.includes(key))
    .map((key) => `${within}${key}`);
}

function withoutUndefined(raw: Raw): Raw {
  return Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== undefined));
}

function isObject(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
