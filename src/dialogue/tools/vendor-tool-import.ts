/** A JSON object whose shape is not known yet. */
type Raw = Readonly<Record<string, unknown>>;

/** A tool definition that was converted to the shape of this service. */
export interface ImportedTool {
  tool: Raw;
  /** What is not as in the vendor's definition: names of ignored keys, and remarks in words. Shown as warnings. */
  differences: string[];
}

/** The built-in tools of this service by their `type` at Vapi (`endCall`), at Retell (`press_digit`) and here. */
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
 * Converts a tool definition of Vapi or Retell, HTTP tool or built-in tool, to the shape of this service. An HTTP tool
 * in this shape stays as it is, and so does a built-in tool without unknown keys. The result may be invalid, for
 * example with an unknown `type`: `agentTool` validates it afterwards. Used by `agentTool`, and for warnings about an
 * agent's tools.
 */
export function importTool(raw: Raw): ImportedTool {
  const type = raw['type'];
  if (type === 'function' && isObject(raw['function'])) return importVapiFunction(raw, raw['function']);
  if (type === 'custom') return importRetellFunction(raw);
  // Only an HTTP tool of this service has no type.
  if (typeof type !== 'string') return { tool: raw, differences: [] };
  const ownType = Object.hasOwn(NAME_BY_VENDOR_TYPE, type) ? NAME_BY_VENDOR_TYPE[type]! : type;
  return ownType === type && hasOwnKeysOnly(raw)
    ? { tool: raw, differences: [] }
    : importBuiltIn(raw, ownType);
}

/** True if a built-in tool has only keys of this service. */
function hasOwnKeysOnly(raw: Raw): boolean {
  return Object.keys(raw).every((key) => ['type', 'enabled', 'destinations'].includes(key));
}

/**
 * Converts an HTTP tool of Vapi (`type: "function"`). Source of the shape: https://github.com/VapiAI/docs,
 * fern/tools/custom-tools.mdx.
 */
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
    differences: [
      ...otherKeys(raw, ['type', 'function', 'server', 'messages']),
      ...otherKeys(server, ['url', 'headers', 'timeoutSeconds'], 'server.'),
      ...otherKeys(definition, ['name', 'description', 'parameters'], 'function.'),
      'the body is the arguments alone, and the whole answer is the result',
    ],
  };
}

/**
 * Converts an HTTP tool of Retell (`type: "custom"`). Source of the shape:
 * https://github.com/RetellAI/retell-typescript-sdk, src/resources/llm.ts.
 */
function importRetellFunction(raw: Raw): ImportedTool {
  const timeout = raw['timeout_ms'];
  const { query_params: query, execution_message_description: sentence } = raw;
  const saysText = raw['speak_during_execution'] === true && raw['execution_message_type'] === 'static_text';
  const copied = ['name', 'description', 'parameters', 'method', 'url', 'headers'];
  const handled = [
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
    differences: [
      ...otherKeys(raw, handled),
      ...(raw['args_at_root'] === true ? [] : ['the body is the arguments alone, as with args_at_root']),
    ],
  };
}

/**
 * Converts a built-in tool of a vendor, or one in the shape of this service that has unknown keys, which are dropped. A
 * transfer has `destinations` at Vapi and here, and one `transfer_destination` at Retell. Those of vendors keep name,
 * number and description, those of this service everything.
 * @param type the name of the tool in this service; the raw type if no such tool is known
 */
function importBuiltIn(raw: Raw, type: string): ImportedTool {
  const listed = Array.isArray(raw['destinations']) ? raw['destinations'].filter(isObject) : [];
  const ofRetell = isObject(raw['transfer_destination']) ? [raw['transfer_destination']] : [];
  const destinations = [...listed, ...ofRetell].map((destination, index) => {
    const { name, number, description } = destination;
    const spokenName = name ?? description ?? `destination ${index + 1}`;
    // Only destinations of this service have `to`.
    if ('to' in destination) return { ...destination, name: spokenName };
    return withoutUndefined({
      name: spokenName,
      to: number,
      description: typeof description === 'string' ? description : undefined,
    });
  });
  return {
    tool: withoutUndefined({
      type,
      enabled: raw['enabled'],
      destinations: destinations.length > 0 ? destinations : undefined,
    }),
    differences: otherKeys(raw, [
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

/** Appends query parameters to a URL. A value with a `{{variable}}` stays unencoded: the variable is filled later. */
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

/** The keys of an object except those that the import handles, each with the prefix `within`, such as `server.`. */
function otherKeys(raw: Raw, handled: readonly string[], within = ''): string[] {
  return Object.keys(raw)
    .filter((key) => !handled.includes(key))
    .map((key) => `${within}${key}`);
}

function withoutUndefined(raw: Raw): Raw {
  return Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== undefined));
}

function isObject(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
