import type { Context } from "fresh";
import { DataStore, ERRORS, Server, Upload } from "@tus/server";
import { requireStillValid } from "@/lib/chat/people/auth/authenticate.ts";
import {
  appendToResumableUpload,
  createResumableUpload,
  deleteResumableUpload,
  finishResumableUpload,
  readResumableUpload,
} from "@/lib/chat/messages/files/resumable_uploads.ts";
import { realmUrl } from "@/lib/chat/organization/organizations/model.ts";
import type { Caller } from "@/lib/chat/organization/users/model.ts";
import { AppError, STATUS } from "@/lib/core/errors.ts";
import { RETRY_AFTER_SECONDS } from "@/lib/store/durably.ts";
import type { BodySource } from "@/lib/core/body_arrival.ts";
import { ReadFailure } from "@/lib/store/database.ts";
import { requireUnencoded } from "../body.ts";
import { consumeLimits } from "../request_limits.ts";
import { PieceTurns } from "./file_pieces.ts";
import { statusOf, toAppError } from "../envelope.ts";
import { requirePrincipal } from "../principal.ts";
import type { State } from "@/lib/services/services.ts";
import { arriving } from "./upload_body.ts";
import type { Readable } from "node:stream";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { RESUMABLE_UPLOAD_MS, type ResumableUploadRecord } from "@/lib/chat/organization/files/model.ts";

const PATH = "/api/v1/tus";
/** Methods of the protocol. */
const METHODS: readonly string[] = ["DELETE", "HEAD", "OPTIONS", "PATCH", "POST"];

/** A refusal as the protocol's library sends it. */
interface Refusal {
  readonly status_code: number;
  readonly body: string;
}

/** Handles a step of a resumable upload by the tus protocol: creation, parts, progress, termination. */
export async function resumableUpload(ctx: Context<State>): Promise<Response> {
  const { req } = ctx;
  const method = toMethod(req);
  if (method === null) {
    return toResponse({ status_code: 400, body: "The method in X-HTTP-Method-Override is not supported." });
  }
  if (method === "OPTIONS") return new Response(null, { status: 204, headers: PROTOCOL });
  if (method === "POST" && req.headers.has("upload-defer-length")) {
    return toResponse({ status_code: 411, body: "SizeIsDeferred is not supported" });
  }
  const uploader = await identify(ctx);
  if (uploader instanceof Response) return uploader;
  if (!METHODS.includes(method)) {
    throw new AppError("METHOD_NOT_ALLOWED", "This path is for uploads.", { allow: METHODS });
  }
  const problem = findProtocolProblem(method, req.headers);
  if (problem !== null) return toResponse(problem);
  const turns = new PieceTurns();
  const store = new TusStore(ctx.state.app.chat, uploader, turns);
  const handled = await serverFor(ctx, { uploader, store }).handleWeb(toStep(ctx, method, turns));
  const response = handled.status < 400
    ? handled
    : toResponse({ status_code: handled.status, body: (await handled.text()).trim() });
  response.headers.set("cache-control", "no-store");
  if (response.status === STATUS.UNAVAILABLE) {
    response.headers.set("retry-after", String(RETRY_AFTER_SECONDS));
  }
  if (store.expiresAt !== null && isUnfinished(method, response.status)) {
    response.headers.set("upload-expires", new Date(store.expiresAt).toUTCString());
  }
  return response;
}

/**
 * Returns the method that a request means: clients behind proxies that let only few methods pass send POST and
 * name another method in a header. Null for a method that is not of the protocol.
 */
function toMethod({ method, headers }: Request): string | null {
  const override = method === "POST" ? headers.get("x-http-method-override")?.toUpperCase() : undefined;
  if (override === undefined) return method;
  return METHODS.includes(override) ? override : null;
}

/** Refuses what the protocol's library refuses with other statuses than the protocol names. */
function findProtocolProblem(method: string, headers: Headers): Refusal | null {
  if (headers.get("tus-resumable") !== PROTOCOL["tus-version"]) {
    return { status_code: 412, body: "Tus-Resumable must be 1.0.0." };
  }
  if (method === "PATCH" && headers.get("content-type") !== "application/offset+octet-stream") {
    return { status_code: 415, body: "Content-Type must be application/offset+octet-stream." };
  }
  return null;
}

/** Whether a response confirms that an upload was begun or continued; the last part is answered with 200. */
function isUnfinished(method: string, status: number): boolean {
  return (method === "POST" && status === 201) || (method === "PATCH" && status === 204);
}

async function identify(ctx: Context<State>): Promise<Caller | Response> {
  try {
    const { realm, user } = await requirePrincipal(ctx);
    await consumeLimits(ctx, { realm, user });
    return { realm, actingUser: user };
  } catch (error) {
    if (!(error instanceof AppError) || STATUS[error.code] >= 500) throw error;
    const isStranger = STATUS[error.code] === 401;
    // A client that guesses keys is counted as a stranger.
    if (isStranger) await consumeLimits(ctx, { realm: null, user: null });
    return toResponse({ status_code: statusOf(error), body: isStranger ? UNAUTHENTICATED : error.message });
  }
}

