import type { Store } from '#store/store.js';

/** The same store, which says after each write that there may be something new in it. */
export function watchWrites(store: Store, onWritten: () => void): Store {
  return {
    async write(unit, args) {
      const result = await store.write(unit, args);
      onWritten();
      return result;
    },
    read: (unit, args) => store.read(unit, args),
    backup: (path) => store.backup(path),
    close: () => store.close(),
  };
}
