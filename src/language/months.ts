/** The English names of the months, from January on. */
export const MONTHS =
  'January February March April May June July August September October November December'.split(' ');
