import { afterAll } from 'vitest';
import { removeTemporaryFolders } from './temporary-folder.js';

// Many test files run in one process, and each cleans up. Registered first, so it runs last.
afterAll(removeTemporaryFolders);
