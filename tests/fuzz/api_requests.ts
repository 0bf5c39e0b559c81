import fc from "@/tests/helpers/fast_check.ts";
import type { ApiDescription, WalkedOperation, WalkedParam } from "@/tests/helpers/api_walk.ts";
import { type Encoding, ENCODINGS, escape, type Pair, PICTURE, toBody, toQuery } from "./encodings.ts";
import { CALLERS, type FuzzRequest, toRequest } from "./request.ts";
import { hostileHeaders, METHODS, SEGMENTS } from "./hostile_parts.ts";
import { hostileText, hugeText, Values } from "./values.ts";

/** Operations that end the account or the credentials of their caller: only the expendable account calls them. */
const ENDS_CALLER = /^(DELETE \/api\/v1\/users\/me|POST \/api\/v1\/users\/me\/api_key\/regenerate)$/;

/** Values of one request before they are written into it. */
interface Draw {
  readonly texts: Readonly<Record<string, string | null>>;
  readonly added: readonly (readonly [number, string])[];
  readonly encoding: Encoding;
  readonly parts: Partial<FuzzRequest>;
  readonly segment: string | null;
  readonly isDoubled: boolean;
}

/** Returns requests of every operation of the description. */
export function apiRequests(description: ApiDescription): fc.Arbitrary<FuzzRequest> {
  const values = new Values(description.schemas);
  return fc.oneof(...description.operations.map((operation) => operationRequests(operation, values)));
}

/**
 * Returns several requests that are sent at the same time and name the same record: of one path with its
 * methods, and with the same values in the path.
 */
export function races(description: ApiDescription): fc.Arbitrary<readonly FuzzRequest[]> {
  const values = new Values(description.schemas);
  const byPath = Map.groupBy(description.operations, ({ path }) => path);
  const paths = [...byPath.values()].filter((operations) =>
    operations[0]?.path.includes("{") === true && operations.some(({ method }) => method !== "GET")
  );
  return fc.oneof(...paths.map((operations) => {
    const requests = fc.oneof(...operations.map((operation) => operationRequests(operation, values)));
    return fc.array(requests, { minLength: 2, maxLength: 4 }).map((several) => {
      const target = several[0]?.target.split("?")[0] ?? "/";
      return several.map((request) => {
        const query = request.target.split("?").slice(1).map((text) => `?${text}`).join("");
        return { ...request, target: target + query };
      });
    });
  }));
}

function operationRequests(operation: WalkedOperation, values: Values): fc.Arbitrary<FuzzRequest> {
  const tame = draws(operation, (param) => values.valid(param), false);
  const wild = draws(operation, (param) =>
    fc.oneof(
      { weight: 3, arbitrary: values.valid(param) },
      { weight: 2, arbitrary: values.wild(param) },
    ), true);
  return fc.oneof({ weight: 1, arbitrary: tame }, { weight: 1, arbitrary: wild }).map((draw) =>
    toApiRequest(operation, draw)
  );
}

function draws(
  operation: WalkedOperation,
  textOf: (param: WalkedParam) => fc.Arbitrary<string>,
  isWild: boolean,
): fc.Arbitrary<Draw> {
  const { method, path, takesFile } = operation;
  const params = paramsOf(operation);
  const texts = params.map((param) => {
    const text = param === FILE ? fileText() : textOf(param);
    return [param.name, param.isRequired && !isWild ? text : orAbsent(text, param, params.length)] as const;
  });
  /** Draws anything but the usual value about once in `weight` wild requests. */
  const rare = <T>(arbitrary: fc.Arbitrary<T>, usual: T, weight = 20) =>
    isWild
      ? fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary })
      : fc.constant(usual);
  const isEnd = ENDS_CALLER.test(`${method} ${path}`);
  return fc.record({
    texts: fc.record(Object.fromEntries(texts)),
    added: rare(fc.array(fc.tuple(fc.nat(50), hostileText()), { maxLength: 3 }), [], 6),
    encoding: takesFile
      ? fc.constant<Encoding>("multipart")
      : rare<Encoding>(fc.constantFrom(...ENCODINGS), "urlencoded", 4),
    segment: rare<string | null>(fc.constantFrom(...SEGMENTS), null, 12),
    isDoubled: rare(fc.constant(true), false, 12),
    parts: fc.record({
      caller: isEnd ? fc.constant("leaver" as const) : fc.constantFrom(...CALLERS, ...FREQUENT_CALLERS),
      method: rare(fc.constantFrom(...METHODS), method),
      headers: rare(hostileHeaders(), [], 6),
      isChunked: rare(fc.constant(true), false, 8),
    }),
  });
}

