import fc from 'fast-check';
import type { CarrierHttpRequest } from '#telephony/port/carrier-webhooks.js';

/** Copies of a request with one bit of its body or signature header flipped. */
export function spoiled(request: CarrierHttpRequest, header: string): fc.Arbitrary<CarrierHttpRequest> {
  const signature = Buffer.from(request.headers[header]!);
  const bit = (bytes: Buffer) => fc.nat(bytes.length * 8 - 1).map((at) => turned(bytes, at));
  const spoiledHeader = bit(signature)
    .map((bytes) => bytes.toString('latin1'))
    .map((text) => ({ ...request, headers: { ...request.headers, [header]: text } }));
  if (request.rawBody.length === 0) return spoiledHeader;
  return fc.oneof(
    spoiledHeader,
    bit(request.rawBody).map((rawBody) => ({ ...request, rawBody })),
  );
}

function turned(bytes: Buffer, bit: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[bit >> 3]! ^= 1 << (bit & 7);
  return copy;
}
