/** A template of RFC 6570, taken apart. */
export interface UriTemplate {
  readonly parts: readonly (string | UriExpression)[];
  /** The names of its variables, each once. */
  readonly variables: readonly string[];
}

/** What stands between two braces. */
export interface UriExpression {
  readonly operator: string;
  readonly variables: readonly UriVariable[];
}

/** One variable of an expression. */
export interface UriVariable {
  readonly name: string;
  /** How many code points of the value are taken; null for all. */
  readonly length: number | null;
}

/** How an operator joins what its variables give. */
interface Joining {
  readonly first: string;
  readonly separator: string;
  readonly isNamed: boolean;
  /** What follows the name of an empty value. */
  readonly ifEmpty: string;
  /** Whether characters that mean something in an address stay as they are. */
  readonly keepsReserved: boolean;
}

const PLAIN: Joining = { first: "", separator: ",", isNamed: false, ifEmpty: "", keepsReserved: false };
const JOININGS: ReadonlyMap<string, Joining> = new Map([
  ["", PLAIN],
  ["+", { ...PLAIN, keepsReserved: true }],
  ["#", { ...PLAIN, first: "#", keepsReserved: true }],
  [".", { ...PLAIN, first: ".", separator: "." }],
  ["/", { ...PLAIN, first: "/", separator: "/" }],
  [";", { ...PLAIN, first: ";", separator: ";", isNamed: true }],
  ["?", { ...PLAIN, first: "?", separator: "&", isNamed: true, ifEmpty: "=" }],
  ["&", { ...PLAIN, first: "&", separator: "&", isNamed: true, ifEmpty: "=" }],
]);
const VARIABLE =
  /^((?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})+(?:\.(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})+)*)(?::([1-9][0-9]{0,3})|\*)?$/;

/** A text as a template, or null for one that is none; whether it makes an address is not judged. */
export function parseUriTemplate(text: string): UriTemplate | null {
  if (/[\p{Cc}\p{Cs}]/u.test(text)) return null;
  const parts: (string | UriExpression)[] = [];
  for (const { 0: whole, 1: inner } of text.matchAll(/\{([^{}]*)\}|[^{}]+|[{}]/g)) {
    if (whole === "{" || whole === "}") return null;
    const part = inner === undefined ? whole : readExpression(inner);
    if (part === null) return null;
    parts.push(part);
  }
  const names = parts.flatMap((part) =>
    typeof part === "string" ? [] : part.variables.map(({ name }) => name)
  );
  return { parts, variables: [...new Set(names)] };
}

function readExpression(inner: string): UriExpression | null {
  const operator = /^[+#./;?&]/.exec(inner)?.[0] ?? "";
  const variables: UriVariable[] = [];
  for (const text of inner.slice(operator.length).split(",")) {
    const [, name, length] = VARIABLE.exec(text) ?? [];
    if (name === undefined) return null;
    variables.push({ name, length: length === undefined ? null : Number(length) });
  }
  return { operator, variables };
}

/** The template with its variables filled in; those without a value are left out, as the RFC says. */
export function expandUriTemplate({ parts }: UriTemplate, values: ReadonlyMap<string, string>): string {
  return parts.map((part) => typeof part === "string" ? encode(part, true) : expand(part, values)).join("");
}

function expand({ operator, variables }: UriExpression, values: ReadonlyMap<string, string>): string {
  const joining = JOININGS.get(operator) ?? PLAIN;
  const expanded = variables.flatMap(({ name, length }) => {
    const value = values.get(name);
    if (value === undefined) return [];
    const taken = encode(
      length === null ? value : Array.from(value).slice(0, length).join(""),
      joining.keepsReserved,
    );
    if (!joining.isNamed) return [taken];
    return [taken === "" ? name + joining.ifEmpty : `${name}=${taken}`];
  });
  return expanded.length === 0 ? "" : joining.first + expanded.join(joining.separator);
}

function encode(text: string, keepsReserved: boolean): string {
  const barred = keepsReserved
    ? /%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+/g
    : /[^A-Za-z0-9\-._~]+/g;
  return text.toWellFormed().replace(barred, (piece) =>
    encodeURIComponent(piece).replace(
      /[!'()*]/g,
      (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
    ));
}
