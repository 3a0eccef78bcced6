export function NumberPage() { return <p>Soon</p>; }
