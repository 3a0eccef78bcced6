export function NumbersPage() { return <p>Soon</p>; }