const FREQUENT_CALLERS = ["owner", "owner", "admin", "member"] as const;
/** Mean number of optional parameters of a request: more would hide what a single one does. */
const OPTIONAL_PARAMS = 3;

function orAbsent(text: fc.Arbitrary<string>, { isRequired }: WalkedParam, count: number) {
  const absent = isRequired ? 1 : Math.max(1, Math.round(count / OPTIONAL_PARAMS) - 1);
  return fc.oneof(
    { weight: isRequired ? 20 : 1, arbitrary: text },
    { weight: absent, arbitrary: fc.constant(null) },
  );
}

/** Parameters of an operation, with the file that it may take. */
function paramsOf({ params, takesFile }: WalkedOperation): readonly WalkedParam[] {
  return takesFile ? [...params, FILE] : params;
}

const FILE: WalkedParam = { name: "file", in: "form", isRequired: true, isJson: false, schema: {} };

function fileText(): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant(PICTURE) },
    { weight: 2, arbitrary: fc.nat(60).map((size) => PICTURE.slice(0, size)) },
    {
      weight: 2,
      arbitrary: fc.tuple(fc.nat(60), hostileText()).map(([size, text]) => PICTURE.slice(0, size) + text),
    },
    { weight: 1, arbitrary: hugeText() },
  );
}

function toApiRequest(operation: WalkedOperation, draw: Draw): FuzzRequest {
  const { added, encoding, parts, isDoubled } = draw;
  const { method, path } = operation;
  const names = paramsOf(operation).map(({ name }) => name);
  const others: Pair[] = added.map((
    [at, text],
  ) => [names[at % (names.length + 1)] ?? "unknown_parameter", text]);
  const isBodyless = method === "GET" || method === "DELETE" || encoding === "query";
  const inForm = [...pairsOf(operation, draw, "form"), ...others];
  const inQuery = pairsOf(operation, draw, "query");
  // Values in both places conflict as soon as one of them is repeated.
  const query = isBodyless
    ? [...inQuery, ...inForm]
    : isDoubled
    ? [...inQuery, ...inForm.toReversed()]
    : inQuery;
  const filled = fillPath(path, draw);
  const target = query.length === 0 ? filled : `${filled}?${toQuery(query)}`;
  if (isBodyless && !isDoubled) return toRequest({ ...parts, target });
  const content = path === "/" && encoding !== "text" ? toLink(inForm) : toBody(inForm, encoding);
  return toRequest({
    ...parts,
    target,
    body: content.body,
    headers: [...content.headers, ...parts.headers ?? []],
  });
}

/** Parameters with a value in one place. */
function pairsOf(operation: WalkedOperation, { texts }: Draw, place: WalkedParam["in"]): Pair[] {
  return paramsOf(operation).filter((param) => param.in === place).flatMap(({ name }): Pair[] => {
    const text = texts[name] ?? null;
    return text === null ? [] : [[name, text]];
  });
}

function fillPath(path: string, { texts, segment }: Draw): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const text = texts[name] ?? "1";
    // The path of a file has several segments.
    return segment ?? (name === "path" ? text.split("/").map(escape).join("/") : escape(text));
  });
}

/** The shortener takes JSON. */
function toLink(pairs: readonly Pair[]) {
  const members = pairs.map(([name, text]) => `${JSON.stringify(name)}:${JSON.stringify(text)}`);
  return { headers: [["content-type", "application/json"]] as const, body: `{${members.join(",")}}` };
}
