// Lists. A column that a telephone has no room for is left out there; what does not fit is scrolled within the list.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { addressOf, send, type Operation, type Query, type Response } from '../api/client.js';
import { useAddress } from '../api/resource.js';
import { ActionButton } from './actions.js';
import { Loading, Trouble } from './parts.js';

export interface Column<T> {
  name: string;
  cell: (item: T) => ComponentChildren;
  isNumeric?: boolean;
  /** Left out on narrow screens. */
  isWide?: boolean;
}

interface TableProps<T> {
  label: string;
  columns: Column<T>[];
  items: T[];
  keyOf: (item: T) => string;
}

export function Table<T>({ label, columns, items, keyOf }: TableProps<T>) {
  const classOf = ({ isNumeric, isWide }: Column<T>) =>
    [isNumeric && 'numeric', isWide && 'wide-only'].filter(Boolean).join(' ');
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.name} scope="col" class={classOf(column)}>
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={keyOf(item)}>
              {columns.map((column) => (
                <td key={column.name} class={classOf(column)}>
                  {column.cell(item)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type ListOperation = {
  [O in Operation]: Response<O> extends { data: unknown[]; has_more: boolean } ? O : never;
}[Operation] &
  `GET ${string}`;
type Item<O extends ListOperation> = Response<O> extends { data: (infer T)[] } ? T : never;

interface PagedListProps<O extends ListOperation> extends Omit<TableProps<Item<O>>, 'items'> {
  operation: O;
  query?: Query<O>;
  path?: Parameters<typeof addressOf<O>>[1] extends { path?: infer P } | undefined ? P : never;
  refreshMs?: number;
  empty: ComponentChildren;
}

/** A list of the interface, page after page: the first one stays up to date, more is fetched when it is asked for. */
export function PagedList<O extends ListOperation>(props: PagedListProps<O>) {
  const { operation, query, path, refreshMs = 0, empty, ...table } = props;
  const options = { query, path } as Parameters<typeof addressOf<O>>[1];
  const address = addressOf(operation, options);
  const first = useAddress<{ data: Item<O>[]; has_more: boolean; next_cursor?: string | null }>(
    address,
    refreshMs,
  );
  const [more, setMore] = useState<{ items: Item<O>[]; cursor: string | null } | null>(null);
  useEffect(() => setMore(null), [address]);

  if (first.data === undefined) {
    return first.problem ? <Trouble problem={first.problem} retry={first.reload} /> : <Loading />;
  }
  const known = new Set(first.data.data.map((item) => table.keyOf(item)));
  const items = [...first.data.data, ...(more?.items ?? []).filter((item) => !known.has(table.keyOf(item)))];
  if (items.length === 0) return <>{empty}</>;
  const cursor = more ? more.cursor : first.data.has_more ? (first.data.next_cursor ?? null) : null;
  return (
    <>
      <Table {...table} items={items} />
      {cursor !== null && (
        <div class="row more">
          <ActionButton
            perform={async () => {
              const next = (await send(
                'GET',
                addressOf(operation, { ...options, query: { ...query, cursor } }),
              )) as NonNullable<typeof first.data>;
              setMore({
                items: [...(more?.items ?? []), ...next.data],
                cursor: next.has_more ? (next.next_cursor ?? null) : null,
              });
            }}
          >
            Show more
          </ActionButton>
        </div>
      )}
    </>
  );
}
