export function SchedulePage() { return <p>Soon</p>; }
