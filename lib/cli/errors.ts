/** Error of a command with wrong arguments: exit status 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Error of a command that could not do its work: exit status 1. */
export class Refusal extends Error {
  override readonly name = "Refusal";

  constructor(message: string, readonly report: object | null = null) {
    super(message);
  }
}

/** Returns the only argument of a command. */
export function onlyArgument(args: readonly string[], usage: string): string {
  const [only] = args;
  if (args.length !== 1 || only === undefined || only === "") throw new UsageError(usage);
  return only;
}
