import { afterAll } from 'vitest';
import { removeTemporaryFolders } from './temporary-folder.js';

// Many test files run in one process, and each leaves the next one nothing. Registered first, this runs last.
afterAll(removeTemporaryFolders);
