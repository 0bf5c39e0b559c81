import type {
  DescribedContent,
  DescribedOperation,
  DescribedParameter,
  Json,
  SchemaBook,
} from "./openapi_schemas.ts";

/** A request as the API description shows it, with its response. */
export interface SentExample {
  /** Parameters of the path and the query, by name. */
  readonly parameters: Json;
  /** Members of the JSON or fields of the form; null without a body. */
  readonly body: Json | null;
  readonly status: number;
  /** Media type of the response. */
  readonly type: string;
  /** The response's JSON, or the beginning of its text; null for a picture. */
  readonly answer: unknown;
}

/** Examples by method and path, such as `GET /stats`. */
export type SentExamples = Readonly<Record<string, SentExample>>;

/** Reads the examples that `deno task examples` wrote. */
export async function readExamples(): Promise<SentExamples> {
  return JSON.parse(await Deno.readTextFile(new URL("./openapi_examples.json", import.meta.url)));
}

/** Adds an example to the parameters, the body and the response of a described operation. */
export function addExample(
  operation: DescribedOperation,
  example: SentExample | undefined,
  book: SchemaBook,
): DescribedOperation {
  if (example === undefined) return operation;
  const { parameters, requestBody, responses } = operation;
  return {
    ...operation,
    parameters: parameters.map((parameter) => addParameter(parameter, example.parameters)),
    ...(requestBody === undefined || example.body === null
      ? {}
      : { requestBody: addToContent(requestBody, example.body) }),
    responses: addToResponses(responses, example, book),
  };
}

function addParameter(parameter: DescribedParameter, values: Json): DescribedParameter {
  const { name } = parameter;
  return Object.hasOwn(values, name) ? { ...parameter, example: values[name] } : parameter;
}

function addToContent(part: DescribedContent, example: unknown): DescribedContent {
  const types = Object.entries(part.content ?? {});
  return {
    ...part,
    content: Object.fromEntries(types.map(([type, media]) => [type, { ...media, example }])),
  };
}

/** Adds the response; a refusal that operations share is copied, because no other one has this example. */
function addToResponses(
  responses: DescribedOperation["responses"],
  { status, type, answer }: SentExample,
  book: SchemaBook,
): DescribedOperation["responses"] {
  const key = Object.hasOwn(responses, status) ? status : "default";
  const described = book.findResponse(responses[key] ?? {});
  const { [type]: media = {} } = described.content ?? {};
  // Uploaded pictures keep their format.
  const content = answer === null ? { "image/*": {} } : { [type]: { ...media, example: answer } };
  return { ...responses, [key]: { ...described, content } };
}
