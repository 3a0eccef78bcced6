import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { z } from 'zod';
import { priceTable, type PriceTable } from './prices.js';

/**
 * Reads the operator's prices from a YAML file (setting `PRICES_FILE`), when the composition root opens the calls
 * module.
 * @throws Error with the file's path and the reason
 */
export async function readPrices(path: string): Promise<PriceTable> {
  const failed = (why: string) => new Error(`PRICES_FILE ${path}: ${why}`);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw failed(`cannot be read (${error.code ?? error.message})`);
  });
  let document: unknown;
  try {
    document = parse(text) ?? {};
  } catch (error) {
    throw failed(`is no YAML: ${(error as Error).message.split('\n')[0]}`);
  }
  const result = priceTable.safeParse(document);
  if (!result.success) throw failed(z.prettifyError(result.error));
  return result.data;
}
