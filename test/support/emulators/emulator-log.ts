/** A request to an emulated carrier, or from it. Without credentials and signatures. */
export type Exchange =
  | {
      kind: 'asked';
      method: string;
      path: string;
      form: Readonly<Record<string, string>>;
      /** Null before the answer, and without one. */
      status: number | null;
    }
  | {
      kind: 'sent';
      purpose: string;
      callSid: string;
      url: string;
      form: Readonly<Record<string, string>>;
      /** Null if the service could not be reached. */
      status: number | null;
    };

/** An entry of a carrier's debugger: a code and a text. */
export interface Complaint {
  code: number;
  text: string;
}

/** What happened at an emulated carrier, in order. */
export class EmulatorLog {
  readonly exchanges: Exchange[] = [];
  /** Errors of the service; empty in a test without faults. */
  readonly complaints: Complaint[] = [];

  add(exchange: Exchange): void {
    this.exchanges.push(exchange);
  }

  /** Records a request that has no answer yet. */
  asks(method: string, path: string, form: Readonly<Record<string, string>>): { status: number | null } {
    const exchange = { kind: 'asked' as const, method, path, form, status: null };
    this.exchanges.push(exchange);
    return exchange;
  }

  complain(code: number, text: string): void {
    this.complaints.push({ code, text });
  }

  /** Requests sent for a purpose, such as `status`. */
  sent(purpose: string): Extract<Exchange, { kind: 'sent' }>[] {
    return this.exchanges.filter((one) => one.kind === 'sent').filter((one) => one.purpose === purpose);
  }

  /** Requests sent about a call. */
  sentOf(callSid: string): Extract<Exchange, { kind: 'sent' }>[] {
    return this.exchanges.filter((one) => one.kind === 'sent').filter((one) => one.callSid === callSid);
  }

  asked(): Extract<Exchange, { kind: 'asked' }>[] {
    return this.exchanges.filter((one) => one.kind === 'asked');
  }
}

/** A form as an object; repeated values are joined by a space, as some APIs accept them. */
export function formObject(form: URLSearchParams): Record<string, string> {
  return Object.fromEntries([...new Set(form.keys())].map((key) => [key, form.getAll(key).join(' ')]));
}
