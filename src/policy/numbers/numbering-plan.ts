import { Metadata, parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** What numbering plans say of a number. */
export interface Planned {
  countryCallingCode: string;
  /** ISO 3166, two letters; null where no plan says. */
  country: string | null;
  /** What it is for, in the words of libphonenumber, such as `FIXED_LINE`; null where no plan says. */
  type: string | null;
  /** It has so few digits that its plan cannot have meant it for calls from abroad. */
  isTooShort: boolean;
}

/** Shorter national numbers are left to the library, which knows how long those of each plan may be. */
const SHORTEST = 7;
/** Of any country (ITU-T E.164). */
const LONGEST_CALLING_CODE = 3;
/** In the order in which the library tries them, behind `FIXED_LINE`. */
const OTHER_TYPES = [
  'MOBILE',
  'PREMIUM_RATE',
  'TOLL_FREE',
  'SHARED_COST',
  'VOIP',
  'PERSONAL_NUMBER',
  'PAGER',
  'UAN',
  'VOICEMAIL',
];

/** As the library hands it out; its own types leave most of it unnamed. */
interface RawPlan {
  nationalNumberPattern(): string;
  nationalPrefixForParsing(): string | undefined;
  leadingDigits(): string | undefined;
  type(name: string): { pattern(): string; possibleLengths(): number[] | undefined } | undefined;
}
interface RawPlans {
  numberingPlan?: RawPlan;
  selectNumberingPlan(countryOrCode: string): void;
  hasCallingCode(code: string): boolean | undefined;
  getCountryCodesForCallingCode(code: string): string[] | undefined;
}

/** A plan whose patterns are compiled. */
interface Plan {
  national: RegExp;
  /** What people dial before a number within the country. */
  prefix: RegExp | null;
  /** Where several countries share a code: how the numbers of this one begin. */
  leading: RegExp | null;
  types: ReadonlyMap<string, { pattern: RegExp; lengths: readonly number[] | undefined }>;
}

const plans = new Metadata() as unknown as RawPlans;
const compiled = new Map<string, Plan>();

/**
 * What numbering plans say of a number: what libphonenumber says of it, from the same data. The library compiles dozens
 * of patterns anew for each number, which would be a tenth of what it costs to accept a call; here they are compiled
 * once. What it would rewrite, or calls too short, is asked of the library itself.
 * @param number E.164
 */
export function plannedNumber(number: string): Planned | null {
  const countryCallingCode = callingCodeOf(number);
  if (countryCallingCode === null) return askLibrary(number);
  const national = number.slice(1 + countryCallingCode.length);
  const plan = planOf(countryCallingCode);
  if (national.length < SHORTEST || plan.prefix?.test(national)) return askLibrary(number);
  const country = countryOf(countryCallingCode, national);
  const type = typeOf(country === null ? plan : planOf(country), national);
  return { countryCallingCode, country, type, isTooShort: false };
}

function askLibrary(number: string): Planned | null {
  const parsed = parsePhoneNumberFromString(number, { extract: false });
  if (!parsed) return null;
  const { countryCallingCode, country = null, nationalNumber } = parsed;
  const isTooShort = nationalNumber.length < SHORTEST && !parsed.isPossible();
  return { countryCallingCode, country, type: parsed.getType() ?? null, isTooShort };
}

function callingCodeOf(number: string): string | null {
  if (!number.startsWith('+')) return null;
  for (let length = 1; length <= LONGEST_CALLING_CODE; length += 1) {
    const code = number.slice(1, 1 + length);
    if (plans.hasCallingCode(code)) return code;
  }
  return null;
}

function countryOf(callingCode: string, national: string): string | null {
  const countries = plans.getCountryCodesForCallingCode(callingCode);
  if (!countries) return null;
  if (countries.length === 1) return countries[0]!;
  const isOf = (country: string) => {
    const plan = planOf(country);
    return plan.leading ? plan.leading.test(national) : typeOf(plan, national) !== null;
  };
  return countries.find(isOf) ?? null;
}

function typeOf(plan: Plan, national: string): string | null {
  if (!plan.national.test(national)) return null;
  const isOf = (type: string) => {
    const definition = plan.types.get(type);
    if (!definition || definition.lengths?.includes(national.length) === false) return false;
    return definition.pattern.test(national);
  };
  if (!isOf('FIXED_LINE')) return OTHER_TYPES.find(isOf) ?? null;
  // A plan that cannot tell them apart says nothing of mobiles.
  return !plan.types.has('MOBILE') || isOf('MOBILE') ? 'FIXED_LINE_OR_MOBILE' : 'FIXED_LINE';
}

/** @param name of a country, or a calling code */
function planOf(name: string): Plan {
  const known = compiled.get(name);
  if (known) return known;
  plans.selectNumberingPlan(name);
  const plan = compile(plans.numberingPlan!);
  compiled.set(name, plan);
  return plan;
}

function compile(raw: RawPlan): Plan {
  const [prefix, leading] = [raw.nationalPrefixForParsing(), raw.leadingDigits()];
  const types: [string, { pattern: RegExp; lengths: readonly number[] | undefined }][] = [];
  for (const name of ['FIXED_LINE', ...OTHER_TYPES]) {
    const type = raw.type(name);
    const pattern = type?.pattern();
    if (pattern) types.push([name, { pattern: whole(pattern), lengths: type?.possibleLengths() }]);
  }
  return {
    national: whole(raw.nationalNumberPattern()),
    prefix: prefix ? beginning(prefix) : null,
    leading: leading ? beginning(leading) : null,
    types: new Map(types),
  };
}

function whole(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`);
}

function beginning(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})`);
}
