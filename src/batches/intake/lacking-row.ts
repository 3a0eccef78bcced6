import { missingIn } from '#agents/definitions/missing-variables.js';
import type { FreeForm } from '#kernel/input/free-form.js';
import type { IntakeRecipient } from './intake.js';

/** A row of a batch without some variables that the texts of its agent need. */
export interface LackingRow {
  row: number;
  names: string[];
}

/** The row of a recipient that is called and lacks variables, as a list of one; empty otherwise. */
export function lackingRow(recipient: IntakeRecipient, needed: readonly string[]): LackingRow[] {
  if (recipient.duplicate) return [];
  const names = missingIn(needed, dataOf(recipient));
  return names.length === 0 ? [] : [{ row: recipient.row, names }];
}

/** The data about a recipient, with the recipient's name as a variable. */
export function dataOf({ name, customer_data: data = {} }: IntakeRecipient): FreeForm {
  return name === undefined || 'name' in data ? data : { name, ...data };
}
