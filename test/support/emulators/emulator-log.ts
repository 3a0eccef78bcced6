/** One thing that an emulated carrier was asked, or has sent. Credentials and signatures are left out. */
export type Exchange =
  | {
      kind: 'asked';
      method: string;
      path: string;
      form: Readonly<Record<string, string>>;
      /** Null until it was answered, and when it was not. */
      status: number | null;
    }
  | {
      kind: 'sent';
      purpose: string;
      callSid: string;
      url: string;
      form: Readonly<Record<string, string>>;
      /** Null when the service could not be reached. */
      status: number | null;
    };

/** What a carrier's own debugger would show its customer: a code and where it happened. */
export interface Complaint {
  code: number;
  text: string;
}

/** What has happened at an emulated carrier, in order. */
export class EmulatorLog {
  readonly exchanges: Exchange[] = [];
  /** What the service did wrong; a test of something that works sees none. */
  readonly complaints: Complaint[] = [];

  add(exchange: Exchange): void {
    this.exchanges.push(exchange);
  }

  /** A request that is not answered yet. */
  asks(method: string, path: string, form: Readonly<Record<string, string>>): { status: number | null } {
    const exchange = { kind: 'asked' as const, method, path, form, status: null };
    this.exchanges.push(exchange);
    return exchange;
  }

  complain(code: number, text: string): void {
    this.complaints.push({ code, text });
  }

  /** What was sent for a purpose, such as `status`. */
  sent(purpose: string): Extract<Exchange, { kind: 'sent' }>[] {
    return this.exchanges.filter((one) => one.kind === 'sent').filter((one) => one.purpose === purpose);
  }

  /** What was sent about a call. */
  sentOf(callSid: string): Extract<Exchange, { kind: 'sent' }>[] {
    return this.exchanges.filter((one) => one.kind === 'sent').filter((one) => one.callSid === callSid);
  }

  asked(): Extract<Exchange, { kind: 'asked' }>[] {
    return this.exchanges.filter((one) => one.kind === 'asked');
  }
}

/** A form as an object; of a repeated key the values are joined with a space, as some APIs take them. */
export function formObject(form: URLSearchParams): Record<string, string> {
  return Object.fromEntries([...new Set(form.keys())].map((key) => [key, form.getAll(key).join(' ')]));
}
