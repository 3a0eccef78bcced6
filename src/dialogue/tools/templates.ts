/*
 * Templates of a customer's HTTP tool: `{{secret.name}}` and `{{variable|default}}` in its address and headers, and
 * `{argument}` in its address. The headers of custom model servers use `{{secret.name}}` too.
 */

/** A secret: `{{secret.crm_key}}`. */
const SECRET = /\{\{\s*secret\.([a-zA-Z][a-zA-Z0-9_-]{0,63})\s*\}\}/g;
/** A variable, with or without a default: `{{order_id}}` or `{{order_id|none}}`. */
const VARIABLE = /\{\{\s*([a-zA-Z][a-zA-Z0-9_]{0,63})\s*(?:\|([^{}]*))?\}\}/g;
/** An argument of the model's tool call as a part of the address: `/slots/{day}`. */
const ARGUMENT = /\{([a-zA-Z_][a-zA-Z0-9_]*)\}/g;

/**
 * A path segment `.` or `..`. An HTTP client removes it, and for `..` also the segment before it. Escaping a value does
 * not change its dots.
 */
const DOT_SEGMENT = /\/\.{1,2}(?=[/?#]|$)/;

/** The values of a template. */
export interface TemplateValues {
  secrets: Readonly<Record<string, string>>;
  variables: Readonly<Record<string, string>>;
}

/** The names of the secrets that some texts contain. */
export function secretsIn(texts: Iterable<string>): string[] {
  return [...new Set([...texts].flatMap((text) => [...text.matchAll(SECRET)].map((match) => match[1]!)))];
}

/** The problem of a template, for a validation error; null if there is none. */
export function templateProblem(text: string): string | null {
  const rest = text.replace(SECRET, '').replace(VARIABLE, '');
  return /\{\{|\}\}/.test(rest)
    ? 'holds braces that make no variable such as {{name}} or {{secret.name}}'
    : null;
}

/** Fills a header. @throws Error if the filled header contains a line break or NUL */
export function fillHeader(text: string, { secrets, variables }: TemplateValues): string {
  const filled = text
    .replace(SECRET, (_, name: string) => secrets[name] ?? '')
    .replace(VARIABLE, (_, name: string, fallback?: string) => valueOf(variables, name, fallback));
  if (/[\r\n\0]/.test(filled)) throw new Error('a header would hold a line break');
  return filled;
}

/**
 * Fills an address; every value is escaped, and `used` contains the names of the arguments in it.
 * @throws Error if a value makes a dot segment, as `..` does in `/slots/{day}/free`: the path would change
 */
export function fillUrl(
  text: string,
  { secrets, variables }: TemplateValues,
  args: Readonly<Record<string, unknown>>,
): { url: string; used: ReadonlySet<string> } {
  const used = new Set<string>();
  const url = text
    .replace(SECRET, (_, name: string) => encodeURIComponent(secrets[name] ?? ''))
    .replace(VARIABLE, (_, name: string, fallback?: string) =>
      encodeURIComponent(valueOf(variables, name, fallback)),
    )
    .replace(ARGUMENT, (_, name: string) => {
      used.add(name);
      return encodeURIComponent(Object.hasOwn(args, name) ? asText(args[name]) : '');
    });
  if (DOT_SEGMENT.test(url) && !DOT_SEGMENT.test(text))
    throw new Error('a value would change the path of the address');
  return { url, used };
}

/** A value as text: null and undefined are empty, and anything else but a string is written as JSON. */
export function asText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The value of a variable; the fallback if the variable is missing or empty. */
function valueOf(variables: Readonly<Record<string, string>>, name: string, fallback = ''): string {
  return (Object.hasOwn(variables, name) ? variables[name] : '') || fallback.trim();
}
