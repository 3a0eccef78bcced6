import type { Setting } from '../src/config/setting.js';

export function envExampleOf(settings: Readonly<Record<string, Setting>>): string;
export function withSettingsTable(page: string, settings: Readonly<Record<string, Setting>>): string;
