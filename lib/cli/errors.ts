/** The command was not called as it must be: exit status 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The command could not do what it was asked for: exit status 1. */
export class Refusal extends Error {
  override readonly name = "Refusal";

  constructor(message: string, readonly report: object | null = null) {
    super(message);
  }
}

/** The one argument that a command takes. */
export function onlyArgument(args: readonly string[], usage: string): string {
  const [only] = args;
  if (args.length !== 1 || only === undefined || only === "") throw new UsageError(usage);
  return only;
}
