import { XMLBuilder } from 'fast-xml-parser';
import type { CarrierHttpAnswer } from '#telephony/port/carrier-webhooks.js';

/** An element of call-control markup; string children are escaped text. */
export interface XmlElement {
  name: string;
  /** Undefined attributes are omitted. */
  attributes?: Readonly<Record<string, string | undefined>>;
  children?: readonly (XmlElement | string)[];
}

/** Marks attributes in the objects that the builder takes. */
const ATTRIBUTE_PREFIX = '@_';

/** The option `preserveOrder` keeps elements in sequence: the steps of a call are ordered, and verbs may repeat. */
const builder = new XMLBuilder({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: ATTRIBUTE_PREFIX,
  suppressEmptyNode: true,
  suppressBooleanAttributes: false,
});

/** An element in the form that the builder needs for `preserveOrder`. */
function toOrdered(node: XmlElement | string): object {
  if (typeof node === 'string') return { '#text': node };
  const attributes = Object.entries(node.attributes ?? {})
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [`${ATTRIBUTE_PREFIX}${name}`, value]);
  return { [node.name]: (node.children ?? []).map(toOrdered), ':@': Object.fromEntries(attributes) };
}

/**
 * Writes a `<Response>` with a carrier's verbs (TwiML, Plivo XML) as the answer to its request. Texts are escaped; they
 * must consist of characters that XML allows, which is not checked here (`spokenText` cleans them).
 */
export function xmlAnswer(elements: readonly XmlElement[]): CarrierHttpAnswer {
  const body = builder.build([toOrdered({ name: 'Response', children: elements })]);
  return {
    status: 200,
    contentType: 'application/xml; charset=utf-8',
    body: `<?xml version="1.0" encoding="UTF-8"?>${body}`,
  };
}
