import type { CallRecord } from './call-record.js';

const USUAL_PAGE_SIZE = 50;

/** A page of calls for a query, newest first. `StartTime` is a day in UTC, as in the API. */
export function listOf(
  records: readonly CallRecord[],
  query: URLSearchParams,
  path: string,
): Record<string, unknown> {
  const pageSize = Number(query.get('PageSize') ?? USUAL_PAGE_SIZE);
  const page = Number(query.get('Page') ?? 0);
  const found = records.filter((record) => matches(record, query)).reverse();
  const pageUri = (number: number) => {
    const next = new URLSearchParams(query);
    next.set('Page', String(number));
    next.set('PageSize', String(pageSize));
    return `${path}?${next.toString()}`;
  };
  return {
    calls: found.slice(page * pageSize, (page + 1) * pageSize).map((record) => record.resource()),
    page,
    page_size: pageSize,
    start: page * pageSize,
    uri: pageUri(page),
    first_page_uri: pageUri(0),
    next_page_uri: found.length > (page + 1) * pageSize ? pageUri(page + 1) : null,
    previous_page_uri: page > 0 ? pageUri(page - 1) : null,
  };
}

function matches(record: CallRecord, query: URLSearchParams): boolean {
  const { status } = record.resource();
  const started = record.startDay();
  const is = (name: string, value: unknown) => !query.has(name) || query.get(name) === value;
  const day = (name: string) => query.get(name)?.slice(0, 'YYYY-MM-DD'.length) ?? null;
  const [on, from, until] = [day('StartTime'), day('StartTime>'), day('StartTime<')];
  return (
    is('To', record.to) &&
    is('From', record.from) &&
    is('Status', status) &&
    (on === null || started === on) &&
    (from === null || started >= from) &&
    (until === null || started <= until)
  );
}
