export const STATES_PAGE: string;
export function describeStates(): Promise<string>;
