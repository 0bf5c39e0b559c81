/** The longest name of a program, in characters. */
const MAX_NAME = 30;

/** The name of the program that sends, as it calls itself: what stands in front of its version. */
export function clientName(userAgent: string | null): string {
  const name = /^[^\s/]+/.exec(userAgent ?? "")?.[0] ?? "Unspecified";
  // Browsers all call themselves the same.
  return name === "Mozilla" ? "website" : name.slice(0, MAX_NAME);
}
