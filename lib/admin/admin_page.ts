import type { Context } from "fresh";
import { readPosition } from "@/lib/chat/register/events/retrieve_events.ts";
import { h, type JSX } from "preact";
import { renderToString } from "preact-render-to-string";
import { AdminView } from "@/components/admin/admin_view.ts";
import { type FieldChoices, type RefusedForm, RefusedFormContext } from "@/components/admin/form_state.ts";
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
import { GONE } from "@/lib/ui/texts.ts";
import { realmUrl } from "@/lib/chat/organization/organizations/model.ts";
import { type AdminRequest, adminRequest } from "./admin_request.ts";
import { FormFields } from "./form_fields.ts";
import type { ShownEvents } from "./events/shown_events.ts";

/** Data and forms of a page. */
export interface HandledPage<Data> {
  /** Events that concern the page; undefined when it shows nothing that others change. */
  readonly shows?: ShownEvents;
  /** Loads the page's data; null when its subject does not exist. */
  readonly load: (request: AdminRequest) => Promise<Data | null>;
  /** Returns the path of the page that is shown instead, or null. */
  readonly redirect?: (request: AdminRequest) => Promise<string | null>;
  /** At most one of them takes a file. */
  readonly forms?: readonly AdminAction[];
}

/** Action of a form. A refusal that it throws is an AppError, or a FormRefusal for several fields. */
export interface AdminAction {
  /** Name of the form on its page, sent as the field `action`. */
  readonly action: string;
  /** Size limit of the file that it takes. */
  readonly upload?: UploadLimit | undefined;
  run(request: AdminRequest, fields: FormFields): Promise<Done | Response>;
  /** Returns the field that shows an AppError; null for one that is shown above the form. */
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

/** Refusal of a form with several problems: sentences by field name, `form` for those of no single field. */
export class FormRefusal extends Error {
  override readonly name = "FormRefusal";

