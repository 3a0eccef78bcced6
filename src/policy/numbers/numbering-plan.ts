import { Metadata, parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** A number according to the numbering plans. */
export interface Planned {
  countryCallingCode: string;
  /** ISO 3166, two letters; null where no plan says. */
  country: string | null;
  /** The type in libphonenumber's terms, such as `FIXED_LINE`; null where no plan says. */
  type: string | null;
  /** True for a short code: few national digits, and no possible length of its plan. */
  isTooShort: boolean;
}

/** Numbers with fewer national digits may be short codes: the library knows the possible lengths of each plan. */
const MIN_NATIONAL_DIGITS = 7;
/** The most digits of a country calling code (ITU-T E.164). */
const MAX_CALLING_CODE_DIGITS = 3;
/** The types of numbers other than `FIXED_LINE`, in the order in which the library tries them. */
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

/** The library's metadata, which its own types do not declare. */
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

/** A plan with compiled patterns. */
interface Plan {
  /** Matches the whole national numbers of the plan. */
  national: RegExp;
  /** Matches the start of a national number from which the library may strip a national prefix. */
  prefix: RegExp | null;
  /** The leading digits of this country's numbers, where several countries share a calling code. */
  leading: RegExp | null;
  /** Pattern and possible lengths of the numbers of each type. */
  types: ReadonlyMap<string, { pattern: RegExp; lengths: readonly number[] | undefined }>;
}

const plans = new Metadata() as unknown as RawPlans;
/** The compiled plans by country or calling code. */
const compiledPlans = new Map<string, Plan>();

/**
 * Looks a number up in libphonenumber's metadata, for `factsOf`, with the same result as the library. The library
 * compiles dozens of patterns for each number, a tenth of the cost of accepting a call; here they are compiled once.
 * Numbers from which the library may strip a national prefix, and those that may be short codes, are passed to it.
 * @param number E.164
 */
export function plannedNumber(number: string): Planned | null {
  const countryCallingCode = callingCodeOf(number);
  if (countryCallingCode === null) return askLibrary(number);
  const national = number.slice(1 + countryCallingCode.length);
  const plan = planOf(countryCallingCode);
  if (national.length < MIN_NATIONAL_DIGITS || plan.prefix?.test(national)) return askLibrary(number);
  const country = countryOf(countryCallingCode, national);
  const type = typeOf(country === null ? plan : planOf(country), national);
  return { countryCallingCode, country, type, isTooShort: false };
}

/** The result of the library itself; null for a number that it cannot parse. */
function askLibrary(number: string): Planned | null {
  const parsed = parsePhoneNumberFromString(number, { extract: false });
  if (!parsed) return null;
  const { countryCallingCode, country = null, nationalNumber } = parsed;
  const isTooShort = nationalNumber.length < MIN_NATIONAL_DIGITS && !parsed.isPossible();
  return { countryCallingCode, country, type: parsed.getType() ?? null, isTooShort };
}

/** The country calling code of a number in E.164: `+49…` gives `49`; null for none. */
function callingCodeOf(number: string): string | null {
  if (!number.startsWith('+')) return null;
  for (let length = 1; length <= MAX_CALLING_CODE_DIGITS; length += 1) {
    const code = number.slice(1, 1 + length);
    if (plans.hasCallingCode(code)) return code;
  }
  return null;
}

/**
 * The country of a national number: the only one of the calling code, else the first whose leading digits (or, without
 * these, types) match. `1` and a Canadian number give `CA`; null if none matches.
 */
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

/** The type of a national number in a plan; null if the plan does not have the number. */
function typeOf(plan: Plan, national: string): string | null {
  if (!plan.national.test(national)) return null;
  const isOf = (type: string) => {
    const definition = plan.types.get(type);
    if (!definition || definition.lengths?.includes(national.length) === false) return false;
    return definition.pattern.test(national);
  };
  if (!isOf('FIXED_LINE')) return OTHER_TYPES.find(isOf) ?? null;
  // A plan without a pattern for mobiles cannot tell them from fixed lines.
  return !plan.types.has('MOBILE') || isOf('MOBILE') ? 'FIXED_LINE_OR_MOBILE' : 'FIXED_LINE';
}

/** The compiled plan of a country or calling code. */
function planOf(name: string): Plan {
  const cached = compiledPlans.get(name);
  if (cached) return cached;
  plans.selectNumberingPlan(name);
  const plan = compile(plans.numberingPlan!);
  compiledPlans.set(name, plan);
  return plan;
}

/** Compiles the patterns of a plan. */
function compile(raw: RawPlan): Plan {
  const [prefix, leading] = [raw.nationalPrefixForParsing(), raw.leadingDigits()];
  const types: [string, { pattern: RegExp; lengths: readonly number[] | undefined }][] = [];
  for (const name of ['FIXED_LINE', ...OTHER_TYPES]) {
    const type = raw.type(name);
    const pattern = type?.pattern();
    if (pattern) types.push([name, { pattern: wholeMatch(pattern), lengths: type?.possibleLengths() }]);
  }
  return {
    national: wholeMatch(raw.nationalNumberPattern()),
    prefix: prefix ? prefixMatch(prefix) : null,
    leading: leading ? prefixMatch(leading) : null,
    types: new Map(types),
  };
}

function wholeMatch(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`);
}

function prefixMatch(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})`);
}
