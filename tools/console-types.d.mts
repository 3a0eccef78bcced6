export declare const TYPES_FILE: string;
export declare function describeTypes(document: object): string;
