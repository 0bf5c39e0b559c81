/** A parsed RFC 6570 URI template. */
export interface UriTemplate {
  readonly parts: readonly (string | UriExpression)[];
  /** Names of the variables, each once. */
  readonly variables: readonly string[];
}

/** An expression between two braces. */
interface UriExpression {
  readonly operator: string;
  readonly variables: readonly UriVariable[];
}

interface UriVariable {
  readonly name: string;
  /** Maximum number of code points of the value; null for all. */
  readonly length: number | null;
}

/** Rules for joining the expanded variables of an operator. */
interface OperatorRules {
  readonly first: string;
  readonly separator: string;
  readonly isNamed: boolean;
  /** Text after the name of an empty value. */
  readonly ifEmpty: string;
  /** Whether reserved characters of URLs are not encoded. */
  readonly keepsReserved: boolean;
}

const PLAIN: OperatorRules = { first: "", separator: ",", isNamed: false, ifEmpty: "", keepsReserved: false };
const OPERATORS: ReadonlyMap<string, OperatorRules> = new Map([
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

/** Parses a template; returns null for invalid syntax. Does not check that the template makes a URL. */
export function parseUriTemplate(text: string): UriTemplate | null {
  if (/[\p{Cc}\p{Cs}]/u.test(text)) return null;
  const parts: (string | UriExpression)[] = [];
  for (const { 0: whole, 1: inner } of text.matchAll(/\{([^{}]*)\}|[^{}]+|[{}]/g)) {
    if (whole === "{" || whole === "}") return null;
    const part = inner === undefined ? whole : parseExpression(inner);
    if (part === null) return null;
    parts.push(part);
  }
  const names = parts.flatMap((part) =>
    typeof part === "string" ? [] : part.variables.map(({ name }) => name)
  );
  return { parts, variables: [...new Set(names)] };
}

function parseExpression(inner: string): UriExpression | null {
  const operator = /^[+#./;?&]/.exec(inner)?.[0] ?? "";
  const variables: UriVariable[] = [];
  for (const text of inner.slice(operator.length).split(",")) {
    const [, name, length] = VARIABLE.exec(text) ?? [];
    if (name === undefined) return null;
    variables.push({ name, length: length === undefined ? null : Number(length) });
  }
  return { operator, variables };
}

/** Expands a template; omits variables without a value, as the RFC requires. */
export function expandUriTemplate({ parts }: UriTemplate, values: ReadonlyMap<string, string>): string {
  return parts.map((part) => typeof part === "string" ? encode(part, true) : expand(part, values)).join("");
}

function expand({ operator, variables }: UriExpression, values: ReadonlyMap<string, string>): string {
  const rules = OPERATORS.get(operator) ?? PLAIN;
  const expanded = variables.flatMap(({ name, length }) => {
    const value = values.get(name);
    if (value === undefined) return [];
    const encoded = encode(
      length === null ? value : Array.from(value).slice(0, length).join(""),
      rules.keepsReserved,
    );
    if (!rules.isNamed) return [encoded];
    return [encoded === "" ? name + rules.ifEmpty : `${name}=${encoded}`];
  });
  return expanded.length === 0 ? "" : rules.first + expanded.join(rules.separator);
}

function encode(text: string, keepsReserved: boolean): string {
  const disallowed = keepsReserved
    ? /%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+/g
    : /[^A-Za-z0-9\-._~]+/g;
  return text.toWellFormed().replace(disallowed, (piece) =>
    encodeURIComponent(piece).replace(
      /[!'()*]/g,
      (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
    ));
}