  /** `result` is additional data of the refused form. */
  constructor(
    readonly problems: Readonly<Record<string, string>>,
    readonly choices: FieldChoices = {},
    readonly result: Readonly<Record<string, unknown>> = {},
  ) {
    super(Object.values(problems).join(" "));
  }
}

/** Refusal of a form whose values were changed since it was shown; its fields show what is stored now. */
export class OutdatedForm extends FormRefusal {
  constructor({ t }: Pick<AdminRequest, "t">) {
    super({
      form: t(
        "Someone else changed this while you were editing. Your changes are still in the form. Save again to overwrite theirs.",
      ),
    });
  }
}

/**
 * Reads values by name.
 * @throws FormRefusal with the problems of all that are refused.
 */
export async function readAll<Source, Value>(
  sources: Readonly<Record<string, Source>>,
  read: (source: Source, name: string) => Promise<Value>,
): Promise<Readonly<Record<string, Value>>> {
  const values: Record<string, Value> = {};
  let refusal = new FormRefusal({});
  for (const [name, source] of Object.entries(sources)) {
    try {
      values[name] = await read(source, name);
    } catch (error) {
      if (!(error instanceof FormRefusal)) throw error;
      const { problems, choices } = error;
      refusal = new FormRefusal({ ...refusal.problems, ...problems }, { ...refusal.choices, ...choices });
    }
  }
  if (refusal.message !== "") throw refusal;
  return values;
}

/**
 * Creates the handler of an admin page: loads and renders it, runs the action of a submitted form and
 * redirects, or renders the page with the problems and submitted values. Scripts that accept only JSON get
 * the same as data.
 */
export function pageHandler<Data>(
  page: HandledPage<Data>,
  render: (data: Data) => JSX.Element,
): AdminPageHandler {
  const formActions = (page.forms ?? []).map(({ action }) => action);
  const show: Show = async (request, form, status) => {
    // Before loading, so that changes made while the page loads are reported.
    if (page.shows !== undefined) await attachEventStream(request);
    const data = await page.load(request);
    if (data === null) throw new AppError("NOT_FOUND", request.t(GONE));
    return await request.ctx.render(
      h(RefusedFormContext.Provider, { value: form }, render(data)),
      { status },
    );
  };
  const GET = async (ctx: Context<State>) => {
    const request = adminRequest(ctx);
    const path = await page.redirect?.(request) ?? null;
    return path === null ? await show(request, null, 200) : sendOn(ctx, path);
  };
  const POST = (ctx: Context<State>) => submit(page, adminRequest(ctx), show);
  const handler = methods(formActions.length === 0 ? { GET } : { GET, POST });
  return Object.assign(handler, { formActions });
}

/** Attaches an event stream to a page that shows changeable records. */
async function attachEventStream({ ctx: { state, url: { pathname } }, chat, realm }: AdminRequest) {
  if (state.admin === undefined) return;
  const path = `/admin/events?${new URLSearchParams({ page: pathname })}`;
  state.admin = { ...state.admin, news: { path, position: await readPosition(chat, realm.id) } };
}

/** Handler of an admin page. */
export interface AdminPageHandler extends PathHandler<never> {
  /** Names of the actions of its forms. */
  readonly formActions: readonly string[];
}

/** Loads and renders a page, with a refused form where one is given. */
type Show = (request: AdminRequest, form: RefusedForm | null, status: number) => Promise<Response>;

type PageForms = Pick<HandledPage<never>, "forms">;

async function submit(page: PageForms, request: AdminRequest, show: Show): Promise<Response> {
  const { ctx, chat, realm } = request;
  requireSameOrigin(ctx.req, new URL(realmUrl(chat, realm)).origin);
  const uploadForm = page.forms?.find(({ upload }) => upload !== undefined);
  let fields: FormFields;
  try {
    fields = await readFields(ctx, uploadForm?.upload);
  } catch (error) {
    if (uploadForm === undefined) throw error;
    const { problems, status } = toRefusal(error);
    return await show(request, { action: uploadForm.action, typed: {}, problems }, status);
  }
  return await act(page, request, fields, show);
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

async function act(
  { forms = [] }: PageForms,
  request: AdminRequest,
  fields: FormFields,
  show: Show,
): Promise<Response> {
  const { ctx } = request;
  const name = fields.text("action");
  const action = forms.find((form) => form.action === name);
  if (action === undefined) throw new AppError("BAD_REQUEST", "Unknown form action.");
  const isScript = ctx.req.headers.get("accept") === "application/json";
  try {
    const done = await action.run(request, fields);
    if (done instanceof Response) return done;
    if (isScript) return await toScriptAnswer(request, done);
    if (done.isDraft === true || done.draft !== undefined) {
      const { result = {}, draft } = done;
      return await show(request, { action: name, typed: fields.typed(), problems: {}, result, draft }, 200);
    }
    const response = sendOn(ctx, returnPath(ctx.url, done.to ?? ctx.url.pathname + ctx.url.search));
    const { flash: text, undo } = done;
    if (text !== "") setFlashMessage(response.headers, { text, undo }, request.services.isHttps);
    return response;
  } catch (error) {
    const { status, ...refusal } = toRefusal(error, action);
    const { problems } = refusal;
    if (isScript) return Response.json({ problems, status }, { status, headers: NO_STORE });
    return await show(request, { action: name, typed: fields.typed(), ...refusal }, status);
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
function toRefusal(error: unknown, action?: AdminAction) {
  if (error instanceof FormRefusal) {
    const { problems, choices, result } = error;
    return { problems, choices, result, isOutdated: error instanceof OutdatedForm, status: 400 };
  }
  if (!(error instanceof AppError) || statusOf(error) >= 500) throw error;
  const problems = { [action?.fieldOf?.(error) ?? "form"]: toPageProblem(error) };
  return { problems, choices: {}, status: statusOf(error) };
}