const UNAUTHENTICATED = "Unauthenticated upload";
const PROTOCOL = {
  "tus-resumable": "1.0.0",
  "tus-version": "1.0.0",
  "tus-extension": "creation,creation-with-upload,termination,expiration",
};

function serverFor(
  ctx: Context<State>,
  { uploader, store }: { readonly uploader: Caller; readonly store: TusStore },
): Server {
  const { chat, tusLocker } = ctx.state.app;
  return new Server({
    path: PATH,
    datastore: store,
    locker: () => tusLocker(),
    allowedOrigins: [],
    generateUrl: (_request, { id }) => `${realmUrl(chat, uploader.realm)}${PATH}/${id}`,
    onUploadFinish: async ({ method }, { id }) => {
      const { realm, actingUser: user } = uploader;
      await requireStillValid(chat, { realm, user, sessionId: ctx.state.sessionId ?? null });
      const upload = await finishResumableUpload(chat, uploader, id);
      store.forgetExpiry();
      const body = { url: `/user_uploads/${upload.path_id}`, filename: upload.name };
      const headers = { "content-type": "application/json" };
      // The library names the location of an upload that its creation completes only in a response with 201.
      return { status_code: method === "POST" ? 201 : 200, headers, body: JSON.stringify(body) };
    },
    onResponseError: (_request, error) => toRefusal(error),
  });
}

/** Converts an error to a refusal without details of internal failures. */
function toRefusal(error: unknown): Refusal {
  if (error instanceof AppError) {
    if (STATUS[error.code] === 401) return { status_code: 401, body: UNAUTHENTICATED };
    const isFull = error.code === "CONTENT_TOO_LARGE" || error.code === "REALM_UPLOAD_QUOTA";
    return { status_code: isFull ? 413 : statusOf(error), body: error.message };
  }
  if (isRefusal(error)) return error;
  if (error instanceof ReadFailure) return toRefusal(toAppError(error));
  return { status_code: 500, body: "Something went wrong on the server." };
}

function isRefusal(error: unknown): error is Refusal {
  return typeof error === "object" && error !== null && "status_code" in error && "body" in error &&
    typeof error.body === "string" && typeof error.status_code === "number";
}

function toResponse({ status_code: status, body: message }: Refusal): Response {
  const headers = { ...PROTOCOL, "content-type": "application/json", "cache-control": "no-store" };
  return new Response(JSON.stringify({ message }), { status, headers });
}

/** Converts a request to one of `method` whose body arrives in turns, and fails when no byte arrives for too long. */
function toStep(source: BodySource, method: string, turns: PieceTurns): Request {
  const request = source.req;
  const { url, headers, signal, body } = request;
  if (body === null || method === "HEAD") return new Request(url, { method, headers, signal });
  requireUnencoded(request);
  return new Request(url, {
    method,
    headers,
    signal,
    body: ReadableStream.from(turns.inTurn(arriving(source))),
  });
}

/**
 * The uploads of one account in the form that the protocol's library takes; their ids are Sotto's. The library would
 * judge expiry by the system's clock, so it knows of none: an upload that has expired is not found here.
 */
class TusStore extends DataStore {
  #expiresAt: number | null = null;

  constructor(
    private readonly app: ChatApp,
    private readonly uploader: Caller,
    private readonly turns: PieceTurns,
  ) {
    super();
    this.extensions = ["creation", "creation-with-upload", "termination", "expiration"];
  }

  override async create(upload: Upload): Promise<Upload> {
    const { size = 0, metadata = {} } = upload;
    const record = await createResumableUpload(this.app, this.uploader, { size, metadata });
    this.#expiresAt = record.created_at + RESUMABLE_UPLOAD_MS;
    upload.id = record.id;
    upload.creation_date = toTime(record);
    return upload;
  }

  override async write(content: Readable, id: string): Promise<number> {
    try {
      const record = await this.find(id);
      const pieces = this.turns.consume(content);
      return await appendToResumableUpload(this.app, this.uploader.realm.id, { record, content: pieces });
    } finally {
      this.turns.close();
    }
  }

  override async getUpload(id: string): Promise<Upload> {
    const record = await this.find(id);
    const { size, offset, metadata } = record;
    return new Upload({ id, size, offset, metadata: { ...metadata }, creation_date: toTime(record) });
  }

  override async remove(id: string): Promise<void> {
    const record = await this.find(id);
    if (record.upload_id !== null) throw ERRORS.INVALID_TERMINATION;
    await deleteResumableUpload(this.app, this.uploader.realm.id, record);
  }

  override getExpiration(): number {
    return 0;
  }

  /** When the upload that was created or read last expires, in milliseconds since 1970 UTC; null for none. */
  get expiresAt(): number | null {
    return this.#expiresAt;
  }

  /** Marks the upload as finished: its file does not expire. */
  forgetExpiry(): void {
    this.#expiresAt = null;
  }

  private async find(id: string): Promise<ResumableUploadRecord> {
    const record = await readResumableUpload(this.app, this.uploader, id);
    if (record === null) throw ERRORS.FILE_NOT_FOUND;
    this.#expiresAt = record.created_at + RESUMABLE_UPLOAD_MS;
    return record;
  }
}

function toTime({ created_at }: ResumableUploadRecord): string {
  return new Date(created_at).toISOString();
}
