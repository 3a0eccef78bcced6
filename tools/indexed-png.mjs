// Pictures of pages with few colours, as PNG with a palette: a third of the size of what browsers write.
import { deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MOST_COLOURS = 256;
const INDEXED = 3;

/**
 * @param {Buffer} rgba
 * @param {number} width
 * @returns {Buffer} the PNG
 */
export function encodeIndexed(rgba, width) {
  const height = rgba.length / 4 / width;
  const { palette, indexOf } = paletteOf(rgba);
  // Each row begins with its filter: none.
  const rows = Buffer.alloc((width + 1) * height);
  for (let at = 0; at < width * height; at++) {
    rows[at + Math.floor(at / width) + 1] = indexOf(rgba, at * 4);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, INDEXED, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The most frequent colours; any other is drawn as the nearest of them. */
function paletteOf(rgba) {
  const counts = new Map();
  for (let at = 0; at < rgba.length; at += 4) {
    const colour = rgba.readUIntBE(at, 3);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const colours = [...counts].sort((one, other) => other[1] - one[1]).map(([colour]) => colour);
  const kept = colours.slice(0, MOST_COLOURS);
  const indexes = new Map(kept.map((colour, index) => [colour, index]));
  for (const colour of colours.slice(MOST_COLOURS)) indexes.set(colour, nearest(kept, colour));
  const palette = Buffer.alloc(kept.length * 3);
  for (const [index, colour] of kept.entries()) palette.writeUIntBE(colour, index * 3, 3);
  return { palette, indexOf: (pixels, at) => indexes.get(pixels.readUIntBE(at, 3)) };
}

function nearest(colours, wanted) {
  const distances = colours.map((colour) =>
    [16, 8, 0].reduce((sum, bits) => sum + (((colour >> bits) & 255) - ((wanted >> bits) & 255)) ** 2, 0),
  );
  return distances.indexOf(Math.min(...distances));
}

function chunk(type, data) {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** Of the PNG specification, annex D. */
function crc32(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
