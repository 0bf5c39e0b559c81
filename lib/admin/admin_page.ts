import { type Context, page, type PageResponse } from "fresh";
import { readPosition } from "@/lib/chat/event_queues/position.ts";
import { POSITION_HEADER } from "@/lib/client/page_action.ts";
import { AppError } from "@/lib/core/errors.ts";
import { FORM_BODY_BYTES, isForm, readBytes } from "@/lib/http/body.ts";
import { statusOf } from "@/lib/http/envelope.ts";
import { readRequest, type UploadLimit } from "@/lib/http/fields.ts";
import { methods, type PathHandler } from "@/lib/http/methods.ts";
import { setNotice } from "@/lib/http/page_notice.ts";
import { sendOn } from "@/lib/http/page_session.ts";
import { requireSameOrigin } from "@/lib/http/same_origin.ts";
import type { State } from "@/lib/http/services.ts";
import { realmUrl } from "@/lib/chat/realm/realm.ts";
import { type AdminRequest, adminRequest } from "./admin_request.ts";
import { FormFields, type TypedFields } from "./form_fields.ts";
import { noteNews } from "./page_news.ts";

/** What one page shows and what its forms do. */
export interface AdminPageSpec<Data> {
  /** Everything that the page shows; null where what it is about is not there. */
  load(request: AdminRequest): Promise<Data | null>;
  /** What the page's forms do, by their field `action`. */
  readonly actions?: Readonly<Record<string, AdminAction>>;
  /** Where a form holds files: how large they may be, and the action that is refused when they are larger. */
  readonly files?: UploadLimit & { readonly action: string };
}

/**
 * What a form does. Refusals are thrown: an AppError belongs to the field that `fieldOf` names, and FormRefusal to
 * several.
 */
export interface AdminAction {
  run(request: AdminRequest, fields: FormFields): Promise<Done | Response>;
  /** The field that a refusal belongs to; without one it stands above the form. */
  fieldOf?(error: AppError): string | null;
}

/** A form that did what it was asked to. */
export interface Done {
  /** A sentence that says so. */
  readonly said: string;
  /** The page to go on to; without one, the same page. */
  readonly to?: string;
  /** What a script is told besides. */
  readonly result?: Readonly<Record<string, unknown>>;
  /** Nothing was changed: the page is shown again with what was typed, and with `result`. */
  readonly isDraft?: boolean;
}

/** A form with several things wrong: sentences by the field's name, `form` for what belongs to none. */
export class FormRefusal extends Error {
  override readonly name = "FormRefusal";

  constructor(readonly problems: Readonly<Record<string, string>>) {
    super(Object.values(problems).join(" "));
  }
}

/** A form that was refused: which, what was typed, and what is wrong with it; nothing is with a draft. */
export interface RefusedForm {
  readonly action: string;
  readonly typed: TypedFields;
  readonly problems: Readonly<Record<string, string>>;
  /** What a draft gave. */
  readonly result?: Readonly<Record<string, unknown>>;
}

/** What a page component is given. */
export interface AdminPageData<Data> {
  readonly data: Data;
  /** The form that was just refused, or null. */
  readonly refused: RefusedForm | null;
}

/**
 * The handler of an admin page: shows it, and for a form does what it asks for and sends the browser on, or shows the
 * page with what is wrong and what was typed. Scripts that accept JSON alone are told the same as data.
 */
export function adminPage<Data>(spec: AdminPageSpec<Data>): PathHandler<AdminPageData<Data>> {
  const GET = async (ctx: Context<State>) => await show(spec, adminRequest(ctx), null);
  if (spec.actions === undefined) return methods<AdminPageData<Data>>({ GET });
  return methods<AdminPageData<Data>>({ GET, POST: (ctx) => submit(spec, adminRequest(ctx)) });
}

async function show<Data>(
  spec: AdminPageSpec<Data>,
  request: AdminRequest,
  refusal: { form: RefusedForm; status: number } | null,
): Promise<PageResponse<AdminPageData<Data>>> {
  // First, so that what is changed while the page is read is told.
  await noteNews(request);
  const data = await spec.load(request);
  if (data === null) throw new AppError("NOT_FOUND", request.words.common.gone);
  return page({ data, refused: refusal?.form ?? null }, { status: refusal?.status ?? 200 });
}

async function submit<Data>(
  spec: AdminPageSpec<Data>,
  request: AdminRequest,
): Promise<Response | PageResponse<AdminPageData<Data>>> {
  const { ctx, chat, realm } = request;
  requireSameOrigin(ctx.req, new URL(realmUrl(chat, realm)).origin);
  const fields = await readFields(ctx.req, spec.files).catch((error) => toRefusal(error, {}));
  if (fields instanceof FormFields) return await act(spec, request, fields);
  if (spec.files === undefined) throw fields.error;
  const form = { action: spec.files.action, typed: {}, problems: fields.problems };
  return await show(spec, request, { form, status: fields.status });
}

async function readFields(request: Request, upload: UploadLimit | undefined): Promise<FormFields> {
  if (upload === undefined || isForm(request)) {
    const body = await readBytes(request, { maxBytes: FORM_BODY_BYTES });
    return new FormFields(new URLSearchParams(new TextDecoder().decode(body)));
  }
  const { fields, files } = await readRequest(request, new URLSearchParams(), upload);
  return new FormFields(new URLSearchParams([...fields]), files);
}

async function act<Data>(
  spec: AdminPageSpec<Data>,
  request: AdminRequest,
  fields: FormFields,
): Promise<Response | PageResponse<AdminPageData<Data>>> {
  const { ctx } = request;
  const name = fields.text("action");
  const action = spec.actions !== undefined && Object.hasOwn(spec.actions, name)
    ? spec.actions[name]
    : undefined;
  if (action === undefined) throw new AppError("BAD_REQUEST", "That form is not one of this page's.");
  const isScript = ctx.req.headers.get("accept") === "application/json";
  try {
    const done = await action.run(request, fields);
    if (done instanceof Response) return done;
    if (isScript) return await toScriptAnswer(request, done);
    if (done.isDraft === true) {
      const form = { action: name, typed: fields.typed(), problems: {}, result: done.result ?? {} };
      return await show(spec, request, { form, status: 200 });
    }
    const response = sendOn(ctx, done.to ?? ctx.url.pathname + ctx.url.search);
    if (done.said !== "") setNotice(response.headers, done.said);
    return response;
  } catch (error) {
    const { problems, status } = toRefusal(error, action);
    if (isScript) return Response.json({ problems, status }, { status, headers: NO_STORE });
    const form = { action: name, typed: fields.typed(), problems };
    return await show(spec, request, { form, status });
  }
}

const NO_STORE = { "cache-control": "no-store" };

/** What was done, and up to which event: its page shows that already. Where nothing is said, nothing was changed. */
async function toScriptAnswer({ chat, realm }: AdminRequest, done: Done): Promise<Response> {
  const answer = Response.json({ said: done.said, ...done.result }, { headers: NO_STORE });
  if (done.said !== "") answer.headers.set(POSITION_HEADER, String(await readPosition(chat, realm.id)));
  return answer;
}

/** What is wrong with a form, by its fields; whatever is no refusal is thrown on. */
function toRefusal(error: unknown, { fieldOf }: Pick<AdminAction, "fieldOf">) {
  if (error instanceof FormRefusal) return { problems: error.problems, status: 400, error };
  if (!(error instanceof AppError) || statusOf(error) >= 500) throw error;
  return { problems: { [fieldOf?.(error) ?? "form"]: error.message }, status: statusOf(error), error };
}
