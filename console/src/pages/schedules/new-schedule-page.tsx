export function NewSchedulePage() { return <p>Soon</p>; }
