import type { Context } from "fresh";
import { readPosition } from "@/lib/chat/register/events/retrieve_events.ts";
import { h, type JSX } from "preact";
import { renderToString } from "preact-render-to-string";
import { AdminView } from "@/components/admin/admin_view.ts";
import { POSITION_HEADER } from "@/lib/client/page_action.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { BodySource } from "@/lib/core/body_arrival.ts";
import { FORM_BODY_BYTES, isForm, readBytes, tooManyFields } from "@/lib/api/body.ts";
import { statusOf } from "@/lib/api/envelope.ts";
import { readRequest, type UploadLimit } from "@/lib/api/fields.ts";
import { methods, type PathHandler } from "@/lib/api/methods.ts";
import { setFlashMessage } from "@/lib/pages/flash_message.ts";
import { toPageProblem } from "@/lib/pages/form_problems.ts";
import { sendOn } from "@/lib/api/page_session.ts";
import { requireSameOrigin, safePath } from "@/lib/api/same_origin.ts";
import type { FlashUndo } from "@/lib/services/admin_session.ts";
import type { State } from "@/lib/services/services.ts";
import type { PersonChoice } from "@/lib/ui/permission_fields.ts";
import { realmUrl } from "@/lib/chat/organization/organizations/model.ts";
import { type AdminRequest, adminRequest } from "./admin_request.ts";
import { FormFields, type TypedFields } from "./form_fields.ts";
import { attachEventStream } from "./events/page_news.ts";

/** Specification of an admin page. */
interface AdminPageSpec<Data> {
  /** Loads the page's data; null when its subject does not exist. */
  load(request: AdminRequest): Promise<Data | null>;
  /** Actions of the page's forms, by their field `action`. */
  readonly actions: Readonly<Record<string, AdminAction>>;
  /** Size limit of uploaded files, and the action that is refused for larger ones. */
  readonly files?: UploadLimit & { readonly action: string };
  /** Whether the page shows records that others change. */
  readonly isLive: boolean;
  /** Returns the path of the page that is shown instead, or null. */
  readonly redirect?: (request: AdminRequest) => Promise<string | null>;
  /** Renders the page. */
  readonly render: (data: Data, refused: RefusedForm | null) => JSX.Element;
}

/**
 * Action of a form. It throws refusals: an AppError belongs to the field of the parameter that it names, a
 * FormRefusal to several fields.
 */
export interface AdminAction {
  run(request: AdminRequest, fields: FormFields): Promise<Done | Response>;
  /** Fields of the form by the parameter that a refusal names; other refusals are shown above the form. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Returns the field of a refusal that is not in `fields`. */
  fieldOf?(error: AppError): string | null;
}

/** Success of a form. */
export interface Done {
  /** Flash message. */
  readonly flash: string;
  /** Page to redirect to; the same page by default. */
  readonly to?: string;
  /** Form that reverses the action. */
  readonly undo?: FlashUndo;
  /** Additional data for scripts. */
  readonly result?: Readonly<Record<string, unknown>>;
  /** Nothing was changed: the page is shown again with the submitted values and `result`. */
  readonly isDraft?: boolean;
  /**
   * Nothing was changed: the page is shown again with the submitted values and this, which `useDraft` returns. Scripts
   * get it as `html`.
   */
  readonly draft?: JSX.Element;
}

/** Accounts to choose from, by the name of the field for people. */
export type FieldChoices = Readonly<Record<string, readonly PersonChoice[]>>;

/** Refusal of a form with several problems: sentences by field name, `form` for those of no single field. */
export class FormRefusal extends Error {
  override readonly name = "FormRefusal";

  constructor(readonly problems: Readonly<Record<string, string>>, readonly choices: FieldChoices = {}) {
    super(Object.values(problems).join(" "));
  }
}

/** A refused form with its submitted values and problems; a draft has none. */
export interface RefusedForm {
  readonly action: string;
  readonly typed: TypedFields;
  readonly problems: Readonly<Record<string, string>>;
  readonly choices?: FieldChoices;
  /** Result of a draft. */
  readonly result?: Readonly<Record<string, unknown>>;
  readonly draft?: JSX.Element | undefined;
}

/**
 * Creates the handler of an admin page: loads and renders it, runs the action of a submitted form and
 * redirects, or renders the page with the problems and submitted values. Scripts that accept only JSON get
 * the same as data.
 */
export function pageHandler<Data>(spec: AdminPageSpec<Data>): AdminPageHandler {
  const GET = async (ctx: Context<State>) => {
    const request = adminRequest(ctx);
    const path = await spec.redirect?.(request) ?? null;
    return path === null ? await show(spec, request, null) : sendOn(ctx, path);
  };
  const formActions = Object.keys(spec.actions);
  const POST = (ctx: Context<State>) => submit(spec, adminRequest(ctx));
  const handler = methods(formActions.length === 0 ? { GET } : { GET, POST });
  return Object.assign(handler, { formActions });
}

/** Handler of an admin page. */
export interface AdminPageHandler extends PathHandler<never> {
  /** Names of the actions of its forms. */
  readonly formActions: readonly string[];
}

