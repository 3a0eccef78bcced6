import { XMLBuilder } from 'fast-xml-parser';
import type { CarrierHttpAnswer } from '#telephony/port/carrier-webhooks.js';

/** An element of a call document; strings among its children are text, and are escaped. */
export interface XmlElement {
  name: string;
  /** Those that are undefined are left out. */
  attributes?: Readonly<Record<string, string | undefined>>;
  children?: readonly (XmlElement | string)[];
}

const ATTRIBUTE_PREFIX = '@_';

/** `preserveOrder`: the steps of a call are a sequence, and a greeting may come after a transfer. */
const builder = new XMLBuilder({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: ATTRIBUTE_PREFIX,
  suppressEmptyNode: true,
  suppressBooleanAttributes: false,
});

function toOrdered(node: XmlElement | string): object {
  if (typeof node === 'string') return { '#text': node };
  const attributes = Object.entries(node.attributes ?? {})
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [`${ATTRIBUTE_PREFIX}${name}`, value]);
  return { [node.name]: (node.children ?? []).map(toOrdered), ':@': Object.fromEntries(attributes) };
}

/**
 * A `<Response>` of a carrier's verbs, as the answer to its request. Texts are escaped; they must be characters of XML.
 */
export function answerXml(verbs: readonly XmlElement[]): CarrierHttpAnswer {
  const body = builder.build([toOrdered({ name: 'Response', children: verbs })]);
  return {
    status: 200,
    contentType: 'application/xml; charset=utf-8',
    body: `<?xml version="1.0" encoding="UTF-8"?>${body}`,
  };
}
