export function SetupPage() { return <p>Soon</p>; }
