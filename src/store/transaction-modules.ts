import { builtModule } from '#kernel/system/thread.js';

/** Modules that the store threads load: one bundle, built from all sources that declare transactions. */
export const transactionModules: readonly URL[] = [builtModule('transaction-bundle.js')];