async function show<Data>(
  spec: AdminPageSpec<Data>,
  request: AdminRequest,
  refusal: { form: RefusedForm; status: number } | null,
): Promise<Response> {
  // Before loading, so that changes made while the page loads are reported.
  if (spec.isLive) await attachEventStream(request);
  const data = await spec.load(request);
  if (data === null) throw new AppError("NOT_FOUND", request.messages.common.gone);
  const element = spec.render(data, refusal?.form ?? null);
  return await request.ctx.render(element, { status: refusal?.status ?? 200 });
}

async function submit<Data>(
  spec: AdminPageSpec<Data>,
  request: AdminRequest,
): Promise<Response> {
  const { ctx, chat, realm } = request;
  requireSameOrigin(ctx.req, new URL(realmUrl(chat, realm)).origin);
  const fields = await readFields(ctx, spec.files).catch((error) => toRefusal(error, {}));
  if (fields instanceof FormFields) return await act(spec, request, fields);
  if (spec.files === undefined) throw fields.error;
  const form = { action: spec.files.action, typed: {}, problems: fields.problems };
  return await show(spec, request, { form, status: fields.status });
}

/** Maximum number of fields of a form, most of which are chosen users. */
const MAX_FORM_FIELDS = 20_000;
/**
 * Maximum length of all values of a form, enough for any list of people or addresses; a refused form is shown with
 * them, which takes 0.1 s for a million characters.
 */
const MAX_TEXT = 250_000;

async function readFields(source: BodySource, upload: UploadLimit | undefined): Promise<FormFields> {
  if (upload === undefined || isForm(source.req)) {
    const body = new TextDecoder().decode(await readBytes(source, { maxBytes: FORM_BODY_BYTES }));
    // Counted before parsing, which takes longer than everything else for a million empty fields.
    if (body.split("&", MAX_FORM_FIELDS + 1).length > MAX_FORM_FIELDS) throw tooManyFields(MAX_FORM_FIELDS);
    return new FormFields(requireShortTexts(new URLSearchParams(body)));
  }
  const { fields, files } = await readRequest(source, new URLSearchParams(), upload);
  return new FormFields(requireShortTexts(fields), files);
}

function requireShortTexts<T extends Iterable<readonly [name: string, value: string]>>(fields: T): T {
  let length = 0;
  for (const [, value] of fields) length += value.length;
  if (length <= MAX_TEXT) return fields;
  throw new AppError("CONTENT_TOO_LARGE", `The form has more than ${MAX_TEXT} characters.`);
}

async function act<Data>(
  spec: AdminPageSpec<Data>,
  request: AdminRequest,
  fields: FormFields,
): Promise<Response> {
  const { ctx } = request;
  const name = fields.text("action");
  const action = Object.hasOwn(spec.actions, name) ? spec.actions[name] : undefined;
  if (action === undefined) throw new AppError("BAD_REQUEST", "Unknown form action.");
  const isScript = ctx.req.headers.get("accept") === "application/json";
  try {
    const done = await action.run(request, fields);
    if (done instanceof Response) return done;
    if (isScript) return await toScriptAnswer(request, done);
    if (done.isDraft === true || done.draft !== undefined) {
      const { result = {}, draft } = done;
      const form = { action: name, typed: fields.typed(), problems: {}, result, draft };
      return await show(spec, request, { form, status: 200 });
    }
    const response = sendOn(ctx, returnPath(ctx.url, done.to ?? ctx.url.pathname + ctx.url.search));
    const { flash: text, undo } = done;
    if (text !== "") setFlashMessage(response.headers, { text, undo }, request.services.isHttps);
    return response;
  } catch (error) {
    const { problems, choices, status } = toRefusal(error, action);
    if (isScript) return Response.json({ problems, status }, { status, headers: NO_STORE });
    const form = { action: name, typed: fields.typed(), problems, choices };
    return await show(spec, request, { form, status });
  }
}

/** Returns the address to redirect to: that of the page from which the form was opened, if it is the same page. */
function returnPath({ searchParams }: URL, to: string): string {
  const from = safePath(searchParams.get("return"), "");
  return from.split("?")[0] === to.split(/[?#]/)[0] ? from : to;
}

const NO_STORE = { "cache-control": "no-store" };

/**
 * Returns the outcome and the event id that the page is up to date with; without a message nothing was
 * changed.
 */
async function toScriptAnswer(request: AdminRequest, done: Done): Promise<Response> {
  const { chat, realm } = request;
  const draft = done.draft && { html: renderToString(h(AdminView.Provider, { value: request }, done.draft)) };
  const answer = Response.json({ flash: done.flash, ...done.result, ...draft }, { headers: NO_STORE });
  if (done.flash !== "") answer.headers.set(POSITION_HEADER, String(await readPosition(chat, realm.id)));
  return answer;
}

/** Returns the problems of a refusal by field; rethrows any other error. */
function toRefusal(error: unknown, { fields = {}, fieldOf }: Pick<AdminAction, "fields" | "fieldOf">) {
  if (error instanceof FormRefusal) {
    return { problems: error.problems, choices: error.choices, status: 400, error };
  }
  if (!(error instanceof AppError) || statusOf(error) >= 500) throw error;
  const named = error.field !== null && Object.hasOwn(fields, error.field) ? fields[error.field] : undefined;
  const problems = { [named ?? fieldOf?.(error) ?? "form"]: toPageProblem(error) };
  return { problems, choices: {}, status: statusOf(error), error };
}
