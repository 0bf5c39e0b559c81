/** The fields of the form that shortens. */
export type ShortenField = "url" | "key";

/** Which field a refusal is about; the server's sentences about the key name it, those about URLs never do. */
export function fieldOfProblem(problem: string, needsKey: boolean): ShortenField {
  return needsKey && /\bkey\b/i.test(problem) ? "key" : "url";
}
